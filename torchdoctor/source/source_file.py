"""The facts about training code: source files and configuration files."""

import ast
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from torchdoctor.check import Words
from torchdoctor.core.record import record

if TYPE_CHECKING:
    from torchdoctor.source.module.parsed import ParsedModule


class FoundWords(dict[bytes, bool]):
    """Whether a text, or a file that it imports, contains a word; each is looked for once, when asked for."""

    def __init__(self, text: str, imported: Sequence[bytes] = ()) -> None:
        super().__init__()
        self._texts = (text.encode("utf-8", "surrogateescape"), *imported)

    def __missing__(self, word: bytes) -> bool:
        self[word] = found = any(word in text for text in self._texts)
        return found


@record
class SourceFile:
    """A parsed file of training code; its text is never part of a JSON report.

    `module` indexes names, scopes, assignments and calls; all checks share it, and each index is computed
    once. `words` says of a word whether the text contains it. For a notebook, `cell_lines` holds the line of
    `text` at which each code cell begins, and `cell_numbers` the number of that cell, where all cells count
    from 1. `encoding` is that of the file. `unread` says which of its cells are left out, and why.
    """

    subject: ClassVar[str] = "source_file"
    many: ClassVar[bool] = True
    path: str
    text: str = field(repr=False)
    tree: ast.Module = field(repr=False, compare=False)
    module: "ParsedModule" = field(repr=False, compare=False)
    words: "FoundWords" = field(repr=False, compare=False)
    cell_lines: tuple[int, ...] = ()
    cell_numbers: tuple[int, ...] = ()
    encoding: str = "utf-8"
    unread: str | None = None

    @property
    def is_notebook(self) -> bool:
        """Whether the code is in the cells of a notebook."""
        return bool(self.cell_lines)

    def contains(self, words: tuple[Words, ...]) -> bool:
        """Return whether the text has the words of a check, or the check has none."""
        found = self.words
        return not words or any(
            found[word] and (not others or any(found[other] for other in others)) for word, others in words
        )


@record
class ConfigSetting:
    """A value in a configuration file, its dotted key and its position; line and column count from 1.

    `written` is the expression in place of a value that depends on the machine.
    """

    key: str
    value: str | int | float | bool | None
    line: int
    column: int = 1
    written: str | None = None


@record
class ConfigFile:
    """The settings in a YAML, JSON, TOML or Python file."""

    subject: ClassVar[str] = "config_file"
    many: ClassVar[bool] = True
    path: str
    settings: tuple[ConfigSetting, ...] = ()
