"""Expressions of training code as messages show them."""

import ast
import re

from torchdoctor.core.patterns import pattern

_MOST_CHARACTERS = 60
# As `ast.unparse` writes them; those in three quotes first.
_LITERALS = (
    r"\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''"
    r"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
)
_LEFT_OUT = "'...'"


def quote_expression(node: ast.expr) -> str:
    """Return an expression in one line, of a long one its beginning and its end.

    Of a long one no text is shown: what tells that one is a secret or a part of a path, such as the key
    before it, may be cut off.
    """
    text = ast.unparse(node)
    line = " ".join(text.split())
    if len(line) <= _MOST_CHARACTERS:
        return line
    line = " ".join(pattern(_LITERALS).sub(_leave_out, text).split())
    half = (_MOST_CHARACTERS - 5) // 2
    return line if len(line) <= _MOST_CHARACTERS else f"{line[:half]} ... {line[-half:]}"


def _leave_out(literal: re.Match[str]) -> str:
    return literal[0] if len(literal[0]) <= len(_LEFT_OUT) else _LEFT_OUT
