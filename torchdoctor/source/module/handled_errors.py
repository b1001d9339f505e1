"""Failures that a program expects: it catches them and carries on."""

import ast

from torchdoctor.source.module.nodes import FUNCTIONS
from torchdoctor.source.module.parsed import ParsedModule


def is_error_handled(
    module: ParsedModule, node: ast.AST, exceptions: tuple[str, ...], *, may_raise: bool = False
) -> bool:
    """Return whether a `try` around the node catches one of the exceptions, or a broader one, and carries on.

    With `may_raise`, a handler that raises an error of its own counts as well.
    """
    return module.ask_around(_handles, node, (*exceptions, "Exception", "BaseException"), may_raise) or False


def _handles(
    _: ParsedModule, parent: ast.AST, child: ast.AST, names: tuple[str, ...], may_raise: bool
) -> bool | None:
    if isinstance(parent, ast.Try) and child in parent.body:
        handlers = [handler for handler in parent.handlers if _catches(handler, names)]
        if any(not _ends_by_raising(handler, only_again=may_raise) for handler in handlers):
            return True
    return False if isinstance(parent, FUNCTIONS) else None


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
