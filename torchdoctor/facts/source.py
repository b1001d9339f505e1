"""The facts about training code: one for each source file, one for each configuration file."""

import ast
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from torchdoctor.record import record

if TYPE_CHECKING:
    from torchdoctor.source.view import View


@record
class SourceFile:
    """A file of training code that was read and parsed; its text is never part of a JSON report.

    `view` answers questions about names, constants and what runs at import; it is shared by the
    checks and computes each answer once. `cell_lines` holds, for a notebook, the line of `text` at
    which each of its code cells begins (`cell_numbers` counts all cells from 1).
    """

    subject: ClassVar[str] = "source_file"
    many: ClassVar[bool] = True
    path: str
    text: str = field(repr=False)
    tree: ast.Module = field(repr=False, compare=False)
    view: "View" = field(repr=False, compare=False)
    cell_lines: tuple[int, ...] = ()
    cell_numbers: tuple[int, ...] = ()

    @property
    def is_notebook(self) -> bool:
        """Tell whether the code stands in the cells of a notebook."""
        return bool(self.cell_lines)


@record
class Setting:
    """One value in a configuration file, with its dotted key and its place (both count from 1)."""

    key: str
    value: str | int | float | bool | None
    line: int
    column: int = 1


@record
class ConfigFile:
    """The settings of a YAML, JSON or TOML file that stands beside training code."""

    subject: ClassVar[str] = "config_file"
    many: ClassVar[bool] = True
    path: str
    settings: tuple[Setting, ...] = ()
