"""The installed knowledge bases, read into one."""

from collections.abc import Iterator
from importlib import resources
from importlib.metadata import EntryPoint

from torchdoctor.knowledge import Entry, EntryError, Knowledge, index_entries, parse_entry
from torchdoctor.plugins import Broken, RegistryError, find_plugins, tell

GROUP = "torchdoctor.knowledge"


def load_knowledge() -> tuple[Knowledge, tuple[Broken, ...]]:
    """Load every entry of every knowledge base.

    Raises:
        RegistryError: no knowledge base is installed.
    """
    entries: dict[str, Entry] = {}
    broken: list[Broken] = []
    for plugin in find_plugins(GROUP):
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


def _load_entries(plugin: EntryPoint) -> Iterator[Entry | Broken]:
    try:
        files = [file for file in resources.files(plugin.value).iterdir() if file.name.endswith(".md")]
    except Exception as error:
        yield Broken(plugin.name, tell(plugin.value, error))
        return
    for file in sorted(files, key=lambda file: file.name):
        name = file.name.removesuffix(".md").replace("_", "-")
        try:
            yield parse_entry(name, file.read_text(encoding="utf-8"))
        except EntryError as error:
            yield Broken(name, str(error))
        except (OSError, ValueError) as error:
            yield Broken(name, tell(file.name, error))
