"""Explain what torch printed where its import, or the start of CUDA, failed on a machine."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from torchdoctor.advice import find_build
from torchdoctor.domain.crashes import find_culprit_variable
from torchdoctor.domain.gpus import is_wsl
from torchdoctor.domain.windows_paths import normalise
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import (
    Absent,
    CondaEnvironment,
    CudaTrial,
    EnvironmentVariables,
    Facts,
    Interpreter,
    NumpyBuild,
    OperatingSystem,
    TorchImportTrial,
)
from torchdoctor.knowledge import Knowledge
from torchdoctor.probes.python_choice import ACTIVATED

if TYPE_CHECKING:
    from torchdoctor.explain import Explanation


def explain_trial(facts: Facts, knowledge: Knowledge, outcomes: Iterable[Outcome]) -> "Explanation | None":
    """Explain what a failed import of torch, or start of CUDA, printed; None if that is not recognised.

    That CUDA is not available is explained if a check reports it, which it does where it knows no cause. A
    variable without which it works is the cause.

    The value `importing` or `starting` says which one it was.
    """
    trial, cuda = facts.get(TorchImportTrial), facts.get(CudaTrial)
    if find_culprit_variable(trial) or find_culprit_variable(cuda):
        return None
    if not isinstance(trial, Absent) and trial.outcome != "imported":
        ending = f"exit code {trial.exit_code}" if trial.exit_code is not None else ""
        raised = f"{trial.exception_type}: {trial.exception_message or ''}" if trial.exception_type else ""
        printed = "\n".join((trial.stderr_tail, trial.traceback or raised, ending))
        known = {"importing": "torch"}
    elif not isinstance(cuda, Absent) and (printed := _find_words(cuda, outcomes)):
        known = {"starting": "CUDA", **_find_layer(facts)}
    else:
        return None
    # Imported here: in most scans, both end well and nothing is explained.
    from torchdoctor.explain import explain

    explanation = explain(printed, knowledge, {**find_build(facts), **_describe_environment(facts), **known})
    return explanation if explanation.recognised else None


def _find_words(cuda: CudaTrial, outcomes: Iterable[Outcome]) -> str:
    """Return what torch says of a kernel that fails, or of CUDA that does not start; "" if it is explained.

    CUDA that does not start is passed over as well if no check reports it.
    """
    findings = [finding for outcome in outcomes for finding in outcome.findings]
    if any(finding.evidence.get("is_explained") for finding in findings):
        return ""
    if cuda.kernel_error:
        return cuda.kernel_error
    if cuda.available or all(finding.evidence.get("available", True) for finding in findings):
        return ""
    # The place in the sources of torch is one on the machine where it was built.
    texts = (cuda.error or "", *(cuda.warnings or (cuda.refusal or "",)))
    said = (text.partition(" (Triggered internally")[0] for text in texts)
    return "\n".join(text for text in said if "CUDA" in text or "cuda" in text)


def _find_layer(facts: Facts) -> dict[str, str]:
    system = facts.get(OperatingSystem)
    return {"in_wsl": "yes"} if not isinstance(system, Absent) and is_wsl(system) else {}


def _describe_environment(facts: Facts) -> dict[str, str]:
    """Return the folder of an activated conda environment, or the NumPy of an environment without conda.

    Then no step asks to activate what is activated, or for conda where there is none.
    """
    conda, interpreter, numpy = facts.get(CondaEnvironment), facts.get(Interpreter), facts.get(NumpyBuild)
    if isinstance(interpreter, Absent):
        return {}
    if isinstance(conda, Absent):
        return {} if isinstance(numpy, Absent) else {"numpy_of_pip": numpy.version.partition("+")[0]}
    variables, reason = facts.get(EnvironmentVariables), interpreter.chosen_because
    named = None if isinstance(variables, Absent) else variables.find("CONDA_PREFIX")
    is_chosen = not isinstance(reason, Absent) and reason.startswith(ACTIVATED)
    is_named = named is not None and normalise(named) == normalise(conda.prefix)
    return {"activated_prefix": conda.prefix} if is_chosen or is_named else {}
