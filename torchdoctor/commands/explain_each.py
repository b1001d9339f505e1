"""`explain` on many texts: files, folders of files, and JSON lines, one after the other."""

import json
import os
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from torchdoctor.commands.texts import CODE_PAGE, MADE_UP_FOLDERS, read_chunks
from torchdoctor.core.controls import remove_controls
from torchdoctor.core.failures import describe_failure
from torchdoctor.core.line_file import Lines, make_digest, start_digest, take_known_first
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.library import load_heads
from torchdoctor.explain import Explanation, explain_stream
from torchdoctor.knowledge import Knowledge
from torchdoctor.processes.mapping import map_in_order, open_engine_for
from torchdoctor.redaction.paths.unusual_paths import hide_name_of_text
from torchdoctor.redaction.redaction import Identity, redact

if TYPE_CHECKING:
    from hashlib import _Hash

# The files of a folder that are texts.
SUFFIXES = ("", ".txt", ".log", ".md", ".out", ".err", ".jsonl")
_JSON_LINES = ".jsonl"
# The keys of a text in JSON lines, as trackers export it, and those of its name.
_TEXT_KEYS, _NAME_KEYS = ("text", "body"), ("id", "number", "url")
_MOST_LINE_BYTES = 64 << 20


@record
class TextSource:
    """A text with its name: in a file, or `data` itself; or why it could not be read.

    `mark` tells its name from those of earlier texts that look the same where they are shared.
    """

    name: str
    file: Path | None = None
    data: bytes | None = None
    problem: str | None = None
    mark: str = ""

    def read(self) -> Iterator[bytes]:
        """Yield the bytes.

        Raises:
            OSError: the file cannot be read.
            UsageError: it is no text.
        """
        if self.data is not None:
            yield self.data
        else:
            yield from read_chunks(self.file)


@record
class Explained:
    """A text with its name, and its explanation, or why there is none, with the exit code for that.

    `mark` is as in TextSource.
    """

    name: str
    explanation: Explanation | None = None
    problem: str | None = None
    code: int = 2
    mark: str = ""


@record
class ExplainedLine:
    """A text whose explanation is a line of JSON, or why there is none, with the exit code for that."""

    name: str
    recognised: bool = False
    line: bytes = b""
    problem: str | None = None
    code: int = 2


@record
class LineWriting:
    """How explanations become lines: without the names of an identity, and told apart by the settings.

    It is a function of texts that other processes can call.
    """

    identity: Identity | None
    settings: str

    def __call__(self, sources: Sequence[TextSource]) -> tuple[ExplainedLine, ...]:
        """Explain texts."""
        knowledge = load_heads()
        return tuple(self._explain(source, knowledge) for source in sources)

    def _explain(self, source: TextSource, knowledge: Knowledge) -> ExplainedLine:
        digest = start_digest(source.name, self.settings)
        explained = _explain_source(source, knowledge, digest, on_screen=self.identity is None)
        if explained.explanation is None:
            return ExplainedLine(source.name, problem=explained.problem, code=explained.code)
        try:
            return self._write(source, explained.explanation, digest)
        except Exception as error:
            problem, code = describe_failed(source.name, error)
            return ExplainedLine(source.name, problem=problem, code=code)

    def _write(self, source: TextSource, explanation: Explanation, digest: "_Hash") -> ExplainedLine:
        from torchdoctor.renderers.explanation import render_line

        name, recognised = source.name, explanation.recognised
        if self.identity is not None:
            # The path of the file can have the name that stands in the text.
            name, explanation = redact((name, explanation), self.identity, (Knowledge,), keeps_paths=True)
            explanation = redact(explanation, self.identity, (Knowledge,), is_pasted=True)
            name = f"{hide_name_of_text(name, keeps_file=True)}{source.mark}"
        line = render_line(name, explanation, make_digest(digest))
        return ExplainedLine(name, recognised, line.encode("ascii"))


def explain_each(files: Sequence[Path], *, on_screen: bool = False) -> Iterator[Explained]:
    """Yield the explanation of each text, in order; only one text is in memory at a time.

    Raises:
        RegistryError: no knowledge base is installed.
    """
    knowledge = load_heads()
    sources = find_texts(files)
    for source in sources if on_screen else mark_same_names(sources, Identity()):
        yield _explain_source(source, knowledge, on_screen=on_screen)


def explain_to_lines(
    files: Sequence[Path], writing: LineWriting, lines: Lines, jobs: int
) -> Generator[ExplainedLine, None, None]:
    """Yield the line of each text, in order; it is empty if an earlier run has written it already.

    `jobs` is the number of processes, 0 for as many as are useful.

    Raises:
        RegistryError: no knowledge base is installed.
    """
    load_heads()
    texts = find_texts(files)
    if writing.identity is not None:
        texts = mark_same_names(texts, writing.identity)
    sources = yield from take_known_first(texts, lambda source: _take_known(lines, source, writing.settings))
    with open_engine_for(sources, jobs) as (engine, all_sources):
        yield from map_in_order(engine, writing, all_sources, _give_up)


def mark_same_names(sources: Iterable[TextSource], identity: Identity) -> Iterator[TextSource]:
    """Yield the texts, with a number for each whose name is shown as another one of an earlier text."""
    numbers: dict[str, dict[str, int]] = {}
    for source in sources:
        shown = hide_name_of_text(identity.redact(source.name), keeps_file=True)
        names = numbers.setdefault(shown, {})
        number = names.setdefault(source.name, len(names) + 1)
        yield replace(source, mark=f" ({number})") if number > 1 else source


