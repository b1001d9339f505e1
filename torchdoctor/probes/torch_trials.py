"""Imports torch and uses CUDA in child processes; after a failure again, without what is suspected."""

import dataclasses
import math
import os
from collections.abc import Iterable, Mapping

from torchdoctor.core.record import record
from torchdoctor.core.tails import take_last_lines
from torchdoctor.domain.gpus import VISIBLE_DEVICES, hides_every_gpu
from torchdoctor.facts import Absent, CudaTrial, SecondTrial, TorchImportTrial, TorchInstall
from torchdoctor.probes.answers import (
    bool_or_none,
    capability_or_none,
    int_or_none,
    round_number,
    text_or_none,
)
from torchdoctor.probes.crash import find_crash
from torchdoctor.probes.examined import Examined
from torchdoctor.probes.torch_install import observe_torch_install
from torchdoctor.processes.child import ChildError, ChildResult
from torchdoctor.processes.exit_codes import describe_exit
from torchdoctor.processes.fault_stack import remove_fault_stacks
from torchdoctor.processes.guest import FAULT_HANDLER, NO_STARTUP_CODE, ask_guest

# The first import from a cold disk takes tens of seconds while an antivirus program runs.
TRIAL_SECONDS = 60.0
TRIAL_SECONDS_VARIABLE = "TORCHDOCTOR_TRIAL_SECONDS"
# Time to wake a GPU and create a context; it takes longer when the driver compiles kernels for a new GPU.
CUDA_SECONDS = 30.0
# The trial after a crash imports one package, or what the crashed trial has just read from the disk.
SECOND_TRIAL_SECONDS = 20.0
# Options of torch's CUDA allocator. A CUDA build reads them while it is imported: of "max_split_size_mb=128",
# torch 2.11.0+cu130 ends the process, and of a name that it does not know it raises at the first kernel.
_ALLOCATOR_VARIABLES = ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF")
# Variables that change what an import does: https://docs.python.org/3/using/cmdline.html#environment-variables.
# PYTHONHOME and PYTHONPATH are judged by their values.
_VARIABLES_OF_IMPORTS = (
    "PYTHONOPTIMIZE",
    "PYTHONWARNINGS",
    "PYTHONDEVMODE",
    "PYTHONNOUSERSITE",
    "PYTHONSAFEPATH",
    "PYTHONUTF8",
    "PYTHONPYCACHEPREFIX",
    "PYTHONPLATLIBDIR",
    "PYTHONCASEOK",
    "PYTHON_GIL",
    "TORCH_LOGS",
    *_ALLOCATOR_VARIABLES,
)
# Variables that keep CUDA from starting, or its first kernel from running:
# https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#cuda-environment-variables
_VARIABLES_OF_CUDA = (
    VISIBLE_DEVICES,
    "CUDA_DEVICE_ORDER",
    "CUDA_FORCE_PTX_JIT",
    "CUDA_FORCE_JIT",
    "CUDA_DISABLE_PTX_JIT",
    "CUDA_DISABLE_JIT",
    *_ALLOCATOR_VARIABLES,
)
# Exceptions that can be gone the next time, whatever the variables are.
_PASSING_EXCEPTIONS = frozenset({"OSError", "MemoryError", "PermissionError", "TimeoutError"})
# A kernel's error that is gone when another program ends.
_OUT_OF_MEMORY = "out of memory"
_MOST_TRIAL_SECONDS = 3600.0


def read_time_limit() -> float:
    """Return the time limit of the import trial in seconds; a setting without a meaning counts as none."""
    try:
        seconds = float(os.environ[TRIAL_SECONDS_VARIABLE])
    except (KeyError, ValueError):
        return TRIAL_SECONDS
    if not math.isfinite(seconds) or seconds <= 0:
        return TRIAL_SECONDS
    return min(max(1.0, seconds), _MOST_TRIAL_SECONDS)


@record
class _Trials:
    """The result of importing torch in a child, and of using CUDA in the same child."""

    importing: TorchImportTrial | Absent
    cuda: CudaTrial | Absent


def observe_torch_import_trial(examined: Examined) -> TorchImportTrial | Absent:
    """Import torch in a child of the interpreter."""
    return examined.call_once(_try_torch).importing


