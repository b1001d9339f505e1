"""Render a report or an explanation as Markdown to paste into an issue: short, with the details folded.

What was observed stands in code spans, in which GitHub and GitLab read no markup, names or references.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from torchdoctor.check import Finding
from torchdoctor.core.controls import strip_controls
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import Absent, Interpreter, NvidiaDriver, OperatingSystem, TorchInstall
from torchdoctor.facts.partial import find_value
from torchdoctor.renderers.blocks import Block, read_blocks, read_spans
from torchdoctor.renderers.outcomes import (
    describe_nothing_found,
    describe_place,
    describe_problem,
    list_broken,
    summarise,
)
from torchdoctor.renderers.wording import NOT_RECOGNISED, OF_PROGRAM, shorten_step
from torchdoctor.report import Report

if TYPE_CHECKING:
    from torchdoctor.explain.answer import Explanation
    from torchdoctor.knowledge import Entry
    from torchdoctor.report import Description

_BACKTICKS = re.compile("`+")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!&@$])")
# A person reads the first findings; the others are folded.
_SHOWN_FINDINGS = 3
_MOST_FINDINGS = 100
_MOST_LINES = 8


def render(report: Report) -> str:
    """Render the worst findings with their first steps, and the rest folded."""
    return _join_lines(_render_report(report))


def render_all(reports: Sequence[Report]) -> str:
    """Render several reports, each below a heading that names its source."""
    return "\n".join(
        f"## {write_code(report.source or 'this machine')}\n\n{render(report)}" for report in reports
    )


def render_explanation(explanation: "Explanation") -> str:
    """Render the diagnoses of an error text, the first one with its proof and its fix."""
    return _join_lines(_render_explanation(explanation))


def render_entry(entry: "Entry") -> str:
    """Render an entry of the knowledge base: its own Markdown."""
    return entry.fill(entry.markdown, {}).strip() + "\n"


def render_list(entries: "Iterable[Entry]") -> str:
    """Render the name and the title of entries as a list."""
    return "".join(f"- {entry.name}: {_write_inline(entry.fill(entry.title, {}))}\n" for entry in entries)


def _join_lines(lines: Iterable[str]) -> str:
    """Join lines, with at most one blank line between two others."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).strip() + "\n"


def _render_report(report: Report) -> Iterator[str]:
    findings = report.findings()
    shown: list[tuple[Outcome, Finding]] = []
    for outcome, finding in findings:
        if outcome.name not in {other.name for other, _ in shown} and len(shown) < _SHOWN_FINDINGS:
            shown.append((outcome, finding))
    yield f"**torchdoctor {report.version}**: {summarise(report)}"
    if not findings:
        nothing = "Nothing was examined: each check was skipped."
        yield from ("", nothing if report.examined_nothing else f"{describe_nothing_found(report)}.")
    for outcome, finding in shown:
        yield from ("", *_render_finding(report, outcome, finding))
    others = [pair for pair in findings if not any(pair[1] is finding for _, finding in shown)]
    if others:
        count = f"{len(others)} more finding{'s' * (len(others) > 1)}"
        yield from _fold(count, _list_findings(others))
    if broken := list_broken(report):
        yield from _fold(
            "The doctor's own failures", (f"- {write_code(n)}: {write_code(r)}" for n, r in broken)
        )
    if report.description is None:
        yield from _fold("The machine", _describe_machine(report))
    else:
        yield from _fold("Read from the text", _describe_text(report.description))
    passed = [
        f"- {each.name}{f': {write_code(seen)}' if (seen := '; '.join(each.observations)) else ''}"
        for each in report.outcomes_of("passed")
    ]
    skipped = [f"- {each.name}: {write_code(each.reason or '')}" for each in report.outcomes_of("skipped")]
    yield from _fold(f"{len(passed)} passed", passed)
    yield from _fold(f"{len(skipped)} skipped", skipped)