def find_texts(files: Sequence[Path]) -> Iterator[TextSource]:
    """Yield the texts in files, in the files of folders, and in JSON lines, in their order."""
    for file in _list_files(files):
        if isinstance(file, TextSource):
            yield file
        elif str(file) == "-":
            # It can be read only once, and only by this process.
            yield TextSource("-", data=b"".join(read_chunks(file)))
        elif file.suffix.lower() != _JSON_LINES:
            yield TextSource(str(file), file)
        else:
            try:
                yield from _read_lines(file)
            except OSError as error:
                yield TextSource(str(file), problem=f"{file}: {error.strerror or error}")


def is_text_in_folder(file: Path) -> bool:
    """Return whether a file of this name is read in a folder."""
    return file.suffix.lower() in SUFFIXES and not file.name.startswith(".")


def _give_up(source: TextSource, reason: str) -> ExplainedLine:
    return ExplainedLine(source.name, problem=f"{source.name}: {reason}")


def _take_known(lines: Lines, source: TextSource, settings: str) -> ExplainedLine | None:
    """Return the line that an earlier run wrote for the same text, or the problem of one that has none."""
    if not lines.has_more():
        # A pipe can be read only once.
        return None
    if source.problem is not None:
        return ExplainedLine(source.name, problem=source.problem)
    digest = start_digest(source.name, settings)
    try:
        for chunk in source.read():
            digest.update(chunk)
    except (OSError, UsageError) as error:
        return ExplainedLine(source.name, problem=_describe(source, error))
    recognised = lines.take_known(make_digest(digest), _read_recognised)
    return None if recognised is None else ExplainedLine(source.name, recognised)


def _read_recognised(document: object) -> bool | None:
    recognised = document.get("recognised") if isinstance(document, dict) else None
    return recognised if isinstance(recognised, bool) else None


def _describe(source: TextSource, error: OSError | UsageError) -> str:
    return f"{source.file}: {error.strerror or error}" if isinstance(error, OSError) else str(error)


def _explain_source(
    source: TextSource, knowledge: Knowledge, digest: "_Hash | None" = None, *, on_screen: bool
) -> Explained:
    """Explain a text; the digest gets its bytes, and `on_screen` is as for `explain`."""
    if source.problem is not None:
        return Explained(source.name, problem=source.problem)

    def read() -> Iterator[bytes]:
        for chunk in source.read():
            if digest is not None:
                digest.update(chunk)
            yield chunk

    try:
        explanation = explain_stream(read(), knowledge, CODE_PAGE, on_screen=on_screen)
        return Explained(source.name, explanation, mark=source.mark)
    except (OSError, UsageError) as error:
        return Explained(source.name, problem=_describe(source, error))
    except Exception as error:
        problem, code = describe_failed(source.name, error)
        return Explained(source.name, problem=problem, code=code)


def describe_failed(name: str, error: Exception) -> tuple[str, int]:
    """Return one line that says why a text has no explanation, and the exit code: it spoils only itself."""
    reason, code = describe_failure(error)
    return f"{name}: {reason}", code


def _list_files(files: Sequence[Path]) -> Iterator[Path | TextSource]:
    for file in files:
        if not os.path.isdir(file):
            yield file
            continue
        found = 0
        for folder, folders, names in os.walk(file):
            folders[:] = sorted(each for each in folders if os.path.join(folder, each) not in MADE_UP_FOLDERS)
            for name in sorted(names):
                path = Path(folder, name)
                # Reading a terminal waits for what is typed.
                if is_text_in_folder(path) and not path.is_char_device():
                    found += 1
                    yield path
        if not found:
            suffixes = ", ".join(suffix for suffix in SUFFIXES if suffix)
            yield TextSource(str(file), problem=f"{file}: no file with a text in this folder ({suffixes})")


def _read_lines(file: Path) -> Iterator[TextSource]:
    """Yield the text of each line of a file of JSON lines, or the problem of a line.

    Raises:
        OSError: the file cannot be read.
    """
    with open(file, "rb") as stream:
        number = 0
        while line := stream.readline(_MOST_LINE_BYTES):
            number += 1
            if not line.strip():
                continue
            place = f"{file}:{number}"
            try:
                name, text = _parse_line(line, place)
            except UsageError as error:
                yield TextSource(place, problem=str(error))
            else:
                yield TextSource(name, data=text)


def _parse_line(line: bytes, place: str) -> tuple[str, bytes]:
    try:
        data = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place}: not JSON: {error}") from error
    if isinstance(data, str):
        return place, data.encode("utf-8", errors="replace")
    if isinstance(data, Mapping):
        text = next((data[key] for key in _TEXT_KEYS if isinstance(data.get(key), str)), None)
        if text is not None:
            names = (_read_name(data.get(key)) for key in _NAME_KEYS)
            return next(filter(None, names), place), text.encode("utf-8", errors="replace")
    raise UsageError(f'{place}: a line is a text, or an object with one under "text" or "body"')


def _read_name(value: object) -> str:
    """Return an id of a record as one line of text that any reader of JSON accepts, "" if it is none."""
    if isinstance(value, (bool, int)):
        # As JSON spells it.
        return json.dumps(value)
    if not isinstance(value, str):
        return ""
    whole = value.encode("utf-8", errors="replace").decode("utf-8")
    return " ".join(remove_controls(" ".join(whole.split())).split())
