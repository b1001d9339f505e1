"""Choose the checks that a scan runs, by name or family."""

from collections.abc import Iterable, Mapping

from torchdoctor.check import Check
from torchdoctor.core.usage import UsageError, suggest
from torchdoctor.engine.registry import Registry
from torchdoctor.facts import occurs_many_times


def select_checks(
    registry: Registry, select: Iterable[str], ignore: Iterable[str], others: Iterable[str] = ()
) -> tuple[Check, ...]:
    """Return the checks that are selected by name or family, without the ignored ones.

    The name "source" also stands for every check that reads only training code, whatever its family. `others`
    are names that may be selected, and are those of no check.

    Raises:
        UsageError: a name is neither a check nor a family, its check could not be loaded, or all that is
            selected is ignored.
    """
    names = list_names(registry)
    reasons = {broken.name: broken.reason for broken in registry.broken}
    known = {*others, *names, *(name for group in names.values() for name in group)}
    for name in sorted(_parse_names(select) | _parse_names(ignore)):
        if name in reasons:
            raise UsageError(f"{name} could not be loaded: {reasons[name]}")
        if name not in known:
            suggestion = suggest(name, known)
            raise UsageError(
                f"{name} is neither a check nor a family{suggestion or '; torchdoctor checks lists them'}"
            )
    chosen = tuple(check for check in registry.checks if is_selected(names[check.name], select, ignore))
    if registry.checks and not chosen and not any(is_selected((name,), select, ignore) for name in others):
        raise UsageError(
            "no check is left to run: all that are selected"
            f" ({', '.join(sorted(_parse_names(select))) or 'all'}) are ignored"
        )
    return chosen


def is_selected(names: Iterable[str], select: Iterable[str], ignore: Iterable[str]) -> bool:
    """Return whether what has these names is selected, or nothing is, and none of its names is ignored."""
    own, selected = set(names), _parse_names(select)
    return bool(not selected or own & selected) and not own & _parse_names(ignore)


def list_names(registry: Registry) -> Mapping[str, frozenset[str]]:
    """Return the names by which each check can be selected: its own, its family, and "source"."""
    return {check.name: frozenset(_names_of_check(check, registry)) for check in registry.checks}


def _names_of_check(check: Check, registry: Registry) -> set[str]:
    names = {check.name, registry.knowledge.entries[check.name].family}
    return names | {"source"} if all(map(occurs_many_times, check.facts)) else names


def _parse_names(names: Iterable[str]) -> set[str]:
    return {name.strip().replace("_", "-") for group in names for name in group.split(",") if name.strip()}