def _list_findings(findings: Sequence[tuple[Outcome, Finding]]) -> Iterator[str]:
    for outcome, finding in findings[:_MOST_FINDINGS]:
        level = (finding.severity or outcome.severity).value
        place = describe_place(finding)
        where = f"{write_code(place)}: " if place else ""
        yield f"- {level}, {outcome.name}: {where}{write_code(finding.message)}"
    if len(findings) > _MOST_FINDINGS:
        yield f"- and {len(findings) - _MOST_FINDINGS} more"


def _render_finding(report: Report, outcome: Outcome, finding: Finding) -> Iterator[str]:
    level = (finding.severity or outcome.severity).value
    problem = describe_problem(report, outcome, finding)
    is_message = problem == finding.message
    yield f"### {level}: {write_code(problem) if is_message else _write_inline(problem)}"
    yield ""
    place = describe_place(finding)
    seen = [write_code(place)] * bool(place) + [write_code(finding.message)] * (not is_message)
    if seen:
        yield from (f"{': '.join(seen)} ({outcome.name})", "")
    if relation := report.describe_relation(outcome.name, finding):
        yield f"{relation[0].upper()}{relation[1:]}."
        return
    advice = report.advise(outcome.name, finding)
    yield from _write_blocks("" if advice is None else advice.text)


def _render_explanation(explanation: "Explanation") -> Iterator[str]:
    if not explanation.has_answer and explanation.program_error is not None:
        error = explanation.program_error
        yield f"### {_write_inline(error.title)}"
        yield ""
        yield OF_PROGRAM
        yield ""
        yield from _quote([f"line {error.evidence.line}: {error.evidence.text}"])
        yield from _write_blocks(error.lead)
        yield from _write_steps(error.fix)
        return
    if not explanation.has_answer:
        yield f"**Not recognised.** {NOT_RECOGNISED}"
        if explanation.diagnoses:
            yield ""
            yield "It may be one of these, the first most likely:"
            yield ""
            for each in explanation.diagnoses:
                yield f"- {_write_inline(each.title)} ({each.name})"
                if each.fix:
                    yield ""
                    shown_lines = _write_blocks(shorten_step(each.fix[0]))
                    yield from (f"  {line}" if line else "" for line in shown_lines)
        if explanation.question is not None:
            question = explanation.question
            yield ""
            yield f"The output of {write_code(question.command)} would say {escape_text(question.unknown)}."
        return
    first, others = explanation.diagnoses[0], explanation.others
    yield f"### {_write_inline(explanation.headline)}"
    yield ""
    yield f"{first.confidence.value} ({first.name})"
    yield ""
    yield from _quote(f"line {each.line}: {each.text}" for each in first.evidence[:_MOST_LINES])
    yield from _write_blocks(first.lead)
    if explanation.question is not None:
        yield f"To be sure: the output of {write_code(explanation.question.command)}."
        yield ""
    yield from _write_steps(first.fix)
    if first.verify:
        yield from ("**Verify**", "", *_write_blocks(first.verify))
    if others:
        lines = [f"- {each.name} ({each.confidence.value}): {_write_inline(each.title)}" for each in others]
        yield from _fold("Also in this text", lines)


def _write_steps(steps: Iterable[str]) -> Iterator[str]:
    for number, step in enumerate(steps, 1):
        lines = list(_write_blocks(step))
        indent = " " * len(f"{number}. ")
        yield f"{number}. {lines[0] if lines else ''}"
        yield from (f"{indent}{line}" if line else "" for line in lines[1:])


def _quote(texts: Iterable[str]) -> Iterator[str]:
    lines = [strip_controls(text) for text in texts]
    if lines:
        yield from _fence("\n".join(lines), "text")
        yield ""


def _fold(summary: str, lines: Iterable[str]) -> Iterator[str]:
    body = list(lines)
    if body:
        yield from ("", f"<details><summary>{summary}</summary>", "", *body, "", "</details>")


