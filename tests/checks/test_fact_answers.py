"""What checks say of each sample of facts with one value changed is in tests/answers/facts.

    TORCHDOCTOR_ANSWERS=write python -m pytest tests/checks/test_fact_answers.py

writes the files. What a check says of the samples themselves is in the samples. A change that was listed before
with the same answer is only counted.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import pytest

from torchdoctor.check import Check, Finding
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import Outcome, run_check
from torchdoctor.facts.codec import decode_facts

TESTS = Path(__file__).parents[1]
REGISTRY = load_registry()
FOLDERS = {
    check.name: folder
    for check in REGISTRY.checks
    if any((folder := TESTS / "samples" / check.name.replace("-", "_")).glob("*.json"))
}
CHECKS = {check.name: check for check in REGISTRY.checks}
MOST_CHARACTERS = 70
ANSWERS = TESTS / "answers" / "facts"
# A check may be without a file, until one is written.
NAMES = [
    name for name in FOLDERS if (ANSWERS / f"{name}.txt").exists() or os.environ.get("TORCHDOCTOR_ANSWERS")
]
Compare = Callable[[str, Sequence[str]], None]


class Change(NamedTuple):
    """A name for a change of facts, the value as it is printed, and the facts."""

    name: str
    printed: str
    facts: object


def find_changes(value: object, path: str = "") -> Iterator[Change]:
    """Yield each change of a JSON value; 0 is the place of any item of a list."""
    match value:
        case bool():
            yield Change(f"{path}={not value}", "", not value)
        case int() | float():
            for number in dict.fromkeys((value - 1, value + 1, type(value)(0))):
                name = f"{path}=0" if number == 0 else f"{path}{number - value:+}"
                yield Change(name, str(number), number)
        case str():
            yield Change(f"{path}=other", "other", "other")
        case list():
            for index, item in enumerate(value):
                yield Change(f"{path} without one", "", value[:index] + value[index + 1 :])
                for name, printed, new in find_changes(item, f"{path}.0"):
                    yield Change(name, printed, [*value[:index], new, *value[index + 1 :]])
        case dict():
            for key, item in value.items():
                inner = f"{path}.{key}".lstrip(".")
                if key != "absent":
                    yield Change(f"{inner} unknown", "", value | {key: {"absent": "not known"}})
                for name, printed, new in find_changes(item, inner):
                    yield Change(name, printed, value | {key: new})


def answer(check: Check, facts: object) -> tuple[str, ...] | None:
    """Return what a check says of facts, or None if they cannot be read."""
    try:
        decoded = decode_facts({"schema_version": 1, "facts": facts})
    except UsageError:
        return None
    outcome = run_check(check, decoded, REGISTRY.knowledge.entries[check.name])
    return tuple(describe(outcome))


def describe(outcome: Outcome) -> Iterator[str]:
    """Yield all that a check said, a line each."""
    if outcome.reason:
        yield f"{outcome.status}: {outcome.reason}"
    yield from (describe_finding(finding) for finding in outcome.findings)
    yield from (f"passed: {message}" for message in outcome.passed)


def describe_finding(finding: Finding) -> str:
    assert finding.severity is not None
    parts = [f"{finding.severity.value} [{finding.step or ''}] {finding.message}"]
    if finding.bound:
        parts.append(f"{finding.bound.name} {finding.bound.workers}: {finding.bound.reason}")
    if finding.evidence:
        parts.append(json.dumps(finding.evidence, ensure_ascii=False))
    return " | ".join(parts)


def compare_with_usual(found: Sequence[str], usual: Sequence[str]) -> tuple[str, ...]:
    """Return the lines that are new; of those that are gone only how many."""
    new = tuple(shorten(line, usual) for line in found if line not in usual)
    return new if new else (f"{sum(line not in found for line in usual)} less",)


def shorten(line: str, usual: Sequence[str]) -> str:
    """Return the words of a line in which it differs from the most similar one, the first of them."""
    words = line.split(" ")
    marked = min((mark_new(words, other.split(" ")) for other in usual), key=len, default=line)
    return marked[:MOST_CHARACTERS]


def mark_new(words: Sequence[str], old: Sequence[str]) -> str:
    """Return words with one "…" for each run of old ones; those of another number have only old ends."""
    if len(words) == len(old):
        kept = [word if word != other else "…" for word, other in zip(words, old, strict=True)]
    else:
        start = count_alike(words, old)
        end = count_alike(words[start:][::-1], old[start:][::-1])
        kept = ["…"] * start + list(words[start : len(words) - end]) + ["…"] * end
    return " ".join(
        word for word, before in zip(kept, ["", *kept], strict=False) if (word, before) != ("…", "…")
    )


def count_alike(words: Sequence[str], others: Sequence[str]) -> int:
    """Return how many of the first words are the same."""
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(words, others, strict=False))])


def write_table(name: str) -> Iterator[str]:
    """Yield the changes of each sample that matter, by what the check says of them."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for file in sorted(FOLDERS[name].glob("*.json")):
        facts = json.loads(file.read_text(encoding="utf-8"))["facts"]
        usual = answer(CHECKS[name], facts)
        assert usual is not None
        groups: dict[tuple[str, ...], list[str]] = {}
        count = 0
        subjects = {"operating_system", *(fact.subject for fact in CHECKS[name].facts)}
        for change in find_changes({subject: fact for subject, fact in facts.items() if subject in subjects}):
            found = answer(CHECKS[name], change.facts)
            if found is None or found == usual:
                continue
            count += 1
            said = compare_with_usual(found, usual)
            if (change.name, said) not in seen and not is_only_printed(change, said):
                seen.add((change.name, said))
                groups.setdefault(said, []).append(change.name)
        yield f"# {file.stem}: {count}"
        yield from write_groups(groups)


def is_only_printed(change: Change, said: Sequence[str]) -> bool:
    """Return whether the new value is all that an answer has changed."""
    words = {word for line in said for word in line.split(" ")} - {"…"}
    return bool(change.printed) and all(change.printed in word for word in words)


def write_groups(groups: Mapping[tuple[str, ...], Sequence[str]]) -> Iterator[str]:
    for said, labels in groups.items():
        yield f"- {', '.join(labels)}: {said[0]}"
        yield from (f"    {line}" for line in said[1:])


@pytest.mark.parametrize("name", NAMES)
def test_answers_to_changed_samples(name: str, compare_answers: Compare) -> None:
    compare_answers(f"facts/{name}", list(write_table(name)))


def test_each_file_of_answers_is_of_a_check() -> None:
    assert {file.stem for file in ANSWERS.iterdir()} <= {*FOLDERS}
