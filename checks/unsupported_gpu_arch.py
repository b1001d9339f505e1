"""This torch has no code for the GPU's compute capability."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.capabilities import Capability
from torchdoctor.domain.cuda_builds import (
    NO_IMAGE,
    OLDEST_CAPABILITY,
    find_architectures,
    list_architectures,
)
from torchdoctor.domain.cuda_variants import Architectures
from torchdoctor.domain.gpus import VISIBLE_DEVICES
from torchdoctor.domain.remedies import Remedy, choose_remedy
from torchdoctor.facts import (
    Absent,
    CondaEnvironment,
    CudaTrial,
    DllClosure,
    EnvironmentVariables,
    Gpu,
    Interpreter,
    NvidiaDriver,
    OperatingSystem,
    TorchInstall,
)
from torchdoctor.facts.partial import find_value

# torch/cuda/__init__.py, _check_capability and _check_cubins.
_REFUSED = re.compile(r"CUDA capability sm_(\d{1,2})(\d) is not compatible with the current PyTorch")
# It is about the oldest card, and some releases print it without the values.
_TOO_OLD = "no longer supports this GPU"
# No build left out the first one again, and those up to the second one are only in older builds.
_IN_ALL_NEWER = (8, 0)
_DROPPED = (7, 0)
_RECENT = (10, 0)


@check
def unsupported_gpu_arch(
    system: OperatingSystem | Absent,
    torch: TorchInstall,
    driver: NvidiaDriver,
    trial: CudaTrial | Absent,
    interpreter: Interpreter | Absent,
    conda: CondaEnvironment | Absent,
    closure: DllClosure | Absent,
    variables: EnvironmentVariables | Absent,
) -> Iterator[Finding | Passed]:
    """Trust the result of a first kernel over any list; one unsupported GPU among several is no error."""
    # A build that lists architectures, or says that it lacks one, is one with CUDA, of whatever version.
    lists_architectures = isinstance(trial, CudaTrial) and bool(trial.architectures)
    refused = _find_refused(trial, driver)
    kernel = _read_kernel(trial)
    machine = _Machine(driver, interpreter, _find_release(torch), conda, closure)
    if not lists_architectures and not refused and not kernel.failed:
        if isinstance(find_value(torch, "cuda"), Absent):
            yield from _compare_with_all_builds(system, torch, machine)
            return
        if torch.cuda is None:
            yield Passed("this torch is built without CUDA")
            return
    gpus = _read_gpus(driver)
    # Of a text that names no system, the builds for Windows are looked at.
    is_windows = isinstance(system, Absent) or system.system == "windows"
    found = find_architectures(torch, trial, is_windows=is_windows)
    remedy = machine.choose_remedy() if is_windows else None
    is_known_to_lack = kernel.is_own or _is_of_few_builds(torch, gpus)
    if isinstance(found, Absent) and (refused or (kernel.failed and is_known_to_lack)):
        yield _report_unlisted(gpus, refused, remedy)
        return
    architectures, source = known(found)
    uncovered_gpus = [gpu for gpu in gpus if not _is_covered(gpu, architectures)]
    kernel_ran = isinstance(trial, CudaTrial) and trial.kernel_ran
    if not uncovered_gpus and kernel.failed and (lists_architectures or kernel.is_own):
        raise Skip(f"torch lists code for this GPU ({source}), and finds none; see cuda-not-available")
    if not uncovered_gpus:
        other = "; the code that found no kernel for it is another package's" if kernel.failed else ""
        yield Passed(f"{_describe_gpus(gpus)}: covered by {architectures.describe()} ({source}){other}")
    elif kernel_ran and len(gpus) == 1:
        yield Passed(f"{_describe_gpus(gpus)}: a first kernel ran")
    else:
        usable = [gpu for gpu in gpus if gpu not in uncovered_gpus]
        if is_windows and usable and _has_best(gpus, architectures):
            remedy = _leave_torch(usable, gpus, trial, variables)
        elif is_windows and usable and remedy is None:
            # No build has code for all: the best card counts.
            remedy = machine.choose_remedy([max(uncovered_gpus, key=_read_capability)])
        finding = _report_uncovered(
            uncovered_gpus, architectures, source, remedy, kernel_failed=kernel.failed
        )
        severity = Severity.NOTE if kernel_ran or usable else Severity.WARNING
        # The builds for another system can differ.
        is_guessed = isinstance(system, Absent) and not lists_architectures
        is_sure = severity is Severity.WARNING and not is_guessed
        is_certain = kernel.failed or (is_sure and not _can_compile(uncovered_gpus, architectures))
        yield replace(finding, severity=None if is_certain else severity)


class _Machine(NamedTuple):
    """What decides which torch a machine can have."""

    driver: NvidiaDriver
    interpreter: Interpreter | Absent
    release: str | None
    conda: CondaEnvironment | Absent
    closure: DllClosure | Absent

    def choose_remedy(self, gpus: Sequence[Gpu] = ()) -> Remedy | None:
        """Return the step that gives the GPUs, or some of them, a torch with code for them."""
        chosen = replace(self.driver, gpus=tuple(gpus)) if gpus else self.driver
        return choose_remedy(chosen, self.interpreter, self.release, self.conda, self.closure)


def _read_gpus(driver: NvidiaDriver) -> tuple[Gpu, ...]:
    """Return the GPUs of which one at least has a known capability; skips where there are none."""
    gpus = known(driver.gpus)
    if not gpus:
        raise Skip("the driver lists no GPU")
    if all(isinstance(gpu.compute_capability, Absent) for gpu in gpus):
        known(gpus[0].compute_capability)  # skips with the reason
    return gpus


def _compare_with_all_builds(
    system: OperatingSystem | Absent, torch: TorchInstall, machine: _Machine
) -> Iterator[Finding | Passed]:
    """Decide where the build is not known, if all CUDA builds of the release agree on the GPUs."""
    gpus = find_value(machine.driver, "gpus")
    gpus = () if isinstance(gpus, Absent) else gpus
    are_known = bool(gpus) and not any(isinstance(gpu.compute_capability, Absent) for gpu in gpus)
    is_windows = isinstance(system, Absent) or system.system == "windows"
    builds = list_architectures(torch) if are_known and is_windows else ()
    covered = {_is_covered(gpu, each) for gpu in gpus for each in builds}
    if len(covered) != 1:
        # Skips with the reason.
        known(find_value(torch, "cuda"))
        return
    if covered == {True}:
        described = f"covered by all CUDA builds of torch {machine.release} for Windows"
        yield Passed(f"{_describe_gpus(gpus)}: {described}")
    else:
        source = "no CUDA build of this release for Windows has more"
        finding = _report_uncovered(gpus, builds[-1], source, machine.choose_remedy(), kernel_failed=False)
        is_certain = not isinstance(system, Absent) and not any(_can_compile(gpus, each) for each in builds)
        yield replace(finding, severity=None if is_certain else Severity.WARNING)


class _Kernel(NamedTuple):
    """A first kernel: whether it found no code, and is no other package's, of which a text may tell."""

    failed: bool
    is_own: bool


