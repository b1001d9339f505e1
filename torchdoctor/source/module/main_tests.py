"""Which conditions tell the main script from a module that a spawned worker imports."""

import ast

from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import find_words


def main_verdict(module: ParsedModule, test: ast.expr) -> bool | None:
    """Tell what a condition is while a spawned child imports the module; None when undecided."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = main_verdict(module, operand)
            return None if inner is None else not inner
        case ast.BoolOp(op=ast.And(), values=values):
            return False if any(main_verdict(module, value) is False for value in values) else None
        case ast.BoolOp(op=ast.Or(), values=values):
            return False if all(main_verdict(module, value) is False for value in values) else None
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compare_main(left, operator, right)
    return None


def _compare_main(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool | None:
    if isinstance(left, ast.Constant):
        left, right = right, left
    text = ast.unparse(left)
    words = find_words(right)
    if isinstance(operator, (ast.Is, ast.IsNot)) and "parent_process" in text:
        return isinstance(operator, ast.IsNot)
    if text != "__name__" and not (text.endswith(".name") and words == ("mainprocess",)):
        return None
    if not words or not {"__main__", "mainprocess"} & set(words) or "__mp_main__" in words:
        return None
    if isinstance(operator, (ast.Eq, ast.In)):
        return False
    return True if isinstance(operator, (ast.NotEq, ast.NotIn)) else None
