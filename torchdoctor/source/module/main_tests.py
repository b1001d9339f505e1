"""Conditions that distinguish the main script from the import of its module by a spawned child."""

import ast

from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import find_literal_strings


def main_verdict(module: ParsedModule, test: ast.expr) -> bool | None:
    """Return the value of a condition while a spawned child imports the module; None when it is unknown."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = main_verdict(module, operand)
            return None if inner is None else not inner
        case ast.BoolOp(op=ast.And(), values=values):
            return False if any(main_verdict(module, value) is False for value in values) else None
        case ast.BoolOp(op=ast.Or(), values=values):
            return False if all(main_verdict(module, value) is False for value in values) else None
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _comparison_verdict(left, operator, right)
    return None


def _comparison_verdict(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool | None:
    if isinstance(left, ast.Constant):
        left, right = right, left
    text = ast.unparse(left)
    strings = find_literal_strings(right)
    if isinstance(operator, (ast.Is, ast.IsNot)) and "parent_process" in text:
        return isinstance(operator, ast.IsNot)
    if text != "__name__" and not (text.endswith(".name") and strings == ("mainprocess",)):
        return None
    if not strings or not {"__main__", "mainprocess"} & set(strings) or "__mp_main__" in strings:
        return None
    if isinstance(operator, (ast.Eq, ast.In)):
        return False
    return True if isinstance(operator, (ast.NotEq, ast.NotIn)) else None