def _describe_machine(report: Report) -> Iterator[str]:
    facts = report.whole_facts
    interpreter, torch = facts.get(Interpreter), facts.get(TorchInstall)
    system, driver = facts.get(OperatingSystem), facts.get(NvidiaDriver)
    if not isinstance(system, Absent):
        yield f"- system: {write_code(_join(system, 'system', 'version', 'machine'))}"
    if not isinstance(interpreter, Absent):
        python = f"{_join(interpreter, 'version')}, {_join(interpreter, 'bits')}-bit"
        yield f"- Python: {write_code(python)}, {write_code(_join(interpreter, 'executable'))}"
    if isinstance(torch, Absent):
        yield f"- torch: {write_code(torch.reason)}"
    else:
        yield f"- torch: {write_code(_join(torch, 'version'))}, CUDA {write_code(_join(torch, 'cuda'))}"
    if isinstance(driver, Absent):
        yield f"- NVIDIA driver: {write_code(driver.reason)}"
    else:
        yield f"- NVIDIA driver: {write_code(_join(driver, 'state', 'version'))}"
        gpus = find_value(driver, "gpus")
        for gpu in () if isinstance(gpus, Absent) else gpus:
            yield f"- GPU: {write_code(_join(gpu, 'name'))}"
    if report.known_plan is not None:
        workers, reason = report.known_plan.num_workers, report.known_plan.settings[0].reason
        yield f"- safe for a DataLoader: `num_workers={workers}` ({write_code(reason)})"


def _describe_text(description: "Description") -> Iterator[str]:
    for conflict in description.environment.conflicts:
        yield f"- two lines differ: {write_code(conflict.describe())}"
    for each in description.environment.statements:
        yield f"- {each.label}: {write_code(each.value)} (line {each.line})"
    if description.question is not None:
        question = description.question
        yield ""
        yield f"Not in the text: {question.unknown}. {write_code(question.command)} prints it."


def _join(value: object, *names: str) -> str:
    values = (find_value(value, name) for name in names)
    return " ".join(str(each) for each in values if not isinstance(each, Absent)) or "not known"


def _write_blocks(text: str) -> Iterator[str]:
    """Yield the lines of Markdown in which only the marks of the entry have a meaning."""
    for block in read_blocks(text):
        yield from _write_block(block)


def _write_block(block: Block) -> Iterator[str]:
    if block.language is not None:
        yield from (*_fence("\n".join(map(strip_controls, block.lines)), block.language), "")
        return
    if all(line.startswith("|") for line in block.lines):
        yield from (_write_inline(line, keeps="|-") for line in block.lines)
        yield ""
        return
    yield _write_inline(" ".join(block.lines))
    yield ""


def _write_inline(text: str, keeps: str = "") -> str:
    parts = []
    for span in read_spans(strip_controls(text)):
        if span.kind == "code":
            parts.append(write_code(span.text))
        elif span.kind == "strong":
            parts.append(f"**{escape_text(span.text)}**")
        elif span.kind == "link":
            parts.append(
                f"<{span.address}>"
                if span.text == span.address
                else f"[{escape_text(span.text)}]({span.address})"
            )
        else:
            parts.append(escape_text(span.text, keeps))
    return "".join(parts)


def escape_text(text: str, keeps: str = "") -> str:
    """Return a text of which Markdown shows every character."""
    text = _SPECIAL.sub(
        lambda match: match[1] if match[1] in keeps else f"\\{match[1]}", strip_controls(text)
    )
    # A code span is the only thing that keeps GitHub from linking a name.
    return text.replace("\\@", "`@`")


def write_code(text: str) -> str:
    """Return a text as a code span, in which GitHub and GitLab read nothing."""
    text = " ".join(strip_controls(text).split()) or " "
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _fence(text: str, language: str) -> tuple[str, ...]:
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return (f"{fence}{language}", *text.splitlines(), fence)
