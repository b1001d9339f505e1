"""The fix step for a finding, with what was observed on the machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PureWindowsPath

from torchdoctor.check import Finding
from torchdoctor.core.record import record
from torchdoctor.domain.releases import INDEXES
from torchdoctor.domain.remedies import is_of_micromamba
from torchdoctor.domain.requirements import describe_build
from torchdoctor.facts import (
    Absent,
    CondaEnvironment,
    Distributions,
    Facts,
    Interpreter,
    TorchInstall,
    TorchRecord,
)
from torchdoctor.facts.partial import Unobserved, find_value
from torchdoctor.knowledge import Knowledge
from torchdoctor.knowledge.builds import name_default_index, name_own_command
from torchdoctor.knowledge.commands import list_unfilled
from torchdoctor.knowledge.conda import write_for_conda
from torchdoctor.knowledge.harmless import keep_harmless
from torchdoctor.knowledge.interpreter import (
    PLAIN_PATH,
    QUOTABLE_PATH,
    add_pip_first,
    forget_lost_python,
    name_python,
)
from torchdoctor.knowledge.known_packages import keep_installed
from torchdoctor.knowledge.projects import add_project_lines, write_for_micromamba
from torchdoctor.knowledge.uv import write_for_project, write_for_uv
from torchdoctor.loader.plan import LoaderPlan


@record
class Advice:
    """The fix step for a finding, with the observed values filled in.

    `subject` is what its commands change, if they can be run as they are printed; `unfilled` are the fields
    in them for which nothing was observed. `step` is its tag, or the beginning of its words before values are
    filled in.
    """

    text: str
    subject: str = ""
    unfilled: tuple[str, ...] = ()
    step: str = ""


def find_advice(
    finding: Finding, name: str, knowledge: Knowledge, facts: Facts, plan: LoaderPlan | None = None
) -> Advice | None:
    """Return the fix step for a finding, with the observed values filled in; None without an entry.

    Its commands name the interpreter of the facts, and keep the build of its torch. A number of workers that
    it advises is at most that of the plan. The command that makes a change in the code stands first.
    """
    entry = knowledge.find(name)
    if entry is None:
        return None
    values = {**find_build(facts), **find_values(finding), **_find_planned_workers(finding, plan)}
    step = entry.find_step(finding.step, values)
    harmless = keep_harmless(values)
    text = entry.fill(step.text, values, harmless)
    unfilled = list_unfilled(step.text, harmless)
    if unfilled and INDEXES in step.text and (build := _find_build_on_no_index(facts)) is not None:
        return Advice(name_own_command(build), step=step.tag or step.text[:40])
    if finding.edit is not None:
        text = f"{_name_fix_command(finding, finding.edit.path, name)}{text}"
    elif reason := values.get("no_change"):
        text = f"`--fix` leaves this file as it is, because {reason}.\n\n   By hand: {text}"
    return Advice(fit_to_machine(facts, text), step.subject, unfilled, step.tag or step.text[:40])


def fit_to_machine(facts: Facts, text: str) -> str:
    """Return a step for this machine: packages that are there, the index of its torch, its own Python."""
    text = forget_lost_python(text)
    if _is_from_default_index(facts):
        text = name_default_index(text)
    text = keep_installed(text, facts)
    python = find_python(facts)
    has_pip, is_locked = _find_of_interpreter(facts, "has_pip"), _find_of_interpreter(facts, "has_uv_lock")
    conda = facts.get(CondaEnvironment)
    prefix = find_value(conda, "prefix") if isinstance(conda, CondaEnvironment) else None
    if isinstance(prefix, str):
        (text,) = write_for_conda((text,), _find_python_version(facts), PureWindowsPath(prefix).name)
        text = write_for_micromamba(text) if is_of_micromamba(prefix) else text
    installer = _find_installer(facts)
    if installer == "uv" and python is not None and not (has_pip is True and is_locked is False):
        text = (
            write_for_project(text, python) if is_locked else write_for_uv(text, python, is_locked=is_locked)
        )
    else:
        text = add_project_lines(text, installer)
        text = add_pip_first(text) if has_pip is False else text
    return text if python is None else name_python(text, python)


def _name_fix_command(finding: Finding, path: str, check_name: str) -> str:
    file = f"./{path}" if path.startswith("-") else path
    if not QUOTABLE_PATH.fullmatch(file):
        return (
            f"`torchdoctor scan --select {check_name} --fix` with the path of this file makes the change. "
            "A shell would read characters of the path as commands: quote it for your shell."
            "\n\n   By hand: "
        )
    file = file if PLAIN_PATH.fullmatch(file) else f'"{file}"'
    shows = "shows it first"
    if doubt := finding.evidence.get("doubt"):
        shows += f", or says that it is not made because {doubt}"
    return (
        f"Let torchdoctor make the change; `--diff` in place of `--fix` {shows}:\n\n"
        f"   ```text\n   torchdoctor scan {file} --select {check_name} --fix\n   ```\n\n   By hand: "
    )


def find_build(facts: Facts) -> Mapping[str, str]:
    """Return the values that keep the installed build of torch in commands; none if it is not known."""
    torch = facts.get(TorchInstall)
    if isinstance(torch, Absent) or isinstance(torch.version, Absent):
        return {}
    cuda = find_value(torch, "cuda")
    return {} if isinstance(cuda, Absent) else describe_build(torch.version, cuda)


def _find_build_on_no_index(facts: Facts) -> str | None:
    """Return the version of a torch that is on none of PyTorch's indexes, as AMD's builds; else None."""
    torch = facts.get(TorchInstall)
    if isinstance(torch, Absent) or isinstance(torch.version, Absent) or "+" not in torch.version:
        return None
    return None if find_build(facts) else torch.version


def _is_from_default_index(facts: Facts) -> bool:
    """Return whether the installed torch is the CPU build that pip takes from its own index on Windows.

    Its version has no local part there; on PyTorch's index it has: 2.6.0+cpu.
    """
    interpreter, distributions = facts.get(Interpreter), facts.get(Distributions)
    if not isinstance(interpreter, Interpreter) or isinstance(distributions, Absent):
        return False
    tag = find_value(interpreter, "platform_tag")
    is_cpu_build = find_build(facts).get("build_index", "cpu") == "cpu"
    if isinstance(tag, Absent) or not tag.startswith("win") or not is_cpu_build:
        return False
    try:
        found = (distributions.find(name) for name in ("torch", "~orch", "-orch"))
        installed = next((each for each in found if each is not None), None)
    except Unobserved:
        return False
    return installed is not None and "+" not in installed.version


def _find_of_interpreter(facts: Facts, name: str) -> bool | None:
    """Return a field of the interpreter, None if it is not known."""
    interpreter = facts.get(Interpreter)
    value = find_value(interpreter, name) if isinstance(interpreter, Interpreter) else None
    return value if isinstance(value, bool) else None


def _find_python_version(facts: Facts) -> str:
    """Return the version of the examined interpreter, "" if it is not known."""
    interpreter = facts.get(Interpreter)
    version = find_value(interpreter, "version") if isinstance(interpreter, Interpreter) else None
    return version if isinstance(version, str) else ""


def _find_installer(facts: Facts) -> str:
    """Return what has installed torch, as it says ("uv", "Poetry 1.8.2"); "" if it is not known."""
    record = facts.get(TorchRecord)
    installer = find_value(record, "installer") if isinstance(record, TorchRecord) else None
    return installer if isinstance(installer, str) else ""


def find_python(facts: Facts) -> str | None:
    """Return the path of the examined interpreter, None if it is not known."""
    interpreter = facts.get(Interpreter)
    executable = (
        find_value(interpreter, "executable") if isinstance(interpreter, Interpreter) else interpreter
    )
    return None if isinstance(executable, Absent) else executable


def find_values(finding: Finding) -> Mapping[str, str]:
    """Return what a finding has seen, as texts for the fields of an entry."""
    items = finding.evidence.items()
    return {key: str(value) for key, value in items if isinstance(value, (str, int, float))}


def _find_planned_workers(finding: Finding, plan: LoaderPlan | None) -> Mapping[str, str]:
    """Return the workers to advise: the most that the check accepts, at most those of the plan."""
    most_workers = finding.evidence.get("most_workers")
    if plan is None or not isinstance(most_workers, int):
        return {}
    return {"planned_workers": str(min(most_workers, plan.num_workers))}
