"""The list of checks."""

from torchdoctor.facts import subject_of
from torchdoctor.registry import Registry
from torchdoctor.renderers.json import dump


def render_text(registry: Registry) -> str:
    """Render one line a check, by family."""
    entries = registry.knowledge.entries
    rows = sorted((entries[check.name].family, check.name, entries[check.name]) for check in registry.checks)
    lines, shown = [], ""
    for family, name, entry in rows:
        if family != shown:
            lines.append(family)
            shown = family
        lines.append(f"  {name:<26} {entry.severity.value:<8} {entry.title}")
    return "\n".join(lines) + "\n"


def render_json(registry: Registry) -> str:
    """Render name, family, severity, title and needed facts of each check."""
    entries = registry.knowledge.entries
    return dump(
        [
            {
                "name": check.name,
                "family": entries[check.name].family,
                "severity": entries[check.name].severity.value,
                "title": entries[check.name].title,
                "summary": check.summary,
                "facts": [subject_of(fact) for fact in check.facts],
                "module": check.module,
            }
            for check in registry.checks
        ]
    )


def render_markdown(registry: Registry) -> str:
    """Render the catalogue that stands in the README."""
    entries = registry.knowledge.entries
    rows = sorted((entries[check.name].family, check.name) for check in registry.checks)
    lines = ["| family | check | severity | what it finds |", "|---|---|---|---|"]
    for family, name in rows:
        entry = entries[name]
        lines.append(f"| {family} | `{name}` | {entry.severity.value} | {entry.fill(entry.title, {})} |")
    return "\n".join(lines) + "\n"
