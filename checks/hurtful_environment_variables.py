"""Environment variables make torch slow, hide its GPUs or can cause wrong results."""

from collections.abc import Iterator
from dataclasses import replace

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.domain.crashes import find_culprit_variable
from torchdoctor.domain.gpus import VISIBLE_DEVICES, count_gpus, hides_every_gpu, names_gpu_twice
from torchdoctor.domain.tracebacks import find_failed_file
from torchdoctor.domain.versions import accepts
from torchdoctor.domain.windows_paths import is_below, normalise
from torchdoctor.facts import (
    Absent,
    CudaTrial,
    EnvironmentVariables,
    ImportShadows,
    Interpreter,
    NvidiaDriver,
    Processor,
    TorchImportTrial,
    TorchInstall,
)
from torchdoctor.facts.partial import find_value

# Releases whose Windows wheels were built without libuv (https://github.com/pytorch/pytorch/issues/139990).
WITHOUT_LIBUV = ">=2.4,<2.7"
# With 2, as with -OO, torch before 1.12 cannot be imported (https://github.com/pytorch/pytorch/pull/76619),
# nor can releases of torchaudio (https://github.com/pytorch/audio/pull/3884).
WITHOUT_DOCSTRINGS = 2
# The line of code that fails, the marks below it and the exception.
LAST_LINES = 3
THREAD_COUNT_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")
TRUE_VALUES = frozenset({"1", "true", "yes", "on"})
# Checks that compare the torch that gets imported with this Python and its packages.
CHECKS_OF_IMPORTED_TORCH = (
    "broken-torch-install",
    "numpy-abi-mismatch",
    "torchvision-mismatch",
    "unsupported-python-version",
)
SHADOWS_CHECK = "shadowed-or-partial-torch"


@check
def hurtful_environment_variables(
    variables: EnvironmentVariables,
    interpreter: Interpreter,
    processor: Processor | Absent,
    torch: TorchInstall | Absent,
    trial: TorchImportTrial | Absent,
    cuda_trial: CudaTrial | Absent,
    shadows: ImportShadows | Absent,
    driver: NvidiaDriver | Absent,
) -> Iterator[Finding | Passed]:
    """Report one finding for each variable; its severity depends on the effect, not on who set it."""
    values = known(variables.values)
    gpu_count = count_gpus(driver)
    findings = [
        finding
        for name, value in values
        if (
            finding := _judge_by_import(name, value.strip(), trial)
            or _judge_by_kernel(name, value.strip(), cuda_trial, gpu_count)
            or _judge(name, value.strip(), interpreter, processor, torch, trial, gpu_count)
        )
    ]
    for finding in findings:
        folder = finding.evidence.get("folder")
        yield replace(
            finding,
            step=_choose_step(
                str(finding.evidence["variable"]),
                variables,
                keeps_others=bool(finding.evidence.get("other_folders")),
            ),
            explains=() if folder is None else _find_consequences(str(folder), torch, shadows),
        )
    if not findings:
        yield Passed(f"no environment variable that causes problems is set; {len(values)} were looked at")


def _choose_step(name: str, variables: EnvironmentVariables, *, keeps_others: bool) -> str:
    """Return the step for where Windows keeps the variable; by default that for one console.

    Of a list of folders, only the one that hurts is taken out.
    """
    if not isinstance(variables.of_user, Absent) and name in variables.of_user:
        return "folder-permanent" if keeps_others else "permanent"
    if not isinstance(variables.of_machine, Absent) and name in variables.of_machine:
        return "folder-machine" if keeps_others else "machine"
    return "folder" if keeps_others else "variable"


def _judge(
    name: str,
    value: str,
    interpreter: Interpreter,
    processor: Processor | Absent,
    torch: TorchInstall | Absent,
    trial: TorchImportTrial | Absent,
    gpu_count: int | None,
) -> Finding | None:
    match name:
        case "KMP_DUPLICATE_LIB_OK" if value.lower() in TRUE_VALUES:
            return _describe(
                name, value, "lets two OpenMP runtimes work in one process, which can give wrong results"
            )
        case "CUDA_LAUNCH_BLOCKING" if value not in ("", "0"):
            return _describe(name, value, "runs one kernel at a time, which is slow and meant for debugging")
        case _ if name == VISIBLE_DEVICES and _uses_cuda(torch) and hides_every_gpu(value, gpu_count):
            return _describe(name, value, f"hides every GPU from torch{_name_numbers(value, gpu_count)}")
        case "PYTHONHOME" if value and not is_below(interpreter.application_folder, value):
            return _describe(
                name, value, f"is not the home of the Python in {interpreter.application_folder}"
            )
        case "PYTHONOPTIMIZE" if value.isdecimal() and int(value) >= WITHOUT_DOCSTRINGS:
            return _judge_docstrings(name, value, trial)
        case "PYTHONPATH":
            return _judge_python_path(name, value, interpreter, trial)
        case "USE_LIBUV" if value == "1" and _lacks_libuv(torch):
            return _describe(name, value, "asks for libuv, which this torch was built without", Severity.NOTE)
        case _ if name in THREAD_COUNT_VARIABLES:
            return _judge_threads(name, value, processor)
    return None


def _judge_by_import(name: str, value: str, trial: TorchImportTrial | Absent) -> Finding | None:
    """Report a variable without which the import of torch was seen to work."""
    if find_culprit_variable(trial) != name:
        return None
    exception = find_value(trial, "exception_type")
    effect = f"makes import torch raise {exception}" if isinstance(exception, str) else "ends import torch"
    return _describe(name, value, f"{effect}; without it, torch was imported", Severity.ERROR)


