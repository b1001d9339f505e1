"""Load the installed checks and the knowledge base; what cannot be loaded is reported, never fatal."""

import pkgutil
from collections.abc import Callable, Collection, Iterator

from torchdoctor.check import Check
from torchdoctor.core.record import record
from torchdoctor.engine.library import load_knowledge, load_knowledge_on_demand
from torchdoctor.engine.plugins import (
    Broken,
    Plugin,
    RegistryError,
    describe_exception,
    find_plugins,
    import_part,
)
from torchdoctor.knowledge import Entry, Knowledge

GROUP = "torchdoctor.checks"


@record
class Registry:
    """The checks sorted by name, the knowledge base, and what failed to load.

    `left_out` has the name of each check that was deliberately not loaded, and the reason.
    """

    checks: tuple[Check, ...]
    knowledge: Knowledge
    broken: tuple[Broken, ...]
    left_out: tuple[tuple[str, str], ...] = ()


def load_registry(
    find_skip_reason: Callable[[Entry], str | None] = lambda entry: None,
    knowledge: Knowledge | None = None,
    *,
    names: Collection[str] | None = None,
    loads_all_entries: bool = True,
) -> Registry:
    """Load every entry, and every check unless `find_skip_reason` returns a reason for its entry.

    A check that will be skipped is not imported, only listed: half of the modules of a scan are checks. The
    entries are not loaded again if a knowledge base is given. With `names`, there are no other checks.
    Without `loads_all_entries`, an entry of no check is parsed when it is asked for; a broken one is then
    missing.

    Raises:
        RegistryError: an entry-point group is empty; the installation is damaged.
    """
    broken_entries: tuple[Broken, ...] = ()
    entries_of_checks = None
    if knowledge is None and loads_all_entries:
        knowledge, broken_entries = load_knowledge()
    elif knowledge is None:
        knowledge, entries_of_checks, broken_entries = load_knowledge_on_demand()
    checks: dict[str, Check] = {}
    broken, left_out = list(broken_entries), dict[str, str]()
    for plugin in find_plugins(GROUP):
        for name, module in _find_modules(plugin, broken):
            if names is not None and name not in names:
                continue
            entry = knowledge.entries.get(name)
            if entry is not None and (reason := find_skip_reason(entry)):
                left_out[name] = reason
                continue
            check = _load_check(name, module)
            problem = check.reason if isinstance(check, Broken) else _find_problem(check, checks, knowledge)
            if isinstance(check, Check) and problem is None:
                checks[check.name] = check
            else:
                broken.append(Broken(check.name, problem or "unusable"))
    if not checks and not broken:
        raise RegistryError("no checks are installed; reinstall torchdoctor")
    if entries_of_checks is not None:
        broken = [*entries_of_checks.broken, *broken]
    ordered = tuple(checks[name] for name in sorted(checks))
    return Registry(ordered, knowledge, tuple(broken), tuple(sorted(left_out.items())))


def _find_problem(check: Check, checks: dict[str, Check], knowledge: Knowledge) -> str | None:
    if check.name in checks:
        return f"{check.module} repeats a check that {checks[check.name].module} has already"
    if check.name not in knowledge.entries:
        return f"{check.module} has no entry of this name in any knowledge base"
    return None


def _find_modules(plugin: Plugin, broken: list[Broken]) -> Iterator[tuple[str, str]]:
    """Yield the name and the module of each check of a plugin; if the plugin fails, add it to `broken`."""
    # A plugin is third-party code: report whatever it raises in one line, and go on with the next one.
    try:
        package = plugin.load()
        stems = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        failed = Broken(plugin.name, f"{plugin.package}: {describe_exception(error)}")
        # What cannot be read was named when the entries were looked for.
        if plugin.problem is None or failed not in broken:
            broken.append(failed)
        return
    for stem in stems:
        yield stem.replace("_", "-"), f"{package.__name__}.{stem}"


def _load_check(name: str, module_name: str) -> Check | Broken:
    try:
        module = import_part(module_name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Broken(name, f"{module_name}: {describe_exception(error)}")
    checks = [value for value in vars(module).values() if isinstance(value, Check)]
    own_checks = [check for check in checks if check.module == module.__name__]
    if [check.name for check in own_checks] != [name]:
        return Broken(name, f"{module_name} must hold one check, named {module_name.rpartition('.')[2]}")
    return own_checks[0]
