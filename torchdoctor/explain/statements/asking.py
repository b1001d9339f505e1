"""Ask for what would decide between the diagnoses of a text."""

from collections.abc import Sequence
from dataclasses import replace

from torchdoctor.knowledge import Entry
from torchdoctor.knowledge.interpreter import needs_no_quotes
from torchdoctor.knowledge.uv import is_environment_of_a_tool, write_reading_for_uv
from torchdoctor.readers import Environment, Topic
from torchdoctor.readers.questions import Part, Question, ask

# Where torch may be what cannot be imported, and so cannot be asked.
_IMPORTING = frozenset({"install", "dll"})
# Without evidence for a problem, only these are worth a question.
_ALWAYS_TELLING = frozenset({"torch", "gpu"})


def ask_what_decides(
    entries: Sequence[Entry], environments: Sequence[Environment], *, has_evidence: bool = True
) -> Question | None:
    """Return the question that would decide between entries; None if the environment does not decide."""
    wanted = {name for entry in entries for name in entry.decided_by}
    wanted &= wanted if has_evidence else _ALWAYS_TELLING
    environment = environments[0] if environments else None
    version = environment.find(Topic.TORCH) if environment is not None else None
    is_missing = version is not None and version.value == "missing"
    imports_torch = not is_missing and entries[0].family not in _IMPORTING
    return ask(
        environment, [part for part in Part if part.name.lower() in wanted], imports_torch=imports_torch
    )


def name_python(question: Question, python: str) -> Question:
    """Return a question whose command names a Python, where no shell could misread its path."""
    if not question.command.startswith("python ") or not needs_no_quotes(python):
        return question
    if is_environment_of_a_tool(python):
        written = write_reading_for_uv(question.command, python)
        if written != question.command:
            return replace(question, command=written)
    return replace(question, command=python + question.command.removeprefix("python"))
