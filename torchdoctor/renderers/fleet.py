"""Render what came of a fleet: as text, JSON and Markdown."""

import itertools
from collections.abc import Iterator

from torchdoctor.domain.sizes import describe_bytes
from torchdoctor.facts import Absent
from torchdoctor.facts.codec import SCHEMA_VERSION, encode
from torchdoctor.fleet.configurations import CommitRange, ConfigurationGroup
from torchdoctor.fleet.machine import LABELS, NONE, Configuration
from torchdoctor.fleet.names import describe_names
from torchdoctor.fleet.readiness import EQUAL_FIELDS
from torchdoctor.fleet.summary import FindingGroup, FleetReport
from torchdoctor.renderers.json import dump
from torchdoctor.renderers.markdown import escape_text, write_code
from torchdoctor.renderers.plain import style, wrap, wrap_markdown

_INDENT = "    "
# What fits on a screen; the other formats have all of it.
_MOST_UNEXAMINED = 10
_MOST_CONFIGURATIONS = 12
_MOST_NOTES = 5
_MOST_SICK = 10
_MOST_FINDINGS = 30
_LEVELS = (("error", "errors"), ("warning", "warnings"), ("note", "notes"))


def render(report: FleetReport, width: int, colour: bool) -> str:
    """Render a report as text: what is wrong on which machines, then what differs."""
    lines = list(_render(report, width, colour))
    return "\n".join(lines) + "\n"


def render_json(report: FleetReport) -> str:
    """Render the sums of a report; schemas/fleet.json describes the format. JSON lines have the machines."""
    data = {
        "schema_version": SCHEMA_VERSION,
        "torchdoctor": report.version,
        "taken_at": report.taken_at,
        "machines": report.count,
        "unexamined": {
            "count": report.unexamined_count,
            "first": [{"name": each.name, "problem": each.problem} for each in report.unexamined],
        },
        "levels": dict(report.levels),
        "findings": encode(report.findings),
        "configurations": encode(report.configurations),
        "other_configurations": encode(report.others),
        "commit_limit": encode(report.commit),
        "versions": [{"torchdoctor": name, "machines": encode(names)} for name, names in report.versions],
        "failures": [{"reason": name, "machines": encode(names)} for name, names in report.failures],
        "obstacles": encode(report.obstacles),
        "caveats": list(report.caveats),
        "is_ready_for_training": not report.obstacles,
    }
    return dump(data)


def render_markdown(report: FleetReport) -> str:
    """Render a report for an issue or a chat: the findings and what differs as tables."""
    lines = [f"**{summarise(report)}**", ""]
    if report.is_gate:
        reasons = [*(each.reason for each in report.obstacles), *list_caveats(report)]
        lines += [_prose(describe_gate(report)), "", *(f"- {_prose(each)}" for each in reasons), ""]
    if report.unexamined:
        lines += ["### Not examined", ""]
        lines += [
            f"- {write_code(each.name)}: {write_code(each.problem or '')}" for each in report.unexamined[:50]
        ]
        lines.append("")
    if report.findings:
        lines += ["### Findings", "", "| Severity | Problem | Machines | Seen |", "| --- | --- | --- | --- |"]
        for group in report.findings:
            seen = f"{_cell(group.example)}: {_cell(group.message)}"
            names = f"{group.machines.count:,}: {_cell(describe_names(group.machines))}"
            lines.append(
                f"| {group.severity} | {_cell(group.name)}: {_cell(group.title)} | {names} | {seen} |"
            )
        lines.append("")
    if report.configurations:
        lines += ["### Configurations", "", "| Machines | What they have |", "| --- | --- |"]
        for number, configuration in enumerate(report.configurations[:50]):
            names = f"{configuration.machines.count:,}: {_cell(describe_names(configuration.machines))}"
            what = describe_configuration(configuration, is_usual=not number)
            lines.append(f"| {names} | {_cell(what)} |")
    return "\n".join(lines).rstrip() + "\n"


def summarise(report: FleetReport) -> str:
    """Return a sentence: how many machines there are, and how they are."""
    counts = [(report.levels[level], text) for level, text in _LEVELS if report.levels[level]]
    parts = [f"{count:,} {'has' if count == 1 else 'have'} {text}" for count, text in counts]
    if report.levels["none"]:
        parts.append(f"{report.levels['none']:,} without findings")
    if report.unexamined_count:
        parts.append(f"{report.unexamined_count:,} not examined")
    machines = f"{report.count:,} machine{'s' * (report.count != 1)}"
    return f"{machines}: {', '.join(parts)}." if parts else f"{machines}."


