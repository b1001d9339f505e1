"""Observes torch: its files, and the result of importing it and using CUDA in a child process."""

import ast
import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path

from torchdoctor.core.record import record
from torchdoctor.facts import Absent, CudaTrial, Distributions, TorchImportTrial, TorchInstall
from torchdoctor.probes.examined import Description, Examined
from torchdoctor.processes.child import ChildError, Ended
from torchdoctor.processes.exit_codes import describe_exit
from torchdoctor.processes.guest import ask_guest

# A first import from a cold disk with an antivirus program running takes tens of seconds.
TRIAL_SECONDS = 60.0
TRIAL_SECONDS_VARIABLE = "TORCHDOCTOR_TRIAL_SECONDS"
# Waking a card and creating a context; a driver that compiles for a new card takes longer still.
CUDA_SECONDS = 30.0


def observe_torch_install(examined: Examined) -> TorchInstall | Absent:
    """Read the version and the folders of the torch that the interpreter would import."""
    return examined.once(_read_install)


def _read_install(examined: Examined) -> TorchInstall | Absent:
    description = examined.description
    folder = description.torch_folder
    if isinstance(folder, Absent):
        return folder
    if folder is None:
        return Absent(f"torch is not installed for {examined.interpreter.executable}")
    if find_plain_module(description):
        return Absent(f"{description.torch_origin} is imported in place of torch")
    install = read_torch_folder(Path(folder), description.distributions)
    return dataclasses.replace(install, has_init=description.torch_origin is not None)


def find_plain_module(description: Description) -> str | None:
    """Find the file torch.py that is imported where torch should be: the user's, so it is never run."""
    origin = description.torch_origin
    return origin if origin and not os.path.basename(origin).startswith("__init__.") else None


def read_torch_folder(folder: Path, distributions: Distributions | None = None) -> TorchInstall:
    """Read a torch package folder."""
    values = read_version_file(folder / "version.py")
    cuda = values.get("cuda") if not isinstance(values, Absent) else None
    library = folder / "lib"
    return TorchInstall(
        version=_find_version(values, distributions),
        package_folder=str(folder),
        library_folder=str(library) if library.is_dir() else None,
        cuda=cuda if isinstance(cuda, str) else None,
        extension_tags=_read_extension_tags(folder),
    )


def _find_version(values: Mapping[str, object] | Absent, distributions: Distributions | None) -> str | Absent:
    found = values.get("__version__") if not isinstance(values, Absent) else None
    if isinstance(found, str):
        return found
    distribution = distributions.find("torch") if distributions else None
    if distribution is not None and distribution.version:
        return distribution.version
    return values if isinstance(values, Absent) else Absent("torch/version.py names no version")