def _read_kernel(trial: CudaTrial | Absent) -> _Kernel:
    if isinstance(trial, Absent):
        return _Kernel(failed=False, is_own=False)
    # The doctor's own trial knows its card.
    is_own = isinstance(find_value(trial, "capability"), tuple)
    return _Kernel(NO_IMAGE in (trial.kernel_error or ""), is_own)


def _read_capability(gpu: Gpu) -> Capability:
    return (0, 0) if isinstance(gpu.compute_capability, Absent) else gpu.compute_capability


def _has_best(gpus: Sequence[Gpu], architectures: Architectures) -> bool:
    """Return whether there is code for the newest of the cards, which is the one to compute on."""
    return _is_covered(max(gpus, key=_read_capability), architectures)


def _leave_torch(
    usable: Sequence[Gpu],
    gpus: Sequence[Gpu],
    trial: CudaTrial | Absent,
    variables: EnvironmentVariables | Absent,
) -> Remedy:
    """Return the step that keeps this torch, with the number of the card that it has code for.

    CUDA numbers the cards by its own order; torch has told the name of number 0. With a selection of cards,
    that is the number in the selection.
    """
    values = {"usable_gpus": ", ".join(gpu.name for gpu in usable)}
    first = find_value(trial, "device_name") if isinstance(trial, CudaTrial) else None
    names = [gpu.name for gpu in gpus]
    is_whole = isinstance(variables, EnvironmentVariables) and variables.find(VISIBLE_DEVICES) is None
    is_known = is_whole and not isinstance(find_value(variables, "values"), Absent)
    if is_known and len(set(names)) == len(names) == 2 and first in names:
        return Remedy("leave", {**values, "usable_number": "0" if first == usable[0].name else "1"})
    return Remedy("leave-ask", values)


