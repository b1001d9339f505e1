"""Deciding from a file's bytes, before parsing it, whether a source check can find anything in it."""

import re
from collections.abc import Callable, Iterable

from torchdoctor.check import Words
from torchdoctor.source.module.project import Project

# The line feed is found faster than the start of a line.
_WORK = re.compile(
    rb"\n(?:(?:for|while|with) |(?!def |class |import |from |if |elif |assert )(?=[A-Za-z_])[^\n]*"
    rb"\b(?:fit|train|run|main|test|eval|solve|launch|learn|valid)\w*\()"
)
# Classes that are derived from what may make loaders, and imports of all names.
_DERIVED = re.compile(
    rb"\n(?:class \w+\([^)\n]*(?:rainer|unner|gent|olver|earner|ngine|oader|odule|xperiment|Base)"
    rb"|from [^\n#]* import \*)"
)


def make_filter(wanted: Iterable[tuple[Words, ...]]) -> Callable[[bytes], bool]:
    """Return a function that reports whether a file's bytes contain the words of any check.

    `wanted` are the words of each check; a check without words wants every file.
    """
    merged: dict[bytes, set[bytes]] = {}
    sufficient: set[bytes] = set()
    for words in wanted:
        if not words:
            return lambda raw: True
        for word, others in words:
            merged.setdefault(word, set()).update(others)
            if not others:
                sufficient.add(word)
    rows = [(word, () if word in sufficient else tuple(sorted(others))) for word, others in merged.items()]

    def may_matter(raw: bytes) -> bool:
        for word, others in rows:
            if word in raw and (not others or any(other in raw for other in others)):
                return True
        return False

    return may_matter


def may_work_at_import(raw: bytes) -> bool:
    """Return whether a module has a loop, or a call that trains, outside of functions and classes."""
    return _WORK.search(b"\n" + raw) is not None


def find_imported_loaders(project: Project, path: str, raw: bytes) -> list[bytes]:
    """Return the bytes of those files that a file of a project imports and that make loaders with workers.

    Those count as well that have the base of a class of these.
    """
    direct = list(dict.fromkeys(project.find_imported(path, raw)))
    derived = [each for each in direct if _DERIVED.search(b"\n" + project.read(each))]
    files = dict.fromkeys((*direct, *(each for name in derived for each in project.find_imports(name))))
    texts = [project.read(each) for each in files]
    # A function that makes a loader with `**kwargs` is given the number by the file that calls it.
    return [each for each in texts if b"Loader" in each and (_names_workers(each) or _names_workers(raw))]


def _names_workers(raw: bytes) -> bool:
    return b"num_workers" in raw or b"workers=" in raw


def may_matter_as_configuration(raw: bytes) -> bool:
    """Return whether a configuration file can contain a number of workers."""
    return b"workers" in raw or b"WORKERS" in raw
