"""Which failures a program expects: what it tries, and passes over."""

import ast

from torchdoctor.source.module.parsed import FUNCTIONS, ParsedModule


def is_tried(
    module: ParsedModule, node: ast.AST, exceptions: tuple[str, ...], *, may_raise: bool = False
) -> bool:
    """Tell whether a failure is caught under one of these names, or more broadly, and passed over.

    With `may_raise`, a handler that raises its own error counts as well.
    """
    wide = (*exceptions, "Exception", "BaseException")
    child = node
    for parent in module.ancestors(node):
        if isinstance(parent, ast.Try) and child in parent.body:
            caught = [handler for handler in parent.handlers if _catches(handler, wide)]
            if any(not _raises(each, own=may_raise) for each in caught):
                return True
        if isinstance(parent, FUNCTIONS):
            return False
        child = parent
    return False


def _raises(handler: ast.ExceptHandler, *, own: bool) -> bool:
    """Tell whether a handler ends by raising; with `own`, an error of its own does not count."""
    last = handler.body[-1]
    if not isinstance(last, ast.Raise):
        return False
    is_same = last.exc is None or (isinstance(last.exc, ast.Name) and last.exc.id == handler.name)
    return is_same or not own


def _catches(handler: ast.ExceptHandler, names: tuple[str, ...]) -> bool:
    if handler.type is None:
        return True
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(ast.unparse(each).rpartition(".")[2] in names for each in types)