def describe_gate(report: FleetReport) -> str:
    """Return a sentence that says whether all machines can train together."""
    if report.obstacles:
        count = len(report.obstacles)
        return f"Not ready for training: {count} reason{'s' * (count != 1)}."
    configuration = report.configurations[0].configuration
    # Without an obstacle, all of these are known.
    torch, cuda = configuration.torch, configuration.cuda
    numpy = str(configuration.numpy).partition(".")[0]
    build = "built without CUDA" if cuda == NONE else f"CUDA {cuda}"
    where = "on this one machine" if report.count == 1 else f"on all {report.count:,} machines"
    numpy = "no NumPy" if numpy == NONE else f"NumPy {numpy}"
    return f"Ready for training: torch {torch}, {build}, {numpy} {where}."


def list_caveats(report: FleetReport) -> Iterator[str]:
    """Yield sentences on what the verdict before training does not count."""
    yield from report.caveats
    differing = {each.field for group in report.configurations for each in group.differences if each.value}
    allowed = [label for name, label in LABELS.items() if name not in EQUAL_FIELDS and label in differing]
    if allowed:
        yield f"allowed to differ, and different: {', '.join(allowed)}"


def describe_configuration(group: ConfigurationGroup, *, is_usual: bool = False) -> str:
    """Return what a group has: everything, or what differs from the largest group."""
    if is_usual:
        parts = [f"{LABELS[name]} {value}" for name, value in _list_known(group.configuration)]
    else:
        parts = [f"{each.field} {each.value}" for each in group.differences if each.value is not None]
        unknown = [each.field for each in group.differences if each.value is None]
        parts += [f"not known: {', '.join(unknown)}"] if unknown else []
    parts += [f"required: {text}" for text in group.unmet]
    return "; ".join(parts) or ("nothing is known of them" if is_usual else "no difference that is known")


def describe_group(group: FindingGroup) -> str:
    """Return the title of a problem, or what was seen if another problem causes it."""
    return group.message if group.causes else group.title


def list_sick(report: FleetReport) -> Iterator[tuple[str, str]]:
    """Yield the machines with errors, and the titles of those that nothing else causes, worst first."""
    for machine in report.worst:
        errors = [each for each in machine.findings if each.severity == "error"]
        titles = dict.fromkeys(each.title or each.name for each in errors if not each.causes)
        if machine.problem is None and errors:
            yield machine.name, "; ".join(titles or dict.fromkeys(each.message for each in errors))


def _list_known(configuration: Configuration) -> Iterator[tuple[str, str]]:
    for name in LABELS:
        value = getattr(configuration, name)
        if not isinstance(value, Absent):
            yield name, value


def _render(report: FleetReport, width: int, colour: bool) -> Iterator[str]:
    yield from wrap(summarise(report), width, "")
    if report.is_gate:
        yield ""
        yield style(describe_gate(report), "error" if report.obstacles else "ok", colour=colour)
        for obstacle in report.obstacles:
            yield from wrap(obstacle.reason, width, _INDENT, "  - ")
        for caveat in list_caveats(report):
            yield from wrap(f"Note: {caveat}", width, _INDENT, "  ")
    if report.unexamined and not report.is_gate:
        yield from ("", style("Not examined", "error", colour=colour))
        for machine in report.unexamined[:_MOST_UNEXAMINED]:
            yield from wrap(f"{machine.name}: {machine.problem}", width, _INDENT, "  ")
        if report.unexamined_count > _MOST_UNEXAMINED:
            yield f"  and {report.unexamined_count - _MOST_UNEXAMINED:,} more"
    sick = list(itertools.islice(list_sick(report), _MOST_SICK))
    if len(sick) > 1:
        yield from ("", style("Go first to", "strong", colour=colour))
        for name, titles in sick:
            yield from wrap(f"{name}: {titles}", width, _INDENT, "  ")
        if report.levels["error"] > _MOST_SICK:
            yield f"  and {report.levels['error'] - _MOST_SICK:,} more with errors"
    if report.findings:
        yield from ("", style("What is wrong", "strong", colour=colour))
        yield from _render_findings(report, width, colour)
    if report.failures:
        yield from ("", style("The doctor's own failures", "warning", colour=colour))
        for reason, names in report.failures[:_MOST_NOTES]:
            yield from wrap(f"{describe_names(names)}: {reason}", width, _INDENT, "  ")
    if report.configurations:
        yield from _render_configurations(report, width, colour)
    for version, names in report.versions[:_MOST_NOTES]:
        yield ""
        yield from wrap(
            f"Observed by torchdoctor {version} (this is {report.version}): {describe_names(names)}",
            width,
            "",
        )


