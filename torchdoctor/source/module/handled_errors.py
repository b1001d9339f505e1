"""Failures that a program expects: it catches them and carries on."""

import ast

from torchdoctor.source.module.parsed import FUNCTIONS, ParsedModule


def is_error_handled(
    module: ParsedModule, node: ast.AST, exceptions: tuple[str, ...], *, may_raise: bool = False
) -> bool:
    """Return whether a `try` around the node catches one of the exceptions, or a broader one, and carries on.

    With `may_raise`, a handler that raises an error of its own counts as well.
    """
    names = (*exceptions, "Exception", "BaseException")
    child = node
    for parent in module.ancestors(node):
        if isinstance(parent, ast.Try) and child in parent.body:
            handlers = [handler for handler in parent.handlers if _catches(handler, names)]
            if any(not _ends_by_raising(handler, only_again=may_raise) for handler in handlers):
                return True
        if isinstance(parent, FUNCTIONS):
            return False
        child = parent
    return False


def _ends_by_raising(handler: ast.ExceptHandler, *, only_again: bool) -> bool:
    """Return whether a handler ends by raising; with `only_again`, by raising the caught exception again."""
    last = handler.body[-1]
    if not isinstance(last, ast.Raise):
        return False
    raises_again = last.exc is None or (isinstance(last.exc, ast.Name) and last.exc.id == handler.name)
    return raises_again or not only_again


def _catches(handler: ast.ExceptHandler, names: tuple[str, ...]) -> bool:
    if handler.type is None:
        return True
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(ast.unparse(caught).rpartition(".")[2] in names for caught in types)
