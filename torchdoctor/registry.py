"""The installed checks with the knowledge base; what cannot be loaded is reported, never fatal."""

import importlib
import pkgutil
from collections.abc import Iterator

from torchdoctor.check import Check
from torchdoctor.knowledge import Knowledge
from torchdoctor.library import load_knowledge
from torchdoctor.plugins import Broken, Plugin, RegistryError, find_plugins, tell
from torchdoctor.record import record

GROUP = "torchdoctor.checks"


@record
class Registry:
    """The checks by name with their entries, and whatever could not be loaded."""

    checks: tuple[Check, ...]
    knowledge: Knowledge
    broken: tuple[Broken, ...]


def load_registry() -> Registry:
    """Load every check and entry.

    Raises:
        RegistryError: an entry-point group is empty; the installation is damaged.
    """
    knowledge, broken_entries = load_knowledge()
    checks: dict[str, Check] = {}
    broken = list(broken_entries)
    for plugin in find_plugins(GROUP):
        for found in _load_checks(plugin):
            problem = found.reason if isinstance(found, Broken) else _problem(found, checks, knowledge)
            if isinstance(found, Check) and problem is None:
                checks[found.name] = found
            else:
                broken.append(Broken(found.name, problem or "unusable"))
    if not checks and not broken:
        raise RegistryError("no checks are installed; reinstall torchdoctor")
    return Registry(tuple(checks[name] for name in sorted(checks)), knowledge, tuple(broken))


def _problem(check: Check, checks: dict[str, Check], knowledge: Knowledge) -> str | None:
    if check.name in checks:
        return f"{check.module} repeats a check that {checks[check.name].module} has already"
    if check.name not in knowledge.entries:
        return f"{check.module} has no entry of this name in any knowledge base"
    return None


def _load_checks(plugin: Plugin) -> Iterator[Check | Broken]:
    # A plugin is foreign code: whatever it raises is its defect, told in one line, and nobody else's.
    try:
        package = plugin.load()
        names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    except Exception as error:
        yield Broken(plugin.name, tell(plugin.package, error))
        return
    for name in sorted(names):
        stem = name.replace("_", "-")
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
