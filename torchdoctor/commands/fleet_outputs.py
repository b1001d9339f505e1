"""The outputs of `fleet` that get each machine as it comes: JSON lines and Parquet."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from torchdoctor.core.line_file import Lines, open_lines
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.core.writing import open_whole
from torchdoctor.fleet.machine import LABELS, Machine
from torchdoctor.renderers.json import replace_halves

_ROWS_AT_ONCE = 1000
_INT64 = 1 << 63
_COLUMNS = ("name", "problem", "torchdoctor", "taken_at", "severity")


@record
class Streams:
    """Where each machine goes: a function, and the JSON lines, None without them."""

    write: Callable[[Machine], None]
    lines: Lines | None = None


@contextlib.contextmanager
def open_outputs(
    targets: Sequence[tuple[str, Path | None]], show: Callable[[str], None]
) -> Iterator[Streams]:
    """Open the outputs of the formats `jsonl` and `parquet`; `show` writes to the screen.

    Raises:
        UsageError: an output cannot be written, or pyarrow is not installed.
    """
    tables: list[_ParquetFile] = []
    lines: Lines | None = None
    with contextlib.ExitStack() as stack:
        for form, output in targets:
            if form == "jsonl":
                lines = stack.enter_context(open_lines(output, show))
            elif form == "parquet":
                tables.append(stack.enter_context(_ParquetFile(output)))

        def write(machine: Machine) -> None:
            for table in tables:
                table.add(machine)

        yield Streams(write, lines)


class _ParquetFile:
    """A Parquet file with a row for each machine; a context manager."""

    def __init__(self, path: Path | None) -> None:
        if path is None:
            raise UsageError("--format parquet is no text: name a file with --output")
        try:
            import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore]
            import pyarrow.parquet  # type: ignore[import-not-found,import-untyped,unused-ignore]
        except ImportError as error:
            raise UsageError(
                "--format parquet needs the package pyarrow in the Python that runs torchdoctor:"
                f" python -m pip install pyarrow ({error})"
            ) from None
        self._arrow: Any = pyarrow
        self._path, self._rows = path, list[dict[str, object]]()
        text = pyarrow.string()
        finding = pyarrow.struct(
            [(name, text) for name in ("name", "severity", "title", "message", "fix")]
            + [("causes", pyarrow.list_(text))]
        )
        self._schema: Any = pyarrow.schema(
            [(name, text) for name in (*_COLUMNS, *LABELS)]
            + [("commit_limit_bytes", pyarrow.int64()), ("findings", pyarrow.list_(finding))]
            + [(name, pyarrow.list_(text)) for name in ("failures", "points_to")]
        )
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> "_ParquetFile":
        try:
            file = self._stack.enter_context(open_whole(self._path))
        except OSError as error:
            raise UsageError(f"{self._path}: cannot be written: {error.strerror or error}") from error
        self._writer: Any = self._stack.enter_context(self._arrow.parquet.ParquetWriter(file, self._schema))
        return self

    def __exit__(self, *exception: Any) -> None:
        try:
            if exception[0] is None:
                self._flush()
            self._stack.__exit__(*exception)
        except OSError as error:
            raise UsageError(f"{self._path}: cannot be written: {error.strerror or error}") from error

    def add(self, machine: Machine) -> None:
        self._rows.append(cast("dict[str, object]", replace_halves(_make_row(machine))))
        if len(self._rows) >= _ROWS_AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            try:
                self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
            except OSError as error:
                raise UsageError(f"{self._path}: cannot be written: {error.strerror or error}") from error
            self._rows = []


def _find_cell(value: object) -> str | int | None:
    if isinstance(value, int):
        return value if abs(value) < _INT64 else None
    return value if isinstance(value, str) else None


def _make_row(machine: Machine) -> dict[str, object]:
    configuration = machine.configuration
    values = {name: getattr(configuration, name, None) for name in (*LABELS, "commit_limit_bytes")}
    return {
        "name": machine.name,
        "problem": machine.problem,
        "torchdoctor": machine.torchdoctor,
        "taken_at": machine.taken_at,
        "severity": None if machine.worst is None else machine.worst.severity,
        # What could not be observed is null.
        **{name: _find_cell(value) for name, value in values.items()},
        "findings": [
            {
                "name": finding.name,
                "severity": finding.severity,
                "title": finding.title,
                "message": finding.message,
                "fix": finding.fix,
                "causes": list(finding.causes),
            }
            for finding in machine.findings
        ],
        "failures": list(machine.failures),
        "points_to": list(machine.points_to),
    }
