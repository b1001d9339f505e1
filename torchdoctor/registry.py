"""Finds checks and knowledge bases, built-in and third-party, through entry points."""

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from importlib.metadata import EntryPoint, entry_points

from torchdoctor.check import Check
from torchdoctor.knowledge import Entry, EntryError, Knowledge, index_entries, parse_entry

CHECKS_GROUP = "torchdoctor.checks"
KNOWLEDGE_GROUP = "torchdoctor.knowledge"


class RegistryError(Exception):
    """The installation offers no checks or no entries at all."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A plugin, check module or entry that could not be used, and why, in one line."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
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
    for plugin in _find_plugins(CHECKS_GROUP):
        for found in _load_checks(plugin):
            problem = found.reason if isinstance(found, Broken) else _problem(found, checks, knowledge)
            if isinstance(found, Check) and problem is None:
                checks[found.name] = found
            else:
                broken.append(Broken(found.name, problem or "unusable"))
    if not checks and not broken:
        raise RegistryError("no checks are installed; reinstall torchdoctor")
    return Registry(tuple(checks[name] for name in sorted(checks)), knowledge, tuple(broken))


def load_knowledge() -> tuple[Knowledge, tuple[Broken, ...]]:
    """Load every entry of every knowledge base.

    Raises:
        RegistryError: no knowledge base is installed.
    """
    entries: dict[str, Entry] = {}
    broken: list[Broken] = []
    for plugin in _find_plugins(KNOWLEDGE_GROUP):
        for found in _load_entries(plugin):
            if isinstance(found, Broken):
                broken.append(found)
            elif found.name in entries:
                broken.append(Broken(found.name, f"{plugin.value} repeats an entry that exists already"))
            else:
                entries[found.name] = found
    if not entries and not broken:
        raise RegistryError("no knowledge base is installed; reinstall torchdoctor")
    return index_entries(entries.values()), tuple(broken)


def _find_plugins(group: str) -> tuple[EntryPoint, ...]:
    # The built-in plugin first, so that a third party cannot take one of its names.
    found = {(plugin.name, plugin.value): plugin for plugin in entry_points(group=group)}
    return tuple(found[key] for key in sorted(found, key=lambda key: (not _is_builtin(key[1]), key)))


def _is_builtin(value: str) -> bool:
    return value.startswith("torchdoctor.")


def _problem(check: Check, checks: dict[str, Check], knowledge: Knowledge) -> str | None:
    if check.name in checks:
        return f"{check.module} repeats a check that {checks[check.name].module} has already"
    if check.name not in knowledge.entries:
        return f"{check.module} has no entry of this name in any knowledge base"
    return None


def _load_checks(plugin: EntryPoint) -> Iterator[Check | Broken]:
    # A plugin is foreign code: whatever it raises is its defect, told in one line, and nobody else's.
    try:
        package = plugin.load()
        names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    except Exception as error:
        yield Broken(plugin.name, _told(plugin.value, error))
        return
    for name in sorted(names):
        stem = name.replace("_", "-")
        try:
            module = importlib.import_module(f"{package.__name__}.{name}")
        except Exception as error:
            yield Broken(stem, _told(f"{package.__name__}.{name}", error))
            continue
        found = [value for value in vars(module).values() if isinstance(value, Check)]
        own = [check for check in found if check.module == module.__name__]
        if [check.name for check in own] == [stem]:
            yield own[0]
        else:
            yield Broken(stem, f"{module.__name__} must hold one check, named {name}")


def _load_entries(plugin: EntryPoint) -> Iterator[Entry | Broken]:
    try:
        files = [file for file in resources.files(plugin.value).iterdir() if file.name.endswith(".md")]
    except Exception as error:
        yield Broken(plugin.name, _told(plugin.value, error))
        return
    for file in sorted(files, key=lambda file: file.name):
        name = file.name.removesuffix(".md").replace("_", "-")
        try:
            yield parse_entry(name, file.read_text(encoding="utf-8"))
        except EntryError as error:
            yield Broken(name, str(error))
        except (OSError, ValueError) as error:
            yield Broken(name, _told(file.name, error))


def _told(what: str, error: Exception) -> str:
    message = " ".join(str(error).split()) or "no message"
    return f"{what}: {type(error).__name__}: {message}"
