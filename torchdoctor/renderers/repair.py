"""Render the plan of a repair, its steps as they run, and what came of it, as text or as JSON."""

from collections.abc import Iterator, Sequence

from torchdoctor.facts.codec import SCHEMA_VERSION
from torchdoctor.knowledge.commands import FILES, PACKAGES
from torchdoctor.renderers.json import dump
from torchdoctor.renderers.plain import style, wrap, wrap_markdown
from torchdoctor.repair.journal import RepairRecord
from torchdoctor.repair.plan import ManualStep, RepairPlan, RepairStep
from torchdoctor.repair.results import DECLINED, MENDED, RepairResult, StepResult, UndoResult
from torchdoctor.repair.running import describe_command, describe_lost, describe_moved

_INDENT = "   "
_CHANGES = {PACKAGES: "packages of this Python", FILES: "files"}
_VERDICTS = {
    "mended": "Mended: it is not found any more.",
    "unchanged": "Unchanged: it is still found.",
    "worse": "Worse than before.",
    "failed": "Failed.",
    "declined": "Left out.",
}


def render_plan(plan: RepairPlan, python: str, *, width: int = 80, colour: bool = False) -> str:
    """Render what would be done: for each step why, what it changes, and its commands."""
    count = f"{len(plan.steps)} step{'s' * (len(plan.steps) != 1)}"
    lines = [style(f"The plan for {python}: {count}", "strong", colour=colour)]
    for number, step in enumerate(plan.steps, 1):
        lines += ["", *_render_step(number, step, python, width, colour)]
    return "\n".join(lines) + "\n"


def render_step(
    number: int,
    step: RepairStep,
    python: str,
    *,
    is_planned: bool = True,
    width: int = 80,
    colour: bool = False,
) -> str:
    """Render a step that is about to run: in full, or only its commands if the plan has shown it."""
    if not is_planned:
        return "\n" + "\n".join(_render_step(number, step, python, width, colour)) + "\n"
    lines = [style(f"Step {number}: {step.name}", "strong", colour=colour)]
    lines += _render_commands(step, python, colour)
    return "\n" + "\n".join(lines) + "\n"


def _render_step(number: int, step: RepairStep, python: str, width: int, colour: bool) -> Iterator[str]:
    title = wrap(f"{step.title} ({step.name})", width, _INDENT, f"{number}. ")
    yield from (style(line, "strong", colour=colour) for line in title)
    for message in step.messages:
        yield from wrap(f"Seen: {message}", width, f"{_INDENT}  ", _INDENT)
    what = _CHANGES.get(step.subject, "a variable of your account")
    yield from wrap(
        f"Changes {what}; torchdoctor repair --undo brings them back.", width, f"{_INDENT}  ", _INDENT
    )
    yield from _render_commands(step, python, colour)


def _render_commands(step: RepairStep, python: str, colour: bool) -> Iterator[str]:
    for command in step.commands:
        yield style(f"{_INDENT}> {describe_command(command, python)}", "command", colour=colour)


def render_step_result(result: StepResult, *, width: int = 80, colour: bool = False) -> str:
    """Render what came of a step."""
    text = _VERDICTS[result.verdict]
    if result.reason:
        text += f" {result.reason[:1].upper()}{result.reason[1:]}."
    if result.new:
        text += f" Found now: {'; '.join(result.new[:3])}."
    if result.is_undone and result.verdict != "failed":
        text += " The step was taken back."
    if result.verdict != MENDED:
        text += f" What else there is to do: torchdoctor explain {result.step.name}"
    name = "ok" if result.verdict == MENDED else "warning"
    return "\n".join(style(line, name, colour=colour) for line in wrap(text, width, _INDENT)) + "\n"


def render_manual(number: int, step: ManualStep, *, width: int = 80, colour: bool = False) -> str:
    """Render a step that a person does."""
    lines = [
        style(line, "strong", colour=colour)
        for line in wrap(f"{step.title} ({step.name})", width, _INDENT, f"{number}. ")
    ]
    lines += wrap(f"Seen: {step.message}", width, f"{_INDENT}  ", _INDENT)
    lines += wrap_markdown(step.markdown, width, _INDENT, colour=colour)
    return "\n".join(lines) + "\n"


def render_result(result: RepairResult, *, width: int = 80, colour: bool = False) -> str:
    """Render what a repair did and what is left; for a dry run, the plan."""
    parts: list[str] = []
    if result.is_dry_run and result.plan.steps:
        parts.append(render_plan(result.plan, result.python, width=width, colour=colour))
    if result.manual:
        parts.append(_render_all_manual(result.manual, width, colour))
    parts.append("\n".join(_summarise(result, width, colour)) + "\n")
    return "\n".join(parts)


def _render_all_manual(steps: Sequence[ManualStep], width: int, colour: bool) -> str:
    head = style("What torchdoctor does not do by itself:", "strong", colour=colour)
    return "\n".join(
        [
            f"{head}\n",
            *(
                render_manual(number, step, width=width, colour=colour)
                for number, step in enumerate(steps, 1)
            ),
        ]
    )


