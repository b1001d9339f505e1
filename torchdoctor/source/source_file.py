"""The facts about training code: source files and configuration files."""

import ast
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from torchdoctor.core.record import record

if TYPE_CHECKING:
    from torchdoctor.source.module.parsed import ParsedModule


@record
class SourceFile:
    """A parsed file of training code; its text is never part of a JSON report.

    `module` indexes names, scopes, assignments and calls; all checks share it, and each index is computed
    once. For a notebook, `cell_lines` holds the line of `text` at which each code cell begins, and
    `cell_numbers` the number of that cell, where all cells count from 1.
    """

    subject: ClassVar[str] = "source_file"
    many: ClassVar[bool] = True
    path: str
    text: str = field(repr=False)
    tree: ast.Module = field(repr=False, compare=False)
    module: "ParsedModule" = field(repr=False, compare=False)
    cell_lines: tuple[int, ...] = ()
    cell_numbers: tuple[int, ...] = ()

    @property
    def is_notebook(self) -> bool:
        """Whether the code is in the cells of a notebook."""
        return bool(self.cell_lines)


@record
class ConfigSetting:
    """A value in a configuration file, its dotted key and its position; line and column count from 1."""

    key: str
    value: str | int | float | bool | None
    line: int
    column: int = 1


@record
class ConfigFile:
    """The settings in a YAML, JSON, TOML or Python file."""

    subject: ClassVar[str] = "config_file"
    many: ClassVar[bool] = True
    path: str
    settings: tuple[ConfigSetting, ...] = ()
