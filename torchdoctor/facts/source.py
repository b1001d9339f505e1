"""The fact about one file of training code."""

import ast
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of training code that was read and parsed; its text is never part of a JSON report."""

    subject: ClassVar[str] = "source_file"
    many: ClassVar[bool] = True
    path: str
    text: str = field(repr=False)
    tree: ast.Module = field(repr=False, compare=False)
