"""Load the entries and programs of all installed knowledge bases."""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TypeVar

from torchdoctor.core.files import read_bytes
from torchdoctor.core.record import record
from torchdoctor.engine.entries_on_demand import EntriesOnDemand
from torchdoctor.engine.plugins import Broken, Plugin, RegistryError, describe_exception, find_plugins
from torchdoctor.knowledge import (
    Entry,
    Knowledge,
    Program,
    index_programs,
    parse_entry,
    parse_head,
    parse_program,
)
from torchdoctor.knowledge.bodies import EntryError

T = TypeVar("T")

GROUP = "torchdoctor.knowledge"
# The file that has all files of a knowledge base; the wheel is built with it.
_JOINED = "entries.json"
_PROGRAMS = "programs"


@record
class _Found:
    """An entry by its name, and what parses it."""

    name: str
    read: Callable[[], Entry | Broken]


def load_knowledge(parse: Callable[[str, str], Entry] = parse_entry) -> tuple[Knowledge, tuple[Broken, ...]]:
    """Load every entry of every knowledge base; with `parse_head` it is faster and does not read bodies.

    Raises:
        RegistryError: no knowledge base is installed, or none can be read.
    """
    entries, programs, broken = _find_parts(parse)
    parsed = dict(entries.items())
    broken += entries.broken
    if not parsed:
        raise _make_error(broken)
    return Knowledge(parsed, programs), tuple(broken)


def load_knowledge_on_demand() -> tuple[Knowledge, EntriesOnDemand, tuple[Broken, ...]]:
    """Find every entry; those of the doctor are parsed, and what is broken in them known, when asked for.

    Raises:
        RegistryError: no knowledge base is installed, or none can be read.
    """
    entries, programs, broken = _find_parts(parse_entry)
    if not entries:
        raise _make_error(broken)
    return Knowledge(entries, programs), entries, tuple(broken)


def _make_error(broken: Sequence[Broken]) -> RegistryError:
    reason = f"cannot be read ({broken[0].reason})" if broken else "is not installed"
    return RegistryError(f"the knowledge base {reason}; reinstall torchdoctor")


def _find_parts(
    parse: Callable[[str, str], Entry],
) -> tuple[EntriesOnDemand, tuple[Program, ...], list[Broken]]:
    readers: dict[str, Callable[[], Entry | Broken]] = {}
    programs: dict[str, Program] = {}
    broken: list[Broken] = []
    for plugin in find_plugins(GROUP):
        for part in _load_files(plugin, parse):
            if isinstance(part, Broken):
                broken.append(part)
            elif isinstance(part, Program):
                programs.setdefault(part.name, part)
            elif part.name in readers:
                broken.append(Broken(part.name, f"{plugin.package} repeats an entry that exists already"))
            else:
                readers[part.name] = part.read
    return EntriesOnDemand(readers), index_programs(programs.values()), broken


@cache
def load_heads() -> Knowledge:
    """Return the entries of the installed knowledge bases without bodies, which are read once a process.

    What is broken is left out.

    Raises:
        RegistryError: no knowledge base is installed, or none can be read.
    """
    return load_knowledge(parse_head)[0]


def _load_files(plugin: Plugin, parse: Callable[[str, str], Entry]) -> Iterator[_Found | Program | Broken]:
    # A plugin is third-party code: report whatever it raises in one line, and go on with the next one.
    try:
        files = sorted(_find_files(plugin).items())
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        yield Broken(plugin.name, f"{plugin.package}: {describe_exception(error)}")
        return
    for file, read in files:
        name = re.sub(rf"^{_PROGRAMS}/|\.\w+$", "", file).replace("_", "-")
        if file.startswith(_PROGRAMS):
            yield _load_part(name, file, read, parse_program)
        elif plugin.is_builtin:
            yield _Found(name, partial(_load_part, name, file, read, parse))
        else:
            # Whoever wrote it is told what is wrong with it, whatever is asked for.
            entry = _load_part(name, file, read, parse_whole)
            yield entry if isinstance(entry, Broken) else _Found(name, partial(_keep, entry))


def _keep(entry: Entry) -> Entry:
    return entry


def _load_part(
    name: str, file: str, read: Callable[[], str | bytes], parse: Callable[[str, str], T]
) -> T | Broken:
    try:
        content = read()
        return parse(name, content if isinstance(content, str) else content.decode("utf-8"))
    except EntryError as error:
        return Broken(name, str(error))
    except Exception as error:
        return Broken(name, f"{file}: {describe_exception(error)}")


def parse_whole(name: str, text: str) -> Entry:
    """Parse an entry of a third party, and try what is read of one of ours only when it is needed.

    Raises:
        EntryError: a part is missing or malformed.
    """
    entry = parse_entry(name, text)
    for symptom in entry.symptoms:
        try:
            re.compile(symptom.pattern or "")
            re.compile(symptom.beside or "")
            re.compile(symptom.without or "")
        except re.error as error:
            raise EntryError(f"{name}: head: a pattern is no regular expression: {error}") from error
    if not all(reference.isprintable() for reference in entry.references):
        raise EntryError(f"{name}: head: a reference has a control character")
    return entry


def _find_files(plugin: Plugin) -> Mapping[str, Callable[[], str | bytes]]:
    """Return what reads each file of a package, which may be in a zip file, by its name below the package.

    The wheel has those of the doctor in one file, which is read faster: the text of each by its name.
    """
    package = plugin.load()
    folder: str = package.__path__[0]
    if os.path.isdir(folder):
        names = _list_folder(folder)

        def read(name: str) -> bytes:
            return read_bytes(os.path.join(folder, name))

    else:
        from importlib import resources

        items = {item.name: item for item in resources.files(package).iterdir()}
        entry = items.get(_PROGRAMS)
        if entry is not None and entry.is_dir():
            items.update((f"{_PROGRAMS}/{item.name}", item) for item in entry.iterdir())
        names = list(items)

        def read(name: str) -> bytes:
            return items[name].read_bytes()

    if plugin.is_builtin and _JOINED in names:
        texts: Mapping[str, str] = json.loads(read(_JOINED))
        return {name: partial(texts.__getitem__, name) for name in texts}
    return {name: partial(read, name) for name in names if _is_known(name)}


def _list_folder(folder: str) -> list[str]:
    names = os.listdir(folder)
    if _PROGRAMS in names and os.path.isdir(os.path.join(folder, _PROGRAMS)):
        names += [f"{_PROGRAMS}/{name}" for name in os.listdir(os.path.join(folder, _PROGRAMS))]
    return names


def _is_known(name: str) -> bool:
    return name.endswith(".toml" if name.startswith(f"{_PROGRAMS}/") else ".md")