def observe_cuda_trial(examined: Examined) -> CudaTrial | Absent:
    """Use CUDA in the child that imports torch."""
    return examined.call_once(_try_torch).cuda


def _try_torch(examined: Examined) -> _Trials:
    if not examined.runs_trials:
        absent = Absent("trials were switched off with --no-trials")
        return _Trials(absent, absent)
    install = observe_torch_install(examined)
    if isinstance(install, Absent):
        return _Trials(install, install)
    uses_cuda = examined.uses_cuda and install.cuda is not None
    limit_seconds = read_time_limit()
    options = ("cuda",) if uses_cuda else ()
    python = examined.executable
    try:
        child, answer = _import_torch(python, *options, limit_seconds=limit_seconds)
        cuda = read_cuda(child, answer) if uses_cuda else Absent(_explain_unused_cuda(install))
        if isinstance(cuda, CudaTrial) and cuda.outcome in ("died", "hung"):
            # The process ended because of CUDA. The import alone may still work.
            child, answer = _import_torch(python, limit_seconds=limit_seconds)
    except ChildError as error:
        absent = Absent(f"the trial could not be started: {error}")
        return _Trials(absent, absent)
    trial = read_import(child, answer or {}, limit_seconds, examined.interpreter.import_path)
    if isinstance(cuda, CudaTrial):
        limit_seconds = min(SECOND_TRIAL_SECONDS, limit_seconds)
        second = _use_cuda_without_variables(python, cuda, limit_seconds)
        cuda = dataclasses.replace(cuda, second_trial=second)
    return _Trials(dataclasses.replace(trial, second_trial=_try_suspect(python, trial)), cuda)


def _import_torch(
    python: str, *arguments: str, limit_seconds: float, without: str | None = None
) -> tuple[ChildResult, Mapping[str, object] | None]:
    """Import torch in a child, in an environment that lacks one variable if that is named.

    The limit is that of the import; using CUDA has its own time.
    """
    others = None if without is None else {name: v for name, v in os.environ.items() if name != without}
    return ask_guest(
        python,
        "import_torch",
        *arguments,
        time_limit_seconds=limit_seconds + (CUDA_SECONDS if arguments else 0),
        first_stage_seconds=limit_seconds,
        options=FAULT_HANDLER,
        environment=others,
    )


def _try_suspect(python: str, trial: TorchImportTrial) -> SecondTrial | None:
    """Import the suspected package alone, or torch without what is suspected; None without a suspect."""
    limit_seconds = min(SECOND_TRIAL_SECONDS, trial.time_limit_seconds)
    if trial.outcome == "raised" and trial.exception_type not in _PASSING_EXCEPTIONS:
        return _import_without_variables(python, _VARIABLES_OF_IMPORTS, limit_seconds)
    crash = trial.crash
    if crash is None or crash.culprit is None or crash.kind == "torch":
        # A library of torch has refused to start, or has ended the process.
        is_of_torch = trial.outcome == "died" or trial.winerror is not None
        return _import_without_variables(python, _ALLOCATOR_VARIABLES, limit_seconds) if is_of_torch else None
    is_package = crash.kind == "package"
    try:
        child, answer = ask_guest(
            python,
            "import_alone" if is_package else "import_torch",
            *((crash.culprit,) if is_package else ()),
            time_limit_seconds=limit_seconds,
            # With the handler, an abort has another exit code, so both trials need it.
            options=FAULT_HANDLER if is_package else (*FAULT_HANDLER, *NO_STARTUP_CODE),
        )
    except ChildError:
        return None
    outcome = _name_outcome(child, answer or {})
    if outcome == "imported" and child.exit_code == 0:
        return SecondTrial("works")
    is_same = outcome == "died" and child.exit_code == trial.exit_code
    return SecondTrial("same" if is_same else "other", _describe_exit(child))


def _import_without_variables(
    python: str, variables: Iterable[str], limit_seconds: float
) -> SecondTrial | None:
    """Import torch without each of the variables that is set; return the first trial that works."""
    for variable in filter(os.environ.get, variables):
        try:
            child, answer = _import_torch(python, limit_seconds=limit_seconds, without=variable)
        except ChildError:
            return None
        if _name_outcome(child, answer or {}) == "imported":
            return SecondTrial("works", variable=variable)
    return None


