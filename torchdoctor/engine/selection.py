"""Which checks a scan runs: those selected by name or family, less the ignored ones."""

from collections.abc import Iterable, Mapping

from torchdoctor.check import Check
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.registry import Registry
from torchdoctor.facts import occurs_many_times


def select_checks(registry: Registry, select: Iterable[str], ignore: Iterable[str]) -> tuple[Check, ...]:
    """Return the checks that are selected by name or family, less the ignored ones.

    A check that reads training code alone answers to "source" as well, whatever its family.

    Raises:
        UsageError: a name is neither a check nor a family.
    """
    families = {check.name: registry.knowledge.entries[check.name].family for check in registry.checks}
    selected, ignored = _read_names(select), _read_names(ignore)
    for name in (*selected, *ignored):
        if name not in families and name not in families.values():
            raise UsageError(f"{name} is neither a check nor a family; torchdoctor checks lists them")
    return tuple(
        check
        for check in registry.checks
        if (not selected or _find_names(check, families) & selected)
        and not _find_names(check, families) & ignored
    )


def _find_names(check: Check, families: Mapping[str, str]) -> set[str]:
    names = {check.name, families[check.name]}
    return names | {"source"} if all(map(occurs_many_times, check.facts)) else names


def _read_names(names: Iterable[str]) -> set[str]:
    return {name.strip().replace("_", "-") for group in names for name in group.split(",") if name.strip()}
