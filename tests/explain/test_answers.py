"""What `explain` answers to all samples, and to each captured text with one change, is in tests/answers/explain.

    TORCHDOCTOR_ANSWERS=write python -m pytest tests/explain/test_answers.py

writes the files.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from torchdoctor.explain import Diagnosis, Explanation, explain
from torchdoctor.knowledge import Knowledge

FOLDER = Path(__file__).parents[1] / "samples" / "explain"
CAPTURES = {file.stem: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.txt"))}
VARIANTS = [json.loads(line) for line in (FOLDER / "variants.jsonl").read_text(encoding="utf-8").splitlines()]
# Of longer texts, no lines are left out.
MOST_LINES = 20
Compare = Callable[[str, Sequence[str]], None]
# Prefixes and endings that loggers, launchers and consoles add to each line.
DRESSES: Mapping[str, Callable[[str], str]] = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "a log": lambda text: re.sub("(?m)^", "2026-01-02 03:04:05,678 - ", text),
    "two times": lambda text: f"{text}\n{text}",
    "backwards": lambda text: "\n".join(reversed(text.split("\n"))),
    "one line": lambda text: " ".join(text.split()),
    "below other lines": lambda text: "loading\n" * 5 + text,
    "above other lines": lambda text: text + "\ndone" * 5,
    "indented": lambda text: re.sub("(?m)^", "    ", text),
    "doubled backslashes": lambda text: text.replace("\\", "\\\\"),
    "repr": lambda text: repr(text),
    "quoted": lambda text: re.sub("(?m)^", "> ", text),
    "UTF-16": lambda text: text.encode("utf-16"),  # type: ignore[return-value]
}


def describe(diagnosis: Diagnosis) -> str:
    """Return what tells one answer from another; of long values the end."""
    evidence = ",".join(str(line.line) for line in diagnosis.evidence)
    echoes = f" echoes {len(diagnosis.echoes)}" if diagnosis.echoes else ""
    values = "".join(f" {name}={value[-10:]}" for name, value in sorted(diagnosis.values.items()))
    return f"{diagnosis.name} {diagnosis.confidence.value} {evidence}{echoes}{values} ({len(diagnosis.fix)} steps)"


def list_answers(explanation: Explanation) -> tuple[str, ...]:
    if not explanation.diagnoses:
        return ("-",)
    first, *others = explanation.diagnoses
    return describe(first), *(f"{each.name} {each.confidence.value}" for each in others)


def name_diagnoses(explanation: Explanation) -> str:
    """Return the names and confidences of the answer, and the lines of its evidence."""
    return ", ".join(
        f"{each.name} {each.confidence.value} {'+'.join(str(line.line) for line in each.evidence)}"
        for each in explanation.diagnoses
    )


def find_changes(text: str) -> Iterator[tuple[str, str | bytes]]:
    """Yield texts that differ from one in one line, or in all."""
    lines = text.split("\n")
    for number in range(1, len(lines) if len(lines) <= MOST_LINES else 1):
        yield f"without {number}", "\n".join(lines[: number - 1] + lines[number:])
        yield f"to {number}", "\n".join(lines[:number])
        yield f"from {number}", "\n".join(lines[number - 1 :])
    yield from ((name, dress(text)) for name, dress in DRESSES.items())


def write_changes(text: str, knowledge: Knowledge) -> Iterator[str]:
    groups: dict[str, list[str]] = {}
    for name, changed in find_changes(text):
        groups.setdefault(name_diagnoses(explain(changed, knowledge)), []).append(name)
    for said, names in groups.items():
        yield f"- {', '.join(names)}: {said}"


def test_answers_to_variants(explain_sample: Callable[[str], Explanation], compare_answers: Compare) -> None:
    lines = [
        f"{case['id']} {line}" for case in VARIANTS for line in list_answers(explain_sample(case["text"]))
    ]
    compare_answers("explain/variants", lines)


@pytest.mark.parametrize("name", CAPTURES)
def test_answers_to_a_capture_and_its_changes(
    name: str, knowledge: Knowledge, compare_answers: Compare
) -> None:
    text = CAPTURES[name]
    compare_answers(
        f"explain/{name}", [*list_answers(explain(text, knowledge)), *write_changes(text, knowledge)]
    )