def _use_cuda_without_variables(python: str, trial: CudaTrial, limit_seconds: float) -> SecondTrial | None:
    """Run the first kernel without each variable of CUDA that is set; return the first trial that works.

    A variable that hides every card of any computer is there to hide them.
    """
    if trial.kernel_ran or _OUT_OF_MEMORY in (trial.kernel_error or ""):
        return None
    for variable in filter(os.environ.get, _VARIABLES_OF_CUDA):
        if variable == VISIBLE_DEVICES and hides_every_gpu(os.environ[variable], None):
            continue
        try:
            child, answer = _import_torch(python, "cuda", limit_seconds=limit_seconds, without=variable)
        except ChildError:
            return None
        second = read_cuda(child, answer)
        if isinstance(second, CudaTrial) and second.kernel_ran:
            return SecondTrial("works", variable=variable)
    return None


def read_import(
    child: ChildResult, answer: Mapping[str, object], limit_seconds: float, import_path: tuple[str, ...]
) -> TorchImportTrial:
    """Return the import as a fact, from the way the child ended and the answer that it left."""
    outcome, output = _name_outcome(child, answer), child.stderr_tail
    has_survived = outcome == "raised" or child.exit_code == 0
    return TorchImportTrial(
        outcome=outcome,
        seconds=round_number(answer.get("seconds"), 3) or round(child.seconds, 3),
        time_limit_seconds=limit_seconds,
        version=text_or_none(answer.get("version")),
        file=text_or_none(answer.get("file")),
        exception_type=text_or_none(answer.get("exception_type")),
        exception_message=text_or_none(answer.get("exception_message")),
        winerror=int_or_none(answer.get("winerror")),
        traceback=text_or_none(answer.get("traceback")),
        exit_code=child.exit_code,
        exit_meaning=_describe_exit(child),
        private_bytes_before=_bytes_or_absent(answer.get("private_bytes_before")),
        private_bytes_after=_bytes_or_absent(answer.get("private_bytes_after")),
        stderr_tail=take_last_lines(remove_fault_stacks(output) if has_survived else output, 4000),
        crash=find_crash(output, import_path) if outcome == "died" else None,
    )


def _explain_unused_cuda(install: TorchInstall) -> str:
    return "using CUDA was not asked for" if install.cuda else "this torch is a build without CUDA"


def read_cuda(child: ChildResult, answer: Mapping[str, object] | None) -> CudaTrial | Absent:
    """Return the use of CUDA as a fact, from the way the child ended and the answer that it left."""
    cuda = (answer or {}).get("cuda")
    if not isinstance(cuda, dict):
        return Absent("torch could not be imported, so CUDA was not tried")
    stage = cuda.get("stage")
    failure = "hung" if child.exit_code is None else "died"
    return CudaTrial(
        outcome=str(stage) if stage in ("answered", "raised") else failure,
        seconds=round_number(cuda.get("seconds"), 3) or round(child.seconds, 3),
        available=bool_or_none(cuda.get("available")),
        device_count=int_or_none(cuda.get("device_count")),
        device_name=text_or_none(cuda.get("device_name")),
        capability=capability_or_none(cuda.get("capability")),
        architectures=_read_texts(cuda.get("architectures")),
        kernel_ran=cuda.get("kernel_ran") is True,
        kernel_error=text_or_none(cuda.get("kernel_error")),
        refusal=text_or_none(cuda.get("refusal")),
        error=text_or_none(cuda.get("error")),
        warnings=_read_texts(cuda.get("warnings")),
        exit_meaning=_describe_exit(child),
    )


def _describe_exit(child: ChildResult) -> str | None:
    if child.exit_code is None:
        return None
    return describe_exit(child.exit_code, is_windows=os.name == "nt")


def _read_texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _name_outcome(child: ChildResult, answer: Mapping[str, object]) -> str:
    stage = answer.get("stage")
    if stage in ("imported", "raised"):
        return str(stage)
    return "hung" if child.exit_code is None else "died"


def _bytes_or_absent(value: object) -> int | Absent:
    size = int_or_none(value)
    return Absent("the child did not report it") if size is None else size
