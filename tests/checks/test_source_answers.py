"""What checks of training code say of all samples, and of each sample with one change, is in tests/answers/source.

    TORCHDOCTOR_ANSWERS=write python -m pytest tests/checks/test_source_answers.py

writes the files. A line with a change stands for a branch of the check or of what it asks: the sample without
a statement, with a name that is not known, or with another value is found, or is not.
"""

import ast
import functools
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import pytest

from torchdoctor.check import Check, Finding, Skip
from torchdoctor.engine.registry import load_registry
from torchdoctor.source import ConfigFile, SourceFile
from torchdoctor.source.files.configuration import read_settings
from torchdoctor.source.files.reading import parse_source
from torchdoctor.source.idioms.worker_numbers.options import read_options

TESTS = Path(__file__).parents[1]
REGISTRY = load_registry()
CHECKS = {check.name: check for check in REGISTRY.checks if {*check.facts} & {SourceFile, ConfigFile}}
ANSWERS = TESTS / "answers" / "source"
# A check may be without a file, until one is written.
NAMES = [
    name for name in CHECKS if (ANSWERS / f"{name}.txt").exists() or os.environ.get("TORCHDOCTOR_ANSWERS")
]
Compare = Callable[[str, Sequence[str]], None]
Change = tuple[str, str]
CODE = ("python", "py")
DEPTHS = json.loads((TESTS / "source" / "depths.json").read_text(encoding="utf-8"))
# More links than any analysis follows.
LONGEST = 30


