"""What a text states of an environment, as text and as data for JSON."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from torchdoctor.core.controls import strip_controls
from torchdoctor.readers import Conflict, Environment, Statement, Topic
from torchdoctor.readers.questions import Question
from torchdoctor.renderers.plain import wrap

if TYPE_CHECKING:
    from torchdoctor.report import Description

# How many packages a report names, and which first.
_MOST_PACKAGES = 8
_FIRST_PACKAGES = ("torch", "torchvision", "torchaudio", "numpy", "xformers", "triton", "triton-windows")
_SIZES = (Topic.MEMORY, Topic.GPU_MEMORY)
# The rows of the table: a heading, its topics, and how a value is written in it.
_ROWS: Mapping[str, Mapping[Topic, str]] = {
    "system": {
        Topic.SYSTEM: "{}",
        Topic.SYSTEM_VERSION: "{}",
        Topic.WINDOWS_BUILD: "build {}",
        Topic.MEMORY: "{} RAM",
    },
    "Python": {
        Topic.PYTHON: "{}",
        Topic.PYTHON_BITS: "{}-bit",
        Topic.PYTHON_ORIGIN: "of {}",
        Topic.PYTHON_EXECUTABLE: "{}",
        Topic.CONDA_PREFIX: "environment {}",
    },
    "torch": {
        Topic.TORCH: "{}",
        Topic.TORCH_CUDA: "CUDA {}",
        Topic.CUDA_AVAILABLE: "is_available: {}",
        Topic.ARCHITECTURES: "for {}",
    },
    "GPU": {
        Topic.GPU: "{}",
        Topic.GPU_MEMORY: "{}",
        Topic.GPU_CAPABILITY: "capability {}",
        Topic.GPU_MODEL: "{}",
        Topic.DRIVER: "driver {}",
        Topic.DRIVER_CUDA: "CUDA {} at most",
        Topic.TOOLKIT: "toolkit {}",
    },
    "packages": {Topic.PACKAGE: "{}", Topic.CONDA_PACKAGE: "{}"},
}


def render_description(description: "Description", width: int) -> list[str]:
    """Return what was read, what two lines state differently, and what to run to know more."""
    lines = render_conflicts(description.environment, width)
    lines += ["Read from the text", *render_statements(description.environment, width)]
    if description.question is not None:
        lines += wrap(describe_question(description.question), width, "  ", "")
    return lines


def render_conflicts(environment: Environment, width: int) -> list[str]:
    """Return a sentence for what two lines state differently."""
    return [
        line
        for conflict in environment.conflicts
        for line in wrap(f"Two lines differ: {strip_controls(conflict.describe())}.", width, "  ", "")
    ]


def render_statements(environment: Environment, width: int) -> list[str]:
    """Return a table of what was read from a text, with the numbers of the lines."""
    lines: list[str] = []
    for heading, values in describe_environment(environment):
        label = f"  {heading:<10}"
        lines += wrap(strip_controls(values), width, " " * len(label), label)
    return lines


def describe_environment(environment: Environment) -> Iterator[tuple[str, str]]:
    """Yield the heading and the values of each row of what was read from a text, with the line numbers."""
    for heading, forms in _ROWS.items():
        parts = list(_describe_row(environment, forms))
        if parts:
            yield heading, ", ".join(parts)


def _describe_row(environment: Environment, forms: Mapping[Topic, str]) -> Iterator[str]:
    """Yield the values of a row; a line number follows the last value of a line."""
    found = [each for topic in forms for each in environment.statements if each.topic is topic]
    rest = 0
    if Topic.PACKAGE in forms:
        found.sort(
            key=lambda each: _FIRST_PACKAGES.index(each.subject) if each.subject in _FIRST_PACKAGES else 99
        )
        rest = len(found) - _MOST_PACKAGES
        found = found[:_MOST_PACKAGES]
    for statement, following in zip(found, (*found[1:], None), strict=False):
        text = forms[statement.topic].format(_describe_value(statement))
        is_last = following is None or (following.line, following.is_printed) != (
            statement.line,
            statement.is_printed,
        )
        by_hand = "" if statement.is_printed else ", by hand"
        yield f"{text} (line {statement.line}{by_hand})" if is_last else text
    if rest > 0:
        yield f"and {rest} more"


def _describe_value(statement: Statement) -> str:
    if statement.topic in _SIZES:
        return f"{int(statement.value) / (1 << 30):.0f} GiB"
    if statement.topic in (Topic.PACKAGE, Topic.CONDA_PACKAGE):
        return f"{statement.subject} {statement.value}"
    return statement.value


def describe_question(question: Question) -> str:
    """Return a sentence that says what is not known and how to know it."""
    return (
        f"Not in the text: {question.unknown}. `{question.command}` prints it on that machine;"
        f" add its output to"
        " the text."
    )


def encode_environment(environment: Environment) -> dict[str, object]:
    """Return what was read as data for JSON."""
    return {
        "statements": list(_encode_statements(environment.statements)),
        "conflicts": [_encode_conflict(conflict) for conflict in environment.conflicts],
    }


def encode_question(question: Question | None) -> dict[str, str] | None:
    """Return a question as data for JSON."""
    return None if question is None else {"unknown": question.unknown, "command": question.command}


def _encode_statements(statements: Iterable[Statement]) -> Iterator[dict[str, object]]:
    for each in statements:
        yield {
            "topic": each.topic.value,
            "subject": each.subject,
            "value": each.value,
            "line": each.line,
            "printed": each.is_printed,
            "format": each.reader,
        }


def _encode_conflict(conflict: Conflict) -> list[dict[str, object]]:
    return list(_encode_statements((conflict.first, conflict.second)))
