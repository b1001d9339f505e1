"""Find saved facts: in files, folders of files, and JSON lines."""

import glob
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from torchdoctor.core.files import read_bytes
from torchdoctor.core.line_file import make_digest, start_digest
from torchdoctor.core.record import record

# The facts of one machine have 20 to 200 kB.
_MOST_BYTES = 32 << 20
# So many lines are in memory at once that they have to be shorter than that.
_MOST_LINE = 8 << 20
_JSON, _JSON_LINES = ".json", ".jsonl"
# The keys of a machine's name in JSON lines.
_NAME_KEYS = ("name", "machine", "host")


@record
class Source:
    """The saved facts of one machine: in a file, or `data` itself; or the problem of finding them."""

    name: str
    file: Path | None = None
    data: bytes | None = None
    problem: str | None = None

    def make_digest(self, settings: str) -> str:
        """Return what is the same only for these facts, this name and these settings."""
        digest = start_digest(self.name, settings)
        digest.update(
            (self.problem or "").encode("utf-8", "surrogatepass") if self.data is None else self.data
        )
        return make_digest(digest)

    def with_data(self) -> "Source":
        """Return the source with what is in its file, or why that cannot be read."""
        if self.problem is not None or self.data is not None or self.file is None:
            return self
        try:
            return Source(self.name, self.file, read_bytes(self.file, _MOST_BYTES))
        except OSError as error:
            return Source(self.name, self.file, problem=f"{self.file}: {error.strerror or error}")


def find_sources(paths: Sequence[Path]) -> Iterator[Source]:
    """Yield the facts in the paths, in their order; those of a folder are sorted by name.

    A machine is named by its file, from the folder on, without the suffix; in JSON lines by their key
    "name", "machine" or "host". A path with * or ? stands for the files that fit.
    """
    expanded = list_paths(paths)
    stems = [path.stem for path in expanded]
    folders = [path.name for path in expanded if os.path.isdir(path)]
    for path in expanded:
        if os.path.isdir(path):
            # Folders of the same name are told apart by their whole paths.
            prefix = path.name if folders.count(path.name) == 1 else path.as_posix()
            yield from _find_in_folder(path, f"{prefix}/" if len(expanded) > 1 and prefix else "")
        elif path.suffix.lower() == _JSON_LINES:
            yield from _read_lines(path)
        else:
            name = path.stem if stems.count(path.stem) == 1 else path.with_suffix("").as_posix()
            yield from _read_list(path, name)


def list_paths(paths: Sequence[Path]) -> Sequence[Path]:
    """Return the files and folders that are named, each once; a pattern stands for the files that fit."""
    return list({os.path.realpath(each): each for path in paths for each in _expand(path)}.values())


def _expand(path: Path) -> Sequence[Path]:
    """Return the files that a pattern stands for: cmd and PowerShell leave it to the program."""
    text = str(path)
    if not ("*" in text or "?" in text) or os.path.lexists(path):
        return (path,)
    return [Path(each) for each in sorted(glob.glob(text))] or (path,)


def is_read_in_folder(file: Path) -> bool:
    """Return whether a file of this name is taken for facts in a folder."""
    return file.suffix.lower() in (_JSON, _JSON_LINES) and not file.name.startswith(".")


def _find_in_folder(folder: Path, prefix: str) -> Iterator[Source]:
    found = False
    errors: list[OSError] = []
    seen = {os.path.realpath(folder)}
    for parent, folders, names in os.walk(folder, onerror=errors.append, followlinks=True):
        # A link to a folder is followed once.
        reals = {os.path.realpath(os.path.join(parent, name)): name for name in sorted(folders, reverse=True)}
        folders[:] = sorted(name for real, name in reals.items() if real not in seen)
        seen.update(reals)
        for name in sorted(names):
            file = Path(parent, name)
            if not is_read_in_folder(file):
                continue
            found = True
            if file.suffix.lower() == _JSON_LINES:
                yield from _read_lines(file)
            else:
                yield Source(prefix + file.relative_to(folder).with_suffix("").as_posix(), file)
    for error in errors:
        yield Source(str(error.filename), problem=f"the folder cannot be read: {error.strerror}")
    if not found and not errors:
        reason = "no facts (.json) in this folder: torchdoctor facts --output pc-1.json writes them"
        yield Source(str(folder), problem=reason)


def _read_list(file: Path, name: str) -> Iterator[Source]:
    """Yield the file, or each report of a list, as `scan` writes it for several machines."""
    try:
        # A pipe would be waited for.
        start = b""
        if os.path.isfile(file):
            with open(file, "rb") as stream:
                start = stream.read(64)
        is_list = start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
        reports = json.loads(read_bytes(file)) if is_list else None
    except (OSError, ValueError, RecursionError):
        # Whoever reads it says what is wrong.
        reports = None
    if not isinstance(reports, list):
        yield Source(name, file)
        return
    for number, report in enumerate(reports, 1):
        source = report.get("facts_file") if isinstance(report, Mapping) else None
        own = Path(source.replace("\\", "/")).stem if isinstance(source, str) else f"{name}:{number}"
        try:
            yield Source(own, data=json.dumps(report).encode())
        except RecursionError:
            yield Source(own, problem="it is nested too deeply")


def _read_lines(file: Path) -> Iterator[Source]:
    if os.path.exists(file) and not os.path.isfile(file):
        yield Source(str(file), problem="not a regular file")
        return
    try:
        with open(file, "rb") as stream:
            # PowerShell 5 writes UTF-16.
            is_wide = stream.read(2) in (b"\xff\xfe", b"\xfe\xff")
        encoding = "utf-16" if is_wide else "utf-8-sig"
        with open(file, encoding=encoding, errors="surrogateescape", newline="\n") as lines:
            yield from _split_lines(lines, file)
    except OSError as error:
        yield Source(str(file), problem=f"{file}: {error.strerror or error}")
    except UnicodeError as error:
        yield Source(str(file), problem=f"{file}: not UTF-16: {error}")


def _split_lines(lines: TextIO, file: Path) -> Iterator[Source]:
    number = 0
    while line := lines.readline(_MOST_LINE):
        number += 1
        place = f"{file}:{number}"
        if len(line) == _MOST_LINE and not line.endswith("\n"):
            while len(line) == _MOST_LINE and not line.endswith("\n"):
                line = lines.readline(_MOST_LINE)
            yield Source(place, problem=f"{place}: the line has more than {_MOST_LINE:,} characters")
        elif line.strip():
            data = line.encode("utf-8", "surrogateescape")
            yield Source(_name_line(data, place), data=data)


def _name_line(line: bytes, place: str) -> str:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return place
    names = (data.get(key) for key in _NAME_KEYS) if isinstance(data, Mapping) else ()
    return next((name for name in names if isinstance(name, str) and name), place)