def read_samples(name: str) -> Mapping[str, tuple[str, str]]:
    """Return the language and the text of the samples of a check, by their names."""
    folder, body = TESTS / "samples" / name.replace("-", "_"), REGISTRY.knowledge.entries[name].body
    files = {file.stem: ("python", file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.py"))}
    blocks = {
        f"entry-{kind}-{number}": (sample.language, sample.text)
        for kind in ("bad", "good")
        for number, sample in enumerate(getattr(body, kind), 1)
    }
    return files | blocks


@functools.cache
def read_idioms(name: str) -> Mapping[str, str]:
    """Return the programs in tests/source/idioms for a check, each after a line with its title.

    "(each line)" means that each line, and "(each paragraph)" that each paragraph, is a program with the head.
    """
    file = TESTS / "source" / "idioms" / f"{name}.txt"
    if not file.exists():
        return {}
    parts = re.split(r"^# (.+)\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    programs = {}
    for title, text in zip(parts[1::2], parts[2::2], strict=True):
        if "(each" not in title:
            programs[title] = text
            continue
        head, _, rest = text.partition("\n\n")
        ends = "\n" if "line)" in title else "\n\n"
        for part in filter(None, rest.strip("\n").split(ends)):
            programs[f"{title.partition(' (')[0]}: {part}"] = f"{head}\n\n{part}\n"
    return programs


@functools.cache
def read_programs() -> Mapping[str, str]:
    """Return the code of all samples, projects and idioms by their names."""
    programs = {
        f"{name} {sample}": text
        for name in CHECKS
        for sample, (language, text) in read_samples(name).items()
        if language in CODE
    }
    for file in sorted([*TESTS.glob("projects/**/*.py"), *TESTS.glob("zoo/*.py")]):
        programs[file.relative_to(TESTS).as_posix()] = file.read_text(encoding="utf-8")
    growth = json.loads((TESTS / "source" / "growth.json").read_text(encoding="utf-8"))
    for name, block in growth["blocks"].items():
        lines = [line.format(i=i, j=i + 1) for i in range(2) for line in block]
        inner = growth["inner_heads"].get(name, [])
        programs[f"growth {name}"] = "\n".join([*growth["head"], *inner, *lines, *growth["tail"], ""])
    return programs


def find_changes(text: str) -> Iterator[Change]:
    """Yield programs that differ from one in one place, each with a name for the difference."""
    yield "0:0 CRLF", text.replace("\n", "\r\n")
    yield "0:0 no last newline", text.rstrip("\n")
    raw = text.encode()
    starts = [0]
    for line in raw.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in walk(ast.parse(raw)):
        if not hasattr(node, "lineno"):
            continue
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        for label, new in change_node(node, raw[start:end].decode()):
            changed = (raw[:start] + new.encode() + raw[end:]).decode()
            if can_be_parsed(changed):
                yield f"{node.lineno}:{node.col_offset + 1} {label}", changed


def can_be_parsed(text: str) -> bool:
    try:
        return bool(ast.parse(text))
    except SyntaxError:
        return False


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree in their order; those in f-strings have no places before Python 3.12."""
    if not isinstance(node, ast.JoinedStr):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from walk(child)


def change_node(node: ast.AST, code: str) -> Iterator[tuple[str, str]]:
    """Yield a name and the new code for each change of a node; most keep the places of what follows."""
    match node:
        case ast.Constant(value=bool(value)):
            yield code, str(not value)
        case ast.Constant(value=int(value)) if code.isdigit():
            yield code, f"{int(not value)}".ljust(len(code))
        case ast.Constant(value=str()) if len(code) > 2 and not {"\n", "\\"} & {*code}:
            yield code[:30], f"{code[:-2]}_{code[-1]}"
        case ast.Name():
            yield code, rename(code)
        case ast.Attribute(attr=name):
            yield f".{name}", code[: -len(name)] + rename(name)
        case ast.keyword(arg=str(name)):
            yield f"{name}=", rename(name) + code[len(name) :]
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield f"def {name}", code.replace(name, rename(name), 1)
        case ast.Compare() | ast.BoolOp():
            yield "not", f"(not ({code}))"
        case ast.UnaryOp(op=ast.Not()):
            yield "no not", f"   {code[3:]}"
    if isinstance(node, ast.stmt):
        yield type(node).__name__, blank("pass", code)
    if isinstance(node, (ast.Constant, ast.Call, ast.Lambda, ast.Tuple, ast.List, ast.Dict)):
        yield (
            "?",
            f"({blank('_', code)[:-2]})" if "\n" in code else blank("_", code),
        )


def rename(name: str) -> str:
    return f"{name[:-1]}_" if len(name) > 1 else "_"


def blank(new: str, code: str) -> str:
    """Return the new code with blanks for the rest of the old one."""
    return new + "".join(each if each == "\n" else " " for each in code[len(new) :])


def change_setting(text: str) -> Iterator[Change]:
    """Yield configurations without one line, or with another number."""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        yield f"{number} left out", "\n".join(lines[: number - 1] + lines[number:])
        for found in re.finditer(r"\d+", line):
            changed = line[: found.start()] + ("1" if found[0] == "0" else "0") + line[found.end() :]
            yield f"{number} {found[0]}", "\n".join([*lines[: number - 1], changed, *lines[number:]])


@functools.lru_cache(maxsize=500)
def parse(text: str) -> object:
    """Return the parsed text; all checks are asked about the same programs."""
    return parse_source("sample.py", text.encode())


def answer(check: Check, language: str, text: str) -> list[str]:
    """Return what a check says of a text, a line each."""
    fact = parse(text) if language in CODE else read_settings(f"sample.{language}", text.encode())
    if check.facts == (ConfigFile,) and isinstance(fact, SourceFile):
        fact = read_options(fact) or ConfigFile("sample.py")
    if not isinstance(fact, check.facts):
        return [f"not read: {fact.reason}"] if not isinstance(fact, SourceFile | ConfigFile) else []
    lines = text.split("\n")
    try:
        return [describe(result, lines) for result in check.function(fact) if isinstance(result, Finding)]
    except Skip as skip:
        return [f"skipped: {skip}"]


def describe(finding: Finding, lines: Sequence[str]) -> str:
    """Return all that a finding has."""
    place = finding.location
    assert place is not None
    # Before Python 3.12, the parser gives what is in an f-string the place of the whole string.
    is_exact = not re.search(r"\b[rR]?f[rR]?[\"']", lines[place.line - 1])
    end = f"{place.column}-{place.end_line}:{place.end_column}" if is_exact else "?"
    parts = [f"{place.line}:{end} [{finding.step or ''}] {finding.message}"]
    if finding.severity:
        parts.append(finding.severity.value)
    if finding.bound:
        parts.append(f"{finding.bound.name} {finding.bound.workers}: {finding.bound.reason}")
    if finding.evidence:
        parts.append(json.dumps(finding.evidence, ensure_ascii=False))
    if finding.edit and is_exact:
        changes = [
            f"{find_place(each.start, lines)}-{find_place(each.end, lines)} {each.text!r}"
            for each in finding.edit.replacements
        ]
        parts.append(f"edit {', '.join(changes)}")
    return " | ".join(parts)


def find_place(offset: int, lines: Sequence[str]) -> str:
    """Return the line and column of an offset in a text."""
    before = "\n".join(lines)[:offset].split("\n")
    return f"{len(before)}:{len(before[-1]) + 1}"


def write_table(check: Check) -> Iterator[str]:
    """Yield the lines for the check's own samples, each with its changes, then for the others."""
    for name, (language, text) in read_samples(check.name).items():
        usual = answer(check, language, text)
        yield f"# {name}"
        yield from (f"  {line}" for line in usual)
        groups: dict[tuple[str, ...], list[str]] = {}
        for label, changed in find_changes(text) if language in CODE else change_setting(text):
            found = answer(check, language, changed)
            if found != usual:
                found = [line if line in usual else shorten(line) for line in found]
                new = tuple(line for line in found if line not in usual)
                gone = tuple(f"without {line.partition(' ')[0]}" for line in usual if line not in found)
                groups.setdefault((*gone, *new), []).append(label)
        for found, labels in groups.items():
            yield f"- {', '.join(join_labels(labels))}"
            yield from (f"    {line}" for line in found)
    for title, text in read_idioms(check.name).items():
        first, *others = title.split("\n")
        yield f"# {first} … {others[-1].strip()}" if others else f"# {first}"
        most = 200 if title.startswith("edits") else 40
        yield from (f"  {shorten(line, most)}" for line in answer(check, "python", text))
    yield from write_depths(check)
    if SourceFile in check.facts:
        own = {f"{check.name} {name}" for name in read_samples(check.name)}
        for name, text in read_programs().items():
            found = answer(check, "python", text) if name not in own else []
            if found:
                yield f"# {name}"
                yield from (f"  {shorten(line)}" for line in found)


def shorten(line: str, most: int = 60) -> str:
    """Return a finding without its bound and its evidence, and of its edit the beginning without places."""
    said, *rest = line.split(" | ")
    edit = (
        re.sub(r" '(?: *|\t)'|[0-9:-]+(?= ')", "", rest[-1]) if rest and rest[-1].startswith("edit") else ""
    )
    said = re.sub(r"-\d+:\d+(?= \[)|, outside a main guard", "", said)
    return f"{said} | {edit[:most]}" if edit else said


def join_labels(labels: Iterable[str]) -> Iterator[str]:
    """Yield each place once, with the names of all changes there."""
    for place, group in groupby(labels, key=lambda label: label.partition(" ")[0]):
        yield f"{place} {'|'.join(label.partition(' ')[2] for label in group)}"


def write_depths(check: Check) -> Iterator[str]:
    """Yield what is said of chains of each length: a beginning, links that refer to the one before, and an end."""
    chains = dict(DEPTHS.get(check.name, {}))
    head = chains.pop("head", "")
    for name, (start, link, end) in chains.items():
        groups: dict[str, list[int]] = {}
        for length in range(LONGEST):
            links = [
                start.format(),
                *(link.format(i=i, j=i - 1) for i in range(1, length + 1)),
                end.format(i=length),
            ]
            found = answer(check, "python", head + "\n".join(links) + "\n")
            said = " / ".join(
                re.sub(r"\d+", "N", line.partition(" | ")[0].partition("] ")[2]) for line in found
            )
            groups.setdefault(said or "-", []).append(length)
        for said, lengths in groups.items():
            yield f"# depth of {name} {min(lengths)}-{max(lengths)}, {len(lengths)}: {said}"


@pytest.mark.parametrize("name", NAMES)
def test_answers_to_samples_and_their_changes(name: str, compare_answers: Compare) -> None:
    compare_answers(f"source/{name}", list(write_table(CHECKS[name])))


def test_each_file_of_answers_is_of_a_check() -> None:
    assert {file.stem for file in ANSWERS.iterdir()} <= {*CHECKS}
