"""A DLL that would be loaded is for another processor architecture or is not a valid DLL."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, check
from torchdoctor.domain.windows_paths import is_below, normalise
from torchdoctor.facts import Absent, DllClosure, TorchInstall
from torchdoctor.pe import is_vc_runtime


@check
def dll_wrong_architecture(closure: DllClosure, torch: TorchInstall | Absent) -> Iterator[Finding | Passed]:
    """Report DLLs of another architecture and unusable files: Windows fails with error 193 for both."""
    for foreign in closure.foreign:
        yield Finding(
            f"{foreign.path} is built for {foreign.machine}, the interpreter needs {foreign.expected_machine}"
            f" (loaded as {' -> '.join(foreign.chain)})",
            evidence={
                "path": foreign.path,
                "machine": foreign.machine,
                "chain": list(foreign.chain),
                "file": _name_file(foreign.path),
            },
            step=_choose_step(foreign.path, closure, torch),
        )
    for damaged in closure.damaged:
        yield Finding(
            f"{damaged.path} is no usable DLL: {damaged.reason}",
            evidence={
                "path": damaged.path,
                "reason": damaged.reason,
                "file": _name_file(damaged.path),
            },
            step=_choose_step(damaged.path, closure, torch),
        )
    if not closure.foreign and not closure.damaged:
        machines = " and ".join(sorted({image.machine for image in closure.images})) or "none"
        yield Passed(f"{len(closure.images)} DLLs are readable and of one architecture ({machines})")


def _choose_step(path: str, closure: DllClosure, torch: TorchInstall | Absent) -> str:
    """Choose the step by the file's folder: a new torch repairs neither System32 nor a folder on PATH."""
    folders = (closure.folder, *((torch.package_folder,) if isinstance(torch, TorchInstall) else ()))
    if any(is_below(path, folder) for folder in folders):
        return "reinstall"
    file_folder = normalise(path).rpartition("\\")[0]
    roles = {folder.role for folder in closure.search if normalise(folder.path) == file_folder}
    if "system" in roles:
        return "runtime" if is_vc_runtime(_name_file(path)) else "system"
    return "rename" if "path" in roles else "reinstall"


def _name_file(path: str) -> str:
    return normalise(path).rpartition("\\")[2]
