"""The facts about training code: source files and configuration files."""

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from torchdoctor.check import Word, Words
from torchdoctor.core.record import record

if TYPE_CHECKING:
    from torchdoctor.source.module.parsed import ParsedModule


class FoundWords(dict[Word, bool]):
    """Whether any of the texts contains a word; each word is looked for once, when it is asked for."""

    def __init__(self, *texts: bytes) -> None:
        super().__init__()
        self.texts = texts
        # Nearly all files are searched alone, and for fifty words.
        self._first, self._others = texts[0], texts[1:]

    def __missing__(self, word: Word) -> bool:
        if isinstance(word, bytes):
            found = word in self._first or any(word in text for text in self._others)
        else:
            search = word.search if isinstance(word, re.Pattern) else word
            found = bool(search(self._first)) or any(search(text) for text in self._others)
        self[word] = found
        return found

    def has_each(self, groups: Iterable[Sequence[Word]]) -> bool:
        """Return whether they contain one word of each group; a group without words asks for nothing."""
        return all(not group or any(self[word] for word in group) for group in groups)


@record
class SourceFile:
    """A parsed file of training code; its text is never part of a JSON report.

    `module` indexes names, scopes, assignments and calls; all checks share it, and each index is computed
    once. `words` says of a word whether the file contains it. For a notebook, `cell_lines` holds the line of
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
        return not words or any(found[word] and found.has_each(groups) for word, *groups in words)


@record
class ConfigSetting:
    """A value in a configuration file, its dotted key and its position; line and column count from 1.

    `written` is the expression in place of a value that depends on the machine, `shown` the option that a
    user types for the key, and `remark` the comment beside it, or the help of the option.
    """

    key: str
    value: str | int | float | bool | None
    line: int
    column: int = 1
    written: str | None = None
    shown: str | None = None
    remark: str = ""


@record
class ConfigFile:
    """The settings in a YAML, JSON, TOML or Python file."""

    subject: ClassVar[str] = "config_file"
    many: ClassVar[bool] = True
    path: str
    settings: tuple[ConfigSetting, ...] = ()