def _report_uncovered(
    gpus: Sequence[Gpu],
    architectures: Architectures,
    source: str,
    remedy: Remedy | None,
    *,
    kernel_failed: bool,
) -> Finding:
    descriptions, supported = _describe_gpus(gpus), architectures.describe()
    return Finding(
        f"torch has no code for {descriptions}; it has {supported} ({source})",
        evidence={
            "gpus": descriptions,
            "supported_sm": supported,
            "kernel_failed": kernel_failed,
            **(remedy.values if remedy else {}),
        },
        step=remedy.step if remedy else _choose_step(gpus, architectures),
    )


def _find_release(torch: TorchInstall) -> str | None:
    version = find_value(torch, "version")
    return None if isinstance(version, Absent) else version.partition("+")[0]


def _find_refused(trial: CudaTrial | Absent, driver: NvidiaDriver) -> Capability | None:
    """Return the capability that torch warns about, that of the oldest card where it names none, or None."""
    warnings = find_value(trial, "warnings") if isinstance(trial, CudaTrial) else ()
    texts = () if isinstance(warnings, Absent) else warnings
    found = next(filter(None, map(_REFUSED.search, texts)), None)
    if found is not None:
        return int(found[1]), int(found[2])
    gpus = find_value(driver, "gpus")
    if isinstance(gpus, Absent) or not any(_TOO_OLD in text for text in texts):
        return None
    capabilities = (gpu.compute_capability for gpu in gpus)
    return min((each for each in capabilities if not isinstance(each, Absent)), default=None)


def _is_of_few_builds(torch: TorchInstall, gpus: tuple[Gpu, ...]) -> bool:
    """Return whether a known torch may well lack the code for each GPU: it is old, or newer than most."""
    return not isinstance(find_value(torch, "version"), Absent) and all(
        not isinstance(gpu.compute_capability, Absent)
        and (gpu.compute_capability < _DROPPED or gpu.compute_capability >= _RECENT)
        for gpu in gpus
    )


def _report_unlisted(gpus: tuple[Gpu, ...], refused: Capability | None, remedy: Remedy | None) -> Finding:
    """Report what torch itself says, where the architectures that it has are not known.

    The kernel that fails may be one of another package.
    """
    named = tuple(gpu for gpu in gpus if gpu.compute_capability == refused) or gpus
    descriptions = _describe_gpus(named)
    source = "its own warning" if refused else "a kernel failed"
    capability = refused or named[0].compute_capability
    step = None
    if not isinstance(capability, Absent):
        step = "newer" if capability >= _IN_ALL_NEWER else "older" if capability <= _DROPPED else None
    return Finding(
        f"torch has no code for {descriptions} ({source})",
        evidence={
            "gpus": descriptions,
            "kernel_failed": refused is None,
            **(remedy.values if remedy else {}),
        },
        severity=None if refused else Severity.WARNING,
        step=remedy.step if remedy else step,
    )


def _is_covered(gpu: Gpu, architectures: Architectures) -> bool:
    # A GPU whose capability could not be read is not reported.
    return isinstance(gpu.compute_capability, Absent) or architectures.covers(gpu.compute_capability)


def _choose_step(gpus: Sequence[Gpu], architectures: Architectures) -> str | None:
    capabilities = [gpu.compute_capability for gpu in gpus if not isinstance(gpu.compute_capability, Absent)]
    if not capabilities or not architectures.binary:
        return None
    if max(capabilities) < OLDEST_CAPABILITY:
        return "cpu"
    return "newer" if max(capabilities) > max(architectures.binary) else "older"


def _can_compile(gpus: Sequence[Gpu], architectures: Architectures) -> bool:
    """Return whether the driver may compile code for all of the GPUs, which is slow at best."""
    return all(
        not isinstance(gpu.compute_capability, Absent) and architectures.can_compile(gpu.compute_capability)
        for gpu in gpus
    )


def _describe_gpus(gpus: Sequence[Gpu]) -> str:
    return ", ".join(
        gpu.name
        if isinstance(gpu.compute_capability, Absent)
        else f"{gpu.name} ({gpu.compute_capability[0]}.{gpu.compute_capability[1]})"
        for gpu in gpus
    )