def _judge_by_kernel(
    name: str, value: str, trial: CudaTrial | Absent, gpu_count: int | None
) -> Finding | None:
    """Report a variable without which torch was seen to compute on the GPU."""
    if find_culprit_variable(trial) != name:
        return None
    said = next((line for text in _list_words(trial) for line in text.splitlines()), None)
    effect = f"keeps torch from computing on the GPU{f' ({said})' if said else ''}"
    if name == VISIBLE_DEVICES and hides_every_gpu(value, gpu_count):
        effect += _name_numbers(value, gpu_count)
    return _describe(name, value, f"{effect}; without it, a first kernel ran there", Severity.ERROR)


def _list_words(trial: CudaTrial | Absent) -> list[str]:
    """Return what torch says of a use of CUDA that failed."""
    values = (find_value(trial, name) for name in ("kernel_error", "error", "refusal"))
    return [value for value in values if isinstance(value, str)]


def _judge_docstrings(name: str, value: str, trial: TorchImportTrial | Absent) -> Finding:
    """Report that Python removes the docstrings: an error if the line that fails needs one."""
    traceback = "" if isinstance(trial, Absent) else find_value(trial, "traceback")
    if isinstance(traceback, str) and any("__doc__" in line for line in traceback.splitlines()[-LAST_LINES:]):
        return _describe(name, value, "removes the docstrings, which import torch needs", Severity.ERROR)
    effect = "removes docstrings and assertions, and packages that need them fail, such as torchaudio"
    return _describe(name, value, effect, Severity.NOTE)


def _name_numbers(value: str, gpu_count: int | None) -> str:
    """Return which numbers the GPUs have, if the value is another one, as the end of a sentence."""
    if names_gpu_twice(value):
        return ", because CUDA refuses a number that is there twice"
    if gpu_count is None or hides_every_gpu(value, None):
        return ""
    numbers = "the only one is number 0" if gpu_count == 1 else f"their numbers are 0 to {gpu_count - 1}"
    return f", because {numbers}"


def _judge_python_path(
    name: str, value: str, interpreter: Interpreter, trial: TorchImportTrial | Absent
) -> Finding | None:
    """Report a site-packages folder of another Python; a folder of the user's own modules is no problem.

    It is an error if the import of torch fails in that folder.
    """
    prefixes = (interpreter.prefix, interpreter.base_prefix, interpreter.user_base or interpreter.prefix)
    folders = [folder for folder in value.split(";" if interpreter.is_for_windows else ":") if folder]
    for folder in folders:
        is_site_packages = normalise(folder).endswith("\\site-packages")
        if is_site_packages and not any(is_below(folder, prefix) for prefix in prefixes):
            message = f"{name} brings in the packages of another Python: {folder}"
            failure = None if isinstance(trial, Absent) else find_failed_file(trial, folder)
            verdict = f"{message}; import torch fails in {failure}" if failure else message
            return Finding(
                verdict,
                evidence={
                    "variable": name,
                    "value": value,
                    "folder": folder,
                    "other_folders": len(folders) - 1,
                    "verdict": verdict,
                },
                severity=Severity.ERROR if failure else None,
            )
    return None


def _find_consequences(
    folder: str, torch: TorchInstall | Absent, shadows: ImportShadows | Absent
) -> tuple[str, ...]:
    """Return the checks that judge what is imported from a folder in place of what is installed."""
    package_folder = torch if isinstance(torch, Absent) else find_value(torch, "package_folder")
    if isinstance(package_folder, Absent) or not is_below(package_folder, folder):
        return ()
    found = shadows if isinstance(shadows, Absent) else find_value(shadows, "shadows")
    places = () if isinstance(found, Absent) else tuple(find_value(shadow, "path") for shadow in found)
    has_others = any(isinstance(place, Absent) or not is_below(place, folder) for place in places)
    return CHECKS_OF_IMPORTED_TORCH if has_others else (*CHECKS_OF_IMPORTED_TORCH, SHADOWS_CHECK)


def _judge_threads(name: str, value: str, processor: Processor | Absent) -> Finding | None:
    thread_count = value.partition(",")[0]
    if not thread_count.isdecimal() or isinstance(processor, Absent):
        return None
    if int(thread_count) > 2 * processor.logical_cores:
        return _describe(
            name, value, f"is more threads than {processor.logical_cores} logical cores can run at once"
        )
    if int(thread_count) == 1 and processor.logical_cores > 1:
        message = f"limits each process to one of {processor.logical_cores} logical cores"
        return _describe(name, value, message, Severity.NOTE)
    return None


def _uses_cuda(torch: TorchInstall | Absent) -> bool:
    return isinstance(torch, TorchInstall) and torch.cuda is not None


def _lacks_libuv(torch: TorchInstall | Absent) -> bool:
    version = torch if isinstance(torch, Absent) else torch.version
    return not isinstance(version, Absent) and accepts(WITHOUT_LIBUV, version)


def _describe(name: str, value: str, effect: str, severity: Severity | None = None) -> Finding:
    verdict = f"{name} is {value or 'empty'}: it {effect}"
    return Finding(
        verdict,
        evidence={"variable": name, "value": value, "verdict": verdict},
        severity=severity,
    )