def _read_extension_tags(folder: Path) -> tuple[str, ...] | Absent:
    """Read what the extension module was built for: _C.cp311-win_amd64.pyd; `_C.pyd` fits any."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith("_C."))
    except OSError as error:
        return Absent(f"{folder} cannot be listed: {error.strerror or error}")
    tags = [name.split(".")[1] for name in names if name.endswith((".pyd", ".so"))]
    return tuple(tags) if tags else Absent(f"{folder} has no extension module _C")


def read_version_file(path: Path) -> Mapping[str, object] | Absent:
    """Read the constants that torch/version.py assigns, without running it."""
    try:
        tree = ast.parse(path.read_bytes())
    except OSError as error:
        return Absent(f"torch/version.py cannot be read: {error.strerror or error}")
    except (SyntaxError, ValueError) as error:
        return Absent(f"torch/version.py is damaged: {error}")
    values: dict[str, object] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                values[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=value)):
                values[name] = value
    return values


def read_time_limit() -> float:
    """Return the time limit of the import trial in seconds."""
    try:
        return max(1.0, float(os.environ[TRIAL_SECONDS_VARIABLE]))
    except (KeyError, ValueError):
        return TRIAL_SECONDS


@record
class _Trials:
    """The result of importing torch in a child, and of using CUDA in the same child."""

    importing: TorchImportTrial | Absent
    cuda: CudaTrial | Absent


def observe_torch_import_trial(examined: Examined) -> TorchImportTrial | Absent:
    """Import torch in a child of the interpreter."""
    return examined.once(_try_torch).importing


def observe_cuda_trial(examined: Examined) -> CudaTrial | Absent:
    """Use CUDA in the child that imports torch."""
    return examined.once(_try_torch).cuda


def _try_torch(examined: Examined) -> _Trials:
    if not examined.runs_trials:
        absent = Absent("trials were switched off with --no-trials")
        return _Trials(absent, absent)
    install = observe_torch_install(examined)
    if isinstance(install, Absent):
        return _Trials(install, install)
    uses_cuda = examined.uses_cuda and install.cuda is not None
    limit = read_time_limit() + (CUDA_SECONDS if uses_cuda else 0)
    options = ("cuda",) if uses_cuda else ()
    python = examined.executable
    try:
        ended, answer = ask_guest(python, "import_torch", *options, time_limit_seconds=limit)
        cuda = _read_cuda(ended, answer) if uses_cuda else Absent(_why_no_cuda(install))
        if isinstance(cuda, CudaTrial) and cuda.outcome in ("died", "hung"):
            # The process ended because of CUDA: importing alone is another question.
            ended, answer = ask_guest(python, "import_torch", time_limit_seconds=limit)
    except ChildError as error:
        absent = Absent(f"the trial could not be started: {error}")
        return _Trials(absent, absent)
    return _Trials(_read_import(ended, answer or {}, limit), cuda)


def _read_import(ended: Ended, answer: Mapping[str, object], limit: float) -> TorchImportTrial:
    return TorchImportTrial(
        outcome=_name_outcome(ended, answer),
        seconds=_number(answer.get("seconds")) or round(ended.seconds, 3),
        time_limit_seconds=limit,
        version=_text(answer.get("version")),
        file=_text(answer.get("file")),
        exception_type=_text(answer.get("exception_type")),
        exception_message=_text(answer.get("exception_message")),
        winerror=winerror if isinstance(winerror := answer.get("winerror"), int) else None,
        traceback=_text(answer.get("traceback")),
        exit_code=ended.exit_code,
        exit_meaning=_describe_exit(ended),
        private_bytes_before=_size(answer.get("private_bytes_before")),
        private_bytes_after=_size(answer.get("private_bytes_after")),
        stderr_tail=ended.stderr_tail[-4000:],
    )


def _why_no_cuda(install: TorchInstall) -> str:
    return "using CUDA was not asked for" if install.cuda else "this torch is a build without CUDA"


def _read_cuda(ended: Ended, answer: Mapping[str, object] | None) -> CudaTrial | Absent:
    found = (answer or {}).get("cuda")
    if not isinstance(found, dict):
        return Absent("torch could not be imported, so CUDA was not tried")
    stage, capability = found.get("stage"), found.get("capability")
    ending = "hung" if ended.exit_code is None else "died"
    return CudaTrial(
        outcome=str(stage) if stage in ("answered", "raised") else ending,
        seconds=_number(found.get("seconds")) or round(ended.seconds, 3),
        available=value if isinstance(value := found.get("available"), bool) else None,
        device_count=count if isinstance(count := found.get("device_count"), int) else None,
        device_name=_text(found.get("device_name")),
        capability=(int(capability[0]), int(capability[1])) if isinstance(capability, list) else None,
        architectures=_texts(found.get("architectures")),
        kernel_ran=found.get("kernel_ran") is True,
        kernel_error=_text(found.get("kernel_error")),
        error=_text(found.get("error")),
        warnings=_texts(found.get("warnings")),
        exit_meaning=_describe_exit(ended),
    )


def _describe_exit(ended: Ended) -> str | None:
    if ended.exit_code is None:
        return None
    return describe_exit(ended.exit_code, is_windows=os.name == "nt")


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _name_outcome(ended: Ended, answer: Mapping[str, object]) -> str:
    stage = answer.get("stage")
    if stage in ("imported", "raised"):
        return str(stage)
    return "hung" if ended.exit_code is None else "died"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> float:
    return round(float(value), 3) if isinstance(value, (int, float)) else 0.0


def _size(value: object) -> int | Absent:
    return value if isinstance(value, int) else Absent("the child did not report it")
