"""A package that torch requires is missing, or the copy that Python imports does not fit."""

import re
from collections.abc import Iterator, Sequence

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.copies import find_copies, is_in_user_site, is_on_pythonpath, name_module
from torchdoctor.domain.tracebacks import list_files
from torchdoctor.domain.versions import VersionError, parse_range
from torchdoctor.domain.windows_paths import is_below
from torchdoctor.facts import (
    Absent,
    CondaEnvironment,
    Distribution,
    Distributions,
    Interpreter,
    Requirement,
    TorchImportTrial,
    TorchRequirements,
)

# Old releases of torch require it, and import without it.
OPTIONAL = frozenset({"numpy"})
# The only one that `import torch` loads in torch 2.13; the others are loaded by optimizers or torch.compile.
LOADED_AT_ONCE = "typing_extensions"


@check
def torch_requirement_unmet(
    requirements: TorchRequirements,
    distributions: Distributions,
    interpreter: Interpreter,
    trial: TorchImportTrial | Absent,
    conda: CondaEnvironment | Absent,
) -> Iterator[Finding | Passed]:
    """Compare what torch's own metadata requires with what the interpreter would import."""
    required = [one for one in requirements.required if one.name.lower() not in OPTIONAL]
    missing = [one for one in required if one.folder is None and not distributions.find(one.name)]
    present = [one for one in required if one not in missing]
    findings = [
        *_report_missing(missing, trial),
        *(finding for one in present if (finding := _judge_copy(one, distributions, interpreter, trial))),
    ]
    summary = f"the {len(required)} requirements of torch and of its packages are met"
    if isinstance(conda, CondaEnvironment) and (conda.find("pytorch") or conda.find("libtorch")):
        # conda chooses the versions itself, and leaves the ranges of pip in the metadata.
        findings = [finding for finding in findings if finding.severity is Severity.ERROR]
        summary = "torch is conda's, which chose the versions of its packages"
    yield from findings
    if not findings:
        yield Passed(summary)


def _report_missing(missing: Sequence[Requirement], trial: TorchImportTrial | Absent) -> Iterator[Finding]:
    if not missing:
        return
    texts = list(dict.fromkeys(one.name + one.versions for one in missing))
    subject = (
        "a package that torch needs is" if len(texts) == 1 else f"{len(texts)} packages that torch needs are"
    )
    yield Finding(
        f"{subject} not installed: {', '.join(texts)}",
        evidence={"requirements": " ".join(f'"{text}"' for text in texts)},
        severity=max((_find_severity(one, trial) for one in missing), key=lambda severity: severity.rank),
        step="missing",
    )


def _judge_copy(
    one: Requirement,
    distributions: Distributions,
    interpreter: Interpreter,
    trial: TorchImportTrial | Absent,
) -> Finding | None:
    """Return a finding for a copy that does not fit, or that the import of torch fails in."""
    copies = find_copies(distributions, one.name, one.folder)
    fits = not copies or any(_fits(copy, one) for copy in copies)
    if fits and not _is_blamed(one, trial):
        return None
    folder = one.folder or copies[0].folder
    others = (copy for copy in distributions.find_all(one.name) if copy not in copies and _fits(copy, one))
    hidden = next(others, None)
    if is_on_pythonpath(folder, interpreter):
        step = "path"
    elif hidden and is_in_user_site(folder, interpreter):
        step = "user"
    else:
        step = "upgrade" if not fits else "release" if _is_pre_release(copies) else "again"
    return Finding(
        _describe(one, copies, hidden, fits=fits),
        evidence={"requirement": one.name + one.versions, "distribution": one.name, "path": folder},
        severity=_find_severity(one, trial),
        step=step,
    )


def _describe(
    one: Requirement, copies: Sequence[Distribution], hidden: Distribution | None, *, fits: bool
) -> str:
    label = f"{one.name} {copies[0].version}" if copies else f"{one.name}, with no record of its version,"
    if one.folder is None:
        return f"{label} is recorded in {copies[0].folder}, and its files are not there"
    if fits:
        kind = ", a pre-release," if _is_pre_release(copies) else ""
        return f"import torch fails in {label}{kind} in {one.folder}"
    hides = f", in place of {hidden.version} in {hidden.folder}" if hidden else ""
    return f"{label} is imported from {one.folder}{hides}; {one.required_by} requires {one.versions}"


def _is_pre_release(copies: Sequence[Distribution]) -> bool:
    return bool(copies) and re.search(r"\d(?:a|b|rc|\.dev)\d", copies[0].version) is not None


def _fits(copy: Distribution, one: Requirement) -> bool:
    try:
        return copy.version in parse_range(one.versions)
    except VersionError:
        # A version that cannot be read is not judged.
        return True


def _find_severity(one: Requirement, trial: TorchImportTrial | Absent) -> Severity:
    if isinstance(trial, Absent):
        return Severity.ERROR if name_module(one.name) == LOADED_AT_ONCE else Severity.WARNING
    return Severity.ERROR if _is_blamed(one, trial) else Severity.WARNING


def _is_blamed(one: Requirement, trial: TorchImportTrial | Absent) -> bool:
    """Return whether the import of torch failed in a package, by the message and by the last frame."""
    if isinstance(trial, Absent) or trial.outcome != "raised":
        return False
    module = name_module(one.name)
    if re.search(rf"'{re.escape(module)}(?:\.[\w.]+)?'", trial.exception_message or ""):
        return True
    if one.folder is None:
        return False
    innermost = [*list_files(trial.traceback or "")][-1:]
    place = f"{one.folder}\\{module}"
    return any(is_below(file, place) or is_below(file, f"{place}.py") for file in innermost)
