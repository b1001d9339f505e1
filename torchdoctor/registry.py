"""The installed checks with the knowledge base; what cannot be loaded is reported, never fatal."""

import importlib
import pkgutil
from collections.abc import Collection, Iterator

from torchdoctor.check import Check
from torchdoctor.knowledge import Knowledge
from torchdoctor.library import load_knowledge
from torchdoctor.plugins import Broken, Plugin, RegistryError, find_plugins, tell
from torchdoctor.record import record

GROUP = "torchdoctor.checks"


@record
class Registry:
    """The checks by name with their entries, whatever could not be loaded, and what was not wanted."""

    checks: tuple[Check, ...]
    knowledge: Knowledge
    broken: tuple[Broken, ...]
    left_out: tuple[str, ...] = ()


def load_registry(*, for_code: bool = True) -> Registry:
    """Load every check and entry.

    Checks that read training code are named and not loaded where there is none: their modules take a tenth
    of the time of a scan.

    Raises:
        RegistryError: an entry-point group is empty; the installation is damaged.
    """
    knowledge, broken_entries = load_knowledge()
    unwanted = frozenset() if for_code else frozenset(_find_code_checks(knowledge))
    checks: dict[str, Check] = {}
    broken, left_out = list(broken_entries), list[str]()
    for plugin in find_plugins(GROUP):
        for found in _load_checks(plugin, unwanted):
            if isinstance(found, str):
                left_out.append(found)
                continue
            problem = found.reason if isinstance(found, Broken) else _problem(found, checks, knowledge)
            if isinstance(found, Check) and problem is None:
                checks[found.name] = found
            else:
                broken.append(Broken(found.name, problem or "unusable"))
    if not checks and not broken:
        raise RegistryError("no checks are installed; reinstall torchdoctor")
    ordered = tuple(checks[name] for name in sorted(checks))
    return Registry(ordered, knowledge, tuple(broken), tuple(sorted(left_out)))


def _find_code_checks(knowledge: Knowledge) -> Iterator[str]:
    return (entry.name for entry in knowledge.entries.values() if entry.reads_code)


def _problem(check: Check, checks: dict[str, Check], knowledge: Knowledge) -> str | None:
    if check.name in checks:
        return f"{check.module} repeats a check that {checks[check.name].module} has already"
    if check.name not in knowledge.entries:
        return f"{check.module} has no entry of this name in any knowledge base"
    return None


def _load_checks(plugin: Plugin, unwanted: Collection[str]) -> Iterator[Check | Broken | str]:
    """Load the checks of a plugin; of an unwanted one give the name."""
    # A plugin is foreign code: whatever it raises is its defect, told in one line, and nobody else's.
    try:
        package = plugin.load()
        names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    except Exception as error:
        yield Broken(plugin.name, tell(plugin.package, error))
        return
    for name in sorted(names):
        stem = name.replace("_", "-")
        if stem in unwanted:
            yield stem
            continue
        try:
            module = importlib.import_module(f"{package.__name__}.{name}")
        except Exception as error:
            yield Broken(stem, tell(f"{package.__name__}.{name}", error))
            continue
        found = [value for value in vars(module).values() if isinstance(value, Check)]
        own = [check for check in found if check.module == module.__name__]
        if [check.name for check in own] == [stem]:
            yield own[0]
        else:
            yield Broken(stem, f"{module.__name__} must hold one check, named {name}")
