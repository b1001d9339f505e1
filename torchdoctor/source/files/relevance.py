"""Deciding from a file's bytes, before parsing it, whether a source check can find anything in it."""

import re
from collections.abc import Callable, Iterable, Sequence

from torchdoctor.check import Word, Words
from torchdoctor.source.module.project import Project
from torchdoctor.source.source_file import FoundWords

Filter = Callable[[FoundWords], bool]

# The line feed is found faster than the start of a line.
_WORK = re.compile(
    rb"\n(?:(?:for|while|with) |(?!def |class |import |from |if |elif |assert )(?=[A-Za-z_])[^\n]*"
    rb"\b(?:fit|train|run|main|test|eval|solve|launch|learn|valid|start(?!s?with)|loop|process|preprocess"
    rb"|extract|convert_|execute|predict|infer_)\w*\()"
)
# Classes that are derived from what may make loaders, and imports of all names.
_DERIVED = re.compile(
    rb"\n(?:class \w+\([^)\n]*(?:rainer|unner|gent|olver|earner|ngine|oader|odule|xperiment|Base)"
    rb"|from [^\n#]* import \*)"
)
# A key of workers and the beginning of a number; no check reports one below 6.
_NUMBER_OF_WORKERS = re.compile(rb"[oO](?:rker|RKER)[\w\-]*[\"']?\s*[:=]\s*\+?0*(?:[6-9]|[1-9]\d)")
# A key of a distributed backend or of a start method, and what Windows does not have.
_BACKEND = re.compile(rb"(?:backend|BACKEND)[\"']?\s*[:=]\s*[\"']?(?:[\w:,]*[:,])?(?:nccl|NCCL)\b")
_START_METHOD = re.compile(rb"(?:_context|_start_method)[\"']?\s*[:=]\s*[\"']?fork")

# What starts processes, in files that import it; most classes whose names end in "Manager" start none.
_PROCESSES = re.compile(rb"(?:Pool|Process|ProcessPoolExecutor|process_map|\bspawn|\bManager)\(")


def make_filter(wanted: Iterable[tuple[Words, ...]]) -> Filter:
    """Return a function that reports whether a file contains the words of any check.

    `wanted` are the words of each check; a check without words wants every file.
    """
    rows: dict[Word, list[Sequence[Sequence[Word]]]] = {}
    for words in wanted:
        if not words:
            return lambda found: True
        for word, *groups in words:
            rows.setdefault(word, []).append(groups)
    find_calls = _make_call_finder(
        [word for word in rows if isinstance(word, bytes) and len(word) > 1 and word.endswith(b"(")]
    )

    def may_matter(found: FoundWords) -> bool:
        find_calls(found)
        return any(found[word] and any(map(found.has_each, ways)) for word, ways in rows.items())

    return may_matter


def _make_call_finder(calls: Sequence[bytes]) -> Callable[[FoundWords], None]:
    """Return a function that looks for all of the words at once, each of which ends in a bracket.

    A bracket is found fast and is not frequent, so that all of them cost little more than one word.
    """
    if not calls:
        return lambda found: None
    # The first that fits is found, and whatever it ends in is there as well.
    ordered = sorted(calls, key=len, reverse=True)
    letters = b"".join(sorted({re.escape(word[-2:-1]) for word in ordered}))
    ways = b"|".join(rb"((?<=%s))" % re.escape(word) for word in ordered)
    pattern = re.compile(rb"\((?<=[%s]\()(?:%s)" % (letters, ways))

    def find_calls(found: FoundWords) -> None:
        indexes = {match.lastindex or 0 for text in found.texts for match in pattern.finditer(text)}
        longest = [ordered[index - 1] for index in indexes]
        found.update((word, any(each.endswith(word) for each in longest)) for word in calls)

    return find_calls


def may_work_at_import(raw: bytes) -> bool:
    """Return whether a module has a loop, or a call that trains, outside of functions and classes."""
    return _WORK.search(b"\n" + raw) is not None


def find_imported_starts(project: Project, path: str, raw: bytes) -> list[bytes]:
    """Return the bytes of those files that a file of a project imports and that can start workers.

    They make loaders with workers, or start processes. Those count as well that have the base of a class of
    these, or the loaders that a function of these makes.
    """
    direct = list(dict.fromkeys(project.find_imported(path, raw)))
    onward = [each for each in direct if project.ask_once(_passes_on, each)]
    files = dict.fromkeys((*direct, *(each for name in onward for each in project.find_imports(name))))
    # A function that makes a loader with `**kwargs` is given the number by the file that calls it.
    asked = (_starts_workers, _names_loaders) if _names_workers(raw) else (_starts_workers,)
    return [project.read(each) for each in files if any(project.ask_once(ask, each) for ask in asked)]


def _passes_on(raw: bytes) -> bool:
    """Return whether a file may derive its classes from those of others, or make the loaders of others."""
    return b"oader" in raw or _DERIVED.search(b"\n" + raw) is not None


def _starts_workers(raw: bytes) -> bool:
    """Return whether a file may make loaders with workers, or start processes."""
    if b"rainer(" in raw and (b"loader_workers" in raw or b"loader_num_workers" in raw):
        return True
    return (_names_loaders(raw) and _names_workers(raw)) or _starts_processes(raw)


def _names_loaders(raw: bytes) -> bool:
    return b"Loader" in raw


def _starts_processes(raw: bytes) -> bool:
    imports = b"multiprocess" in raw or b"concurrent" in raw
    return imports and _PROCESSES.search(raw) is not None


def _names_workers(raw: bytes) -> bool:
    return b"num_workers" in raw or b"workers=" in raw


def may_matter_as_configuration(raw: bytes) -> bool:
    """Return whether a configuration file can contain many workers, NCCL, or fork as a start method."""
    is_named = b"orker" in raw or b"ORKER" in raw
    return (
        (is_named and _NUMBER_OF_WORKERS.search(raw) is not None)
        or ((b"nccl" in raw or b"NCCL" in raw) and _BACKEND.search(raw) is not None)
        or (b"fork" in raw and _START_METHOD.search(raw) is not None)
    )