def _render_findings(report: FleetReport, width: int, colour: bool) -> Iterator[str]:
    notes = shown = 0
    for group in report.findings:
        if group.severity == "note":
            notes += 1
            if notes > _MOST_NOTES:
                continue
        shown += 1
        if shown > _MOST_FINDINGS:
            yield f"  and {len(report.findings) - _MOST_FINDINGS:,} more; --format html has them"
            return
        yield from _render_finding(group, report.count, width, colour)
    if notes > _MOST_NOTES:
        yield f"  and {notes - _MOST_NOTES} more notes; --format html has them"


def _render_finding(group: FindingGroup, count: int, width: int, colour: bool) -> Iterator[str]:
    indent = " " * 10
    head = style(f"  {group.severity:<8}", group.severity, colour=colour)
    lines = wrap(describe_group(group), width - len(indent), "")
    yield head + lines[0]
    yield from (f"{indent}{line}" for line in lines[1:])
    where = f"{group.machines.count:,} of {count:,}: {describe_names(group.machines)}"
    causes = f", a consequence of {', '.join(group.causes)}" if group.causes else ""
    yield from wrap(f"{where} ({group.name}{causes})", width, indent)
    if group.severity == "note" or group.causes:
        return
    if group.message != group.title:
        yield from wrap(f"{group.example}: {group.message}", width, indent)
    if group.severity == "error" and group.fix is not None:
        yield from wrap(f"First step on {group.example}:", width, indent)
        yield from wrap_markdown(group.fix, width, f"{indent}  ", colour=colour)
    else:
        yield from wrap(f"Its steps: torchdoctor explain {group.name}", width, indent)


def _render_configurations(report: FleetReport, width: int, colour: bool) -> Iterator[str]:
    first, *others = report.configurations
    yield from ("", style("What differs" if others else "What they have", "strong", colour=colour))
    where = f"{first.machines.count:,} of {report.count:,} ({describe_names(first.machines)})"
    what = describe_configuration(first, is_usual=True)
    yield from wrap(f"{where}: {what}", width, _INDENT, "  ")
    # The oddest come first.
    others.sort(key=lambda group: (-len(group.differences), group.machines.count, group.machines.first))
    for group in others[:_MOST_CONFIGURATIONS]:
        what = describe_configuration(group)
        yield from wrap(f"{describe_names(group.machines)}: {what}", width, _INDENT, "  ")
    if len(others) > _MOST_CONFIGURATIONS:
        yield f"  and {len(others) - _MOST_CONFIGURATIONS:,} more configurations; --format html has them"
    if report.others.count:
        yield f"  and {report.others.count:,} machines with more configurations; --format jsonl has them"
    if report.commit is not None and report.count > 1:
        yield from wrap(describe_commit(report.commit), width, _INDENT, "  ")


def describe_commit(commit: CommitRange) -> str:
    """Return the range of the commit limits as a sentence."""
    where = f"on {commit.count:,} machine{'s' * (commit.count != 1)}"
    if commit.lowest_bytes == commit.highest_bytes:
        return f"commit limit: {describe_bytes(commit.lowest_bytes)} {where}."
    return (
        f"commit limit {where}: from {describe_bytes(commit.lowest_bytes)} ({commit.lowest_machine}) to "
        f"{describe_bytes(commit.highest_bytes)} ({commit.highest_machine})."
    )


def _prose(text: str) -> str:
    """Return a text as a part of a paragraph."""
    return escape_text(" ".join(text.split()))


def _cell(text: str) -> str:
    """Return a text as a code span in a table."""
    return write_code(text).replace("|", "\\|")
