"""Load the entries of all installed knowledge bases."""

from collections.abc import Callable, Iterator
from pathlib import Path

from torchdoctor.engine.plugins import Broken, Plugin, RegistryError, describe_exception, find_plugins
from torchdoctor.knowledge import Entry, Knowledge, index_entries, parse_entry
from torchdoctor.knowledge.bodies import EntryError

GROUP = "torchdoctor.knowledge"


def load_knowledge(parse: Callable[[str, str], Entry] = parse_entry) -> tuple[Knowledge, tuple[Broken, ...]]:
    """Load every entry of every knowledge base; with `parse_head` it is faster and does not read bodies.

    Raises:
        RegistryError: no knowledge base is installed.
    """
    entries: dict[str, Entry] = {}
    broken: list[Broken] = []
    for plugin in find_plugins(GROUP):
        for entry in _load_entries(plugin, parse):
            if isinstance(entry, Broken):
                broken.append(entry)
            elif entry.name in entries:
                broken.append(Broken(entry.name, f"{plugin.package} repeats an entry that exists already"))
            else:
                entries[entry.name] = entry
    if not entries and not broken:
        raise RegistryError("no knowledge base is installed; reinstall torchdoctor")
    return index_entries(entries.values()), tuple(broken)


def _load_entries(plugin: Plugin, parse: Callable[[str, str], Entry]) -> Iterator[Entry | Broken]:
    # A plugin is third-party code: report whatever it raises in one line, and go on with the next one.
    try:
        files = sorted(_read_files(plugin))
    except (Exception, SystemExit) as error:
        yield Broken(plugin.name, f"{plugin.package}: {describe_exception(error)}")
        return
    for file, content in files:
        name = file.removesuffix(".md").replace("_", "-")
        try:
            yield parse(name, content.decode("utf-8"))
        except EntryError as error:
            yield Broken(name, str(error))
        except ValueError as error:
            yield Broken(name, f"{file}: {describe_exception(error)}")


def _read_files(plugin: Plugin) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each Markdown file of a package, which may be in a zip file."""
    package = plugin.load()
    folder = Path(package.__path__[0])
    if folder.is_dir():
        yield from ((file.name, file.read_bytes()) for file in folder.glob("*.md"))
        return
    from importlib import resources

    for item in resources.files(package).iterdir():
        if item.name.endswith(".md"):
            yield item.name, item.read_bytes()
