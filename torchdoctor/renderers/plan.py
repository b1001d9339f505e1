"""Render the loader plan as text."""

from torchdoctor.loader.plan import LoaderPlan
from torchdoctor.renderers.plain import style, wrap


def render_plan(plan: LoaderPlan, width: int, *, colour: bool) -> list[str]:
    """Render the loader plan: each setting with its reason, then the bounds that are unknown."""
    lines = [style("Suggested DataLoader settings", "strong", colour=colour)]
    column = max(len(f"{setting.name}={setting.value}") for setting in plan.settings) + 2
    for setting in plan.settings:
        first = f"  {setting.name}={setting.value}".ljust(column + 2)
        lines += wrap(setting.reason, width, " " * (column + 2), first)
    for unknown in plan.unknown:
        lines += wrap(f"not known: {unknown}", width, "    ", "  ")
    return [*lines, *wrap("A script to paste: torchdoctor loader", width, "  ")]
