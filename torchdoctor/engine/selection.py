"""Choose the checks that a scan runs, by name or family."""

from collections.abc import Iterable, Mapping

from torchdoctor.check import Check
from torchdoctor.core.usage import UsageError, suggest
from torchdoctor.engine.registry import Registry
from torchdoctor.facts import occurs_many_times


def select_checks(registry: Registry, select: Iterable[str], ignore: Iterable[str]) -> tuple[Check, ...]:
    """Return the checks that are selected by name or family, without the ignored ones.

    The name "source" also stands for every check that reads only training code, whatever its family.

    Raises:
        UsageError: a name is neither a check nor a family, or its check could not be loaded.
    """
    families = {check.name: registry.knowledge.entries[check.name].family for check in registry.checks}
    selected, ignored = _parse_names(select), _parse_names(ignore)
    reasons = {broken.name: broken.reason for broken in registry.broken}
    for name in sorted(selected | ignored):
        if name in reasons:
            raise UsageError(f"{name} could not be loaded: {reasons[name]}")
        if name not in families and name not in families.values():
            suggestion = suggest(name, {*families, *families.values()})
            raise UsageError(
                f"{name} is neither a check nor a family{suggestion or '; torchdoctor checks lists them'}"
            )
    return tuple(
        check
        for check in registry.checks
        if (not selected or _names_of_check(check, families) & selected)
        and not _names_of_check(check, families) & ignored
    )


def _names_of_check(check: Check, families: Mapping[str, str]) -> set[str]:
    names = {check.name, families[check.name]}
    return names | {"source"} if all(map(occurs_many_times, check.facts)) else names


def _parse_names(names: Iterable[str]) -> set[str]:
    return {name.strip().replace("_", "-") for group in names for name in group.split(",") if name.strip()}
