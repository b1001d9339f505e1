"""What a project requires of a machine: versions, CUDA, workers and commit; judged on facts."""

import re
from collections.abc import Callable, Iterator, Mapping

from torchdoctor.check import Finding, Severity
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.domain.commit import find_commit_room_bytes
from torchdoctor.domain.sizes import GIB, MIB, describe_bytes
from torchdoctor.domain.versions import VersionError, VersionRange, parse_range
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import (
    Absent,
    CudaTrial,
    Distributions,
    Facts,
    Interpreter,
    Memory,
    NvidiaDriver,
    TorchInstall,
)
from torchdoctor.facts.partial import Unobserved, find_value
from torchdoctor.loader.plan import LoaderPlan

# The entry with a step for each requirement; no check has its name.
ENTRY_NAME = "unmet-requirement"
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)\s*(GiB|MiB|GB|MB)", re.IGNORECASE)
_UNITS = {"gib": GIB, "mib": MIB, "gb": 10**9, "mb": 10**6}
_PYTHON_RELEASE = re.compile(r"3\.\d{1,2}")
_PACKAGE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?")


@record
class Requirement:
    """One requirement: its key, the package if the key is `packages`, and the wanted value as written."""

    key: str
    wanted: str
    package: str = ""


@record
class _Observation:
    """What was seen of a requirement, and whether it holds; "not known" does not hold."""

    holds: bool
    seen: str


def read_requirement(key: str, value: object) -> Iterator[Requirement]:
    """Yield the requirement of a key of REQUIREMENTS, or those of `packages`.

    Raises:
        UsageError: the value is none that the key can have.
    """
    if key != "packages":
        try:
            yield Requirement(key, REQUIREMENTS[key].read(value))
        except UsageError as error:
            raise UsageError(f"{key}: {error}") from None
        return
    if not isinstance(value, dict):
        raise UsageError('packages: a table belongs here, as in { numpy = "<2" }')
    for package, versions in value.items():
        if not _PACKAGE.fullmatch(package):
            raise UsageError(f"packages: {package!r} is no name of a package")
        try:
            yield Requirement(key, _read_versions(versions), package)
        except UsageError as error:
            raise UsageError(f"packages: {package}: {error}") from None


def find_unmet(requirements: tuple[Requirement, ...], facts: Facts, plan: LoaderPlan | None) -> Outcome:
    """Judge requirements on facts; what could not be observed is not shown to hold, and is a finding.

    `plan` is None if the facts do not allow one.
    """
    findings: list[Finding] = []
    passed: list[str] = []
    for requirement in requirements:
        try:
            observation = REQUIREMENTS[requirement.key].judge(requirement, facts, plan)
        except (Unobserved, VersionError) as error:
            observation = _unknown(str(error))
        if observation.holds:
            passed.append(f"{observation.seen}; required: {_describe(requirement)}")
            continue
        evidence = {"key": requirement.key, "wanted": requirement.wanted, "seen": observation.seen}
        if requirement.key in ("torch", "packages"):
            package = requirement.package or requirement.key
            evidence["requirement"] = f"{package}{requirement.wanted}".replace(" ", "")
        if release := _PYTHON_RELEASE.search(requirement.wanted if requirement.key == "python" else ""):
            evidence["python_release"] = release[0]
        findings.append(
            Finding(
                f"the project requires {_describe(requirement)}; {observation.seen}",
                evidence=evidence,
                severity=Severity.ERROR,
                step=requirement.key,
            )
        )
    status = "failed" if findings else "passed"
    return Outcome(ENTRY_NAME, status, Severity.ERROR, tuple(findings), tuple(passed))


def find_facts(requirements: tuple[Requirement, ...]) -> frozenset[type]:
    """Return the facts that judging the requirements needs."""
    return frozenset(fact for each in requirements for fact in REQUIREMENTS[each.key].facts)


def _unknown(reason: str) -> _Observation:
    return _Observation(False, f"that could not be observed, because {reason}")


def _read_versions(value: object) -> str:
    if isinstance(value, str) and value.strip():
        try:
            if parse_range(value).clauses:
                return value.strip()
        except VersionError:
            pass
    raise UsageError(f'{value!r} is no range of versions, such as ">=2.9" or ">=2.9,<2.14"')


