"""The examined interpreter has no torch."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, check, known
from torchdoctor.facts import Absent, Interpreter, TorchInstall


@check
def torch_not_installed(interpreter: Interpreter, torch: TorchInstall | Absent) -> Iterator[Finding | Passed]:
    """Ask the interpreter itself: the doctor may be installed elsewhere."""
    if not known(interpreter.finds_torch):
        yield Finding(f"torch is not installed for {interpreter.executable}")
        return
    if isinstance(torch, TorchInstall):
        version = "unknown version" if isinstance(torch.version, Absent) else torch.version
        build = f"CUDA {torch.cuda}" if torch.cuda else "no CUDA"
        yield Passed(f"torch {version} ({build}) in {torch.package_folder}")
