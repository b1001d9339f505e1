"""Expressions of training code as messages show them."""

import ast

from torchdoctor.core.patterns import pattern

_MOST_CHARACTERS = 60
_MOST_LITERALS = 20
# As `ast.unparse` writes them; those in three quotes first.
_LITERALS = (
    r"\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''"
    r"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
)
_LEFT_OUT = "'...'"


def quote_expression(node: ast.expr) -> str:
    """Return an expression in one line, of a long one its beginning and its end.

    The texts in a long one are shown whole or not at all: in a part of a path or a secret, what tells that it
    is one may be cut off.
    """
    text = ast.unparse(node)
    line = " ".join(text.split())
    if len(line) <= _MOST_CHARACTERS:
        return line
    literals = sorted({match[0] for match in pattern(_LITERALS).finditer(text)}, key=len, reverse=True)
    if len(literals) > _MOST_LITERALS:
        text, literals = pattern(_LITERALS).sub(_LEFT_OUT, text), []
        line = " ".join(text.split())
    for literal in literals:
        if len(line) <= _MOST_CHARACTERS or len(literal) <= len(_LEFT_OUT):
            break
        text = text.replace(literal, _LEFT_OUT)
        line = " ".join(text.split())
    half = (_MOST_CHARACTERS - 5) // 2
    return line if len(line) <= _MOST_CHARACTERS else f"{line[:half]} ... {line[-half:]}"
