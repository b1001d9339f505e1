"""Entry points: where checks and knowledge bases, built-in and third-party, come from."""

from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points


class RegistryError(Exception):
    """The installation offers no checks or no entries at all."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A plugin, check module or entry that could not be used, and why, in one line."""

    name: str
    reason: str


def find_plugins(group: str) -> tuple[EntryPoint, ...]:
    """Give the entry points of a group, the built-in one first, so that nobody can take its names."""
    found = {(plugin.name, plugin.value): plugin for plugin in entry_points(group=group)}
    return tuple(found[key] for key in sorted(found, key=lambda key: (not _is_builtin(key[1]), key)))


def _is_builtin(value: str) -> bool:
    return value.startswith("torchdoctor.")


def tell(what: str, error: Exception) -> str:
    """Tell in one line what a plugin raised."""
    message = " ".join(str(error).split()) or "no message"
    return f"{what}: {type(error).__name__}: {message}"