def _summarise(result: RepairResult, width: int, colour: bool) -> Iterator[str]:
    if result.is_dry_run:
        text = (
            "Nothing was changed." if result.plan.steps else "There is nothing that torchdoctor would change."
        )
        yield from wrap(text, width, "")
        return
    if not result.results and not result.left and not result.manual:
        text = f"Nothing to mend: {result.python} was left as it is."
        if result.was_mended_by_person:
            text = f"Mended: nothing wrong is found in {result.python} any more."
        elif result.selected:
            text = (
                f"{', '.join(result.selected)}: nothing to mend in {result.python}, which was left as it is. "
                "The other checks were left out."
            )
        yield from wrap(text, width, "")
        return
    text = _count_mended(result)
    if left := [*result.left, *_list_unmended(result)]:
        text += f" Still found: {'; '.join(dict.fromkeys(left[:3]))}."
    if result.name is not None:
        text += _describe_undo(result)
    name = "warning" if result.exit_code else "ok"
    yield from (style(line, name, colour=colour) for line in wrap(text, width, ""))


def _describe_undo(result: RepairResult) -> str:
    """Return what `--undo` can do now, as a sentence; empty if there is nothing."""
    kept = [each for each in result.results if each.verdict != DECLINED and not each.is_undone]
    if not kept:
        return ""
    undo = f" torchdoctor repair --undo {result.name}"
    if any(each.reason is not None for each in kept):
        return f"{undo} tries again to bring back what was there."
    lost = [path for each in kept for path in each.lost]
    return f"{undo} brings everything {f'else back: {describe_lost(lost)}' if lost else 'back'}."


def _count_mended(result: RepairResult) -> str:
    mended = sum(len(each.step.findings) for each in result.results if each.verdict == MENDED)
    kept = any(each.verdict != DECLINED and (not each.is_undone or each.lost) for each in result.results)
    if not mended:
        return "Nothing was mended." if kept else "Nothing was changed."
    return f"Mended: {mended} problem{'s' * (mended > 1)}."


def _list_unmended(result: RepairResult) -> Iterator[str]:
    """Yield what was seen where a step did not help, or was left out."""
    for each in result.results:
        if each.verdict != MENDED:
            yield from each.step.messages


def render_undone(result: UndoResult, *, width: int = 80) -> str:
    """Render what was brought back."""
    text = (
        f"Undone: {result.name}. {result.returned} files came back, {result.removed} were taken away. "
        "What was wrong before this repair is so again."
    )
    lines = wrap(text, width, "") if not result.problems else []
    for folder in result.moved_to:
        moved = describe_moved(folder)
        lines += wrap(f"{moved[0].upper()}{moved[1:]}", width, "  ", "")
    lost = [describe_lost(result.lost)] if result.lost else []
    for problem in [*result.problems, *lost]:
        lines += wrap(f"not brought back: {problem}", width, "  ")
    return "\n".join(lines) + "\n"


def render_list(records: Sequence[RepairRecord], folder: str, *, width: int = 80) -> str:
    """Render the repairs that can be undone, and those that were."""
    if not records:
        return "There was no repair yet.\n"
    lines = [f"What is kept is in {folder}", ""]
    for each in records:
        if each.problem is not None:
            lines += wrap(f"{each.name}  {each.problem}", width, "  ", "")
            continue
        state = "undone" if each.is_undone else "cut off" if each.is_unfinished else "can be undone"
        state = state if each.steps else "changed nothing"
        steps = ", ".join(each.steps) or "no step"
        lines += wrap(
            f"{each.name}  {each.time.replace('T', ' ')}  {state}: {steps} ({each.python})", width, "  ", ""
        )
    return "\n".join(lines) + "\n"


def render_json(result: RepairResult, version: str) -> str:
    """Render a repair; schemas/repair.json describes the format."""
    return dump(
        {
            "schema_version": SCHEMA_VERSION,
            "torchdoctor": version,
            "id": result.name,
            "python": result.python,
            "dry_run": result.is_dry_run,
            "plan": [_encode_step(step, result.python) for step in result.plan.steps],
            "manual": [
                {
                    "name": step.name,
                    "title": step.title,
                    "message": step.message,
                    "severity": step.severity.value,
                    "reason": step.reason,
                    "fix": step.markdown,
                }
                for step in result.manual
            ],
            "results": [
                {
                    **_encode_step(each.step, result.python),
                    "verdict": each.verdict,
                    "ran": [{"command": ran.command, "exit_code": ran.exit_code} for ran in each.ran],
                    "new_errors": list(each.new),
                    "undone": each.is_undone and not each.lost,
                    "reason": each.reason,
                }
                for each in result.results
            ],
            "left": list(result.left),
            "refused": result.refused,
            "exit_code": result.exit_code,
        }
    )


def _encode_step(step: RepairStep, python: str) -> dict[str, object]:
    return {
        "name": step.name,
        "title": step.title,
        "findings": list(step.messages),
        "changes": step.subject,
        "commands": [describe_command(command, python) for command in step.commands],
        "fix": step.markdown,
    }