def _read_cuda(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _read_versions(value)


def _read_workers(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1024:
        raise UsageError("a number of workers belongs here, as in 4")
    return str(value)


def _read_size(value: object) -> str:
    match = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise UsageError('a size belongs here, as in "8 GiB"')
    return match[0]


def _judge_version(version: object, wanted: str, what: str) -> _Observation:
    if isinstance(version, Absent):
        return _unknown(version.reason)
    versions: VersionRange = parse_range(wanted)
    return _Observation(str(version) in versions, f"{what} {version} is installed")


def _judge_torch(requirement: Requirement, facts: Facts, plan: LoaderPlan | None) -> _Observation:
    torch = facts.get(TorchInstall)
    if isinstance(torch, Absent):
        return _Observation(False, torch.reason)
    return _judge_version(torch.version, requirement.wanted, "torch")


def _judge_python(requirement: Requirement, facts: Facts, plan: LoaderPlan | None) -> _Observation:
    interpreter = facts.get(Interpreter)
    if isinstance(interpreter, Absent):
        return _unknown(interpreter.reason)
    return _judge_version(interpreter.version, requirement.wanted, "Python")


def _judge_package(requirement: Requirement, facts: Facts, plan: LoaderPlan | None) -> _Observation:
    distributions = facts.get(Distributions)
    if isinstance(distributions, Absent):
        return _unknown(distributions.reason)
    found = distributions.find(requirement.package)
    if found is None:
        return _Observation(False, f"{requirement.package} is not installed")
    return _judge_version(found.version, requirement.wanted, requirement.package)


def _judge_cuda(requirement: Requirement, facts: Facts, plan: LoaderPlan | None) -> _Observation:
    torch, trial = facts.get(TorchInstall), facts.get(CudaTrial)
    cuda = torch if isinstance(torch, Absent) else find_value(torch, "cuda")
    if cuda is None:
        return _Observation(requirement.wanted == "false", "this torch is built without CUDA")
    if requirement.wanted not in ("true", "false") and not isinstance(cuda, Absent):
        build = _judge_version(cuda, requirement.wanted, "torch with CUDA")
        if not build.holds:
            return build
    if isinstance(trial, Absent):
        return _unknown(trial.reason)
    works = trial.available is True and trial.kernel_error is None and trial.outcome == "answered"
    if works:
        seen = f"torch uses {trial.device_name or 'the GPU'}"
    else:
        reason = trial.kernel_error or trial.error or trial.exit_meaning or "torch finds no GPU"
        seen = f"torch cannot use CUDA here: {reason.partition(chr(10))[0]}"
    return _Observation(works != (requirement.wanted == "false"), seen)


def _judge_driver(requirement: Requirement, facts: Facts, plan: LoaderPlan | None) -> _Observation:
    driver = facts.get(NvidiaDriver)
    if isinstance(driver, Absent):
        return _unknown(driver.reason)
    if driver.state != "working" and isinstance(driver.version, Absent):
        return _Observation(False, f"the NVIDIA driver is {driver.state}")
    return _judge_version(driver.version, requirement.wanted, "NVIDIA driver")


def _judge_workers(requirement: Requirement, facts: Facts, plan: LoaderPlan | None) -> _Observation:
    if plan is None:
        return _unknown("the facts do not allow a loader plan")
    reason = plan.settings[0].reason
    seen = f"{plan.num_workers} workers are safe here ({reason})"
    return _Observation(plan.num_workers >= int(requirement.wanted), seen)


def _judge_headroom(requirement: Requirement, facts: Facts, plan: LoaderPlan | None) -> _Observation:
    memory = facts.get(Memory)
    if isinstance(memory, Absent):
        return _unknown(memory.reason)
    if not memory.commit_limit_enforced:
        return _Observation(True, "this system does not enforce its commit limit")
    room = find_commit_room_bytes(memory, reserved_share=0)
    if isinstance(room, Absent):
        return _unknown(room.reason)
    number, unit = _SIZE.fullmatch(requirement.wanted).groups()  # type: ignore[union-attr]
    wanted_bytes = int(float(number) * _UNITS[unit.lower()])
    return _Observation(room >= wanted_bytes, f"{describe_bytes(room)} of commit are free")


Judge = Callable[[Requirement, Facts, LoaderPlan | None], _Observation]


@record
class _Kind:
    """How a requirement is read, judged and named, and the facts that judging needs."""

    read: Callable[[object], str]
    judge: Judge
    facts: tuple[type, ...]
    description: str


REQUIREMENTS: Mapping[str, _Kind] = {
    "torch": _Kind(_read_versions, _judge_torch, (TorchInstall,), "torch {0.wanted}"),
    "python": _Kind(_read_versions, _judge_python, (Interpreter,), "Python {0.wanted}"),
    "packages": _Kind(_read_versions, _judge_package, (Distributions,), "{0.package} {0.wanted}"),
    "cuda": _Kind(_read_cuda, _judge_cuda, (TorchInstall, CudaTrial), "CUDA {0.wanted}"),
    "driver": _Kind(_read_versions, _judge_driver, (NvidiaDriver,), "NVIDIA driver {0.wanted}"),
    "workers": _Kind(_read_workers, _judge_workers, (), "{0.wanted} workers"),
    "commit-headroom": _Kind(_read_size, _judge_headroom, (Memory,), "{0.wanted} of free commit"),
}
_CUDA_WANTED = {"true": "CUDA", "false": "no CUDA"}


def _describe(requirement: Requirement) -> str:
    if requirement.key == "cuda" and requirement.wanted in _CUDA_WANTED:
        return _CUDA_WANTED[requirement.wanted]
    return REQUIREMENTS[requirement.key].description.format(requirement)
