"""Render the list of checks as text, JSON and Markdown."""

from torchdoctor.engine.registry import Registry
from torchdoctor.engine.runner import find_skip_reason
from torchdoctor.facts import subject_of
from torchdoctor.renderers.json import dump


def render_text(registry: Registry, system: str) -> str:
    """Render the checks by family: severity, title, the facts they need, and whether they run here."""
    entries = registry.knowledge.entries
    rows = sorted((entries[check.name].family, check.name, check) for check in registry.checks)
    lines, current_family = [], ""
    for family, name, check in rows:
        entry = entries[name]
        if family != current_family:
            lines.append(family)
            current_family = family
        lines.append(f"  {name:<28} {entry.severity.value:<8} {entry.fill(entry.title, {})}")
        obstacle = find_skip_reason(check, entry, system)
        needs = ", ".join(subject_of(fact).replace("_", " ") for fact in check.facts)
        lines.append(f"      needs {needs}" + (f"; does not run here: {obstacle}" if obstacle else ""))
    return "\n".join(lines) + "\n"


def render_json(registry: Registry, system: str) -> str:
    """Render the checks as JSON: what they are, the facts they need, and why they do not run here."""
    entries = registry.knowledge.entries
    return dump(
        [
            {
                "name": check.name,
                "family": entries[check.name].family,
                "severity": entries[check.name].severity.value,
                "title": entries[check.name].fill(entries[check.name].title, {}),
                "summary": check.summary,
                "facts": [subject_of(fact) for fact in check.facts],
                "runs_here": find_skip_reason(check, entries[check.name], system) is None,
                "obstacle": find_skip_reason(check, entries[check.name], system),
                "module": check.module,
            }
            for check in registry.checks
        ]
    )


def render_markdown(registry: Registry) -> str:
    """Render the catalogue of checks in the README, a Markdown table."""
    entries = registry.knowledge.entries
    rows = sorted((entries[check.name].family, check.name) for check in registry.checks)
    lines = ["| family | check | severity | what it finds |", "|---|---|---|---|"]
    for family, name in rows:
        entry = entries[name]
        lines.append(f"| {family} | `{name}` | {entry.severity.value} | {entry.fill(entry.title, {})} |")
    return "\n".join(lines) + "\n"
