"""`explain` on many texts: files, folders of files, and JSON lines, one after the other."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from torchdoctor.commands.texts import CODE_PAGE, read_chunks
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import Explanation, explain_stream
from torchdoctor.knowledge import parse_head

# The files of a folder that are texts.
SUFFIXES = ("", ".txt", ".log", ".md", ".out", ".err", ".jsonl")
_JSON_LINES = ".jsonl"
# The keys of a text in JSON lines, as trackers export it, and those of its name.
_TEXT_KEYS, _NAME_KEYS = ("text", "body"), ("id", "number", "url")
_MOST_LINE_BYTES = 64 << 20


@record
class Explained:
    """A text with its name, and its explanation, or why it could not be read."""

    name: str
    explanation: Explanation | None = None
    problem: str | None = None


def explain_each(files: Sequence[Path]) -> Iterator[Explained]:
    """Yield the explanation of each text, in order; only one text is in memory at a time.

    Raises:
        RegistryError: no knowledge base is installed.
    """
    knowledge, _ = load_knowledge(parse_head)
    for file in _list_files(files):
        if isinstance(file, Explained):
            yield file
            continue
        try:
            for text in _read_texts(file):
                if isinstance(text, Explained):
                    yield text
                else:
                    name, chunks = text
                    yield Explained(name, explain_stream(chunks, knowledge, CODE_PAGE))
        except OSError as error:
            yield Explained(str(file), problem=f"{file}: {error.strerror or error}")
        except UsageError as error:
            yield Explained(str(file), problem=str(error))


def _list_files(files: Sequence[Path]) -> Iterator[Path | Explained]:
    for file in files:
        if not file.is_dir():
            yield file
            continue
        found = 0
        for folder, folders, names in os.walk(file):
            folders.sort()
            for name in sorted(names):
                if os.path.splitext(name)[1].lower() in SUFFIXES and not name.startswith("."):
                    found += 1
                    yield Path(folder, name)
        if not found:
            suffixes = ", ".join(suffix for suffix in SUFFIXES if suffix)
            yield Explained(str(file), problem=f"{file}: no file with a text in this folder ({suffixes})")


def _read_texts(file: Path) -> Iterator[tuple[str, Iterator[bytes]] | Explained]:
    """Yield the name and the bytes of each text of a file; of JSON lines, also the problem of a line.

    Raises:
        OSError: the file cannot be read.
        UsageError: it is no text.
    """
    if file.suffix.lower() != _JSON_LINES:
        yield str(file), read_chunks(file)
        return
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
                yield Explained(place, problem=str(error))
            else:
                yield name, iter((text,))


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
            name = next((data[key] for key in _NAME_KEYS if isinstance(data.get(key), (str, int))), place)
            return str(name), text.encode("utf-8", errors="replace")
    raise UsageError(f'{place}: a line is a text, or an object with one under "text" or "body"')
