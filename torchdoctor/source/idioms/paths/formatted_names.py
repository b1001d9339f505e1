"""Texts without a separator of their own that are made by a format: `"%06d.png" % number`."""

import ast
import re
from collections.abc import Sequence

_SEPARATORS = frozenset("/\\")
# A conversion of the `%` operator: a name in brackets is not read, and `%%` stands for itself.
_CONVERSION = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?([a-zA-Z%])")
_NUMBERS = frozenset("dioxXeEfFgG")
# A field of `str.format` that is filled in order.
_FIELD = re.compile(r"\{(?::([^{}]*))?\}")


def find_formatted_values(node: ast.expr) -> Sequence[ast.expr] | None:
    """Return the values that a format without separators writes as they are, and not as numbers.

    None for another expression, and for a format that cannot be read.
    """
    match node:
        case ast.BinOp(left=ast.Constant(value=str() as text), op=ast.Mod(), right=ast.Tuple(elts=values)):
            return _choose_values(text, _read_conversions(text), values)
        case ast.BinOp(left=ast.Constant(value=str() as text), op=ast.Mod(), right=value):
            return _choose_values(text, _read_conversions(text), [value])
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str() as text), attr="format"),
            args=values,
            keywords=[],
        ):
            return _choose_values(text, _read_fields(text), values)
    return None


def _choose_values(
    text: str, kinds: Sequence[str] | None, values: Sequence[ast.expr]
) -> Sequence[ast.expr] | None:
    """Return the values whose kind is none of a number."""
    if kinds is None or len(kinds) != len(values) or _SEPARATORS & set(text):
        return None
    if any(isinstance(each, ast.Starred) for each in values):
        return None
    return [value for kind, value in zip(kinds, values, strict=True) if kind not in _NUMBERS]


def _read_conversions(text: str) -> Sequence[str] | None:
    """Return the letter of each conversion of a format with `%`."""
    if "%" in _CONVERSION.sub("", text):
        return None
    return [kind for kind in _CONVERSION.findall(text) if kind != "%"]


def _read_fields(text: str) -> Sequence[str] | None:
    """Return the last letter of each field of a format with braces, "" for one without a letter."""
    rest = _FIELD.sub("", text)
    if "{" in rest or "}" in rest:
        return None
    return [spec[-1:] for spec in _FIELD.findall(text)]
