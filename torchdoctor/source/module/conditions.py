"""The conditions that decide whether a statement runs."""

import ast
from collections.abc import Callable, Hashable, Iterator

from torchdoctor.source.module.parsed import ParsedModule


def is_conditional(
    module: ParsedModule, node: ast.AST, passes: Callable[..., bool], *arguments: Hashable
) -> bool:
    """Return whether a condition that decides whether a node runs passes `passes(module, it, *arguments)`.

    It stands around the node, or belongs to an earlier statement that may leave a block around it.
    """
    return module.ask_around(_find_condition, node, passes, *arguments) is not None


def _find_condition(
    module: ParsedModule, parent: ast.AST, child: ast.AST, passes: Callable[..., bool], *arguments: Hashable
) -> ast.expr | None:
    """Return the first condition of a node for one of its children that passes."""
    conditions = _list_conditions(parent, child)
    return next((each for each in conditions if module.ask_once(passes, each, *arguments)), None)


def _list_conditions(parent: ast.AST, child: ast.AST) -> Iterator[ast.expr]:
    if isinstance(parent, (ast.If, ast.IfExp)) and child is not parent.test:
        yield parent.test
    body = getattr(parent, "body", None)
    if isinstance(body, list) and child in body:
        for statement in body[: body.index(child)]:
            match statement:
                case ast.If(test=test, body=block) if leaves_block(block):
                    yield test
                case ast.Assert(test=test):
                    yield test


def leaves_block(statements: list[ast.stmt]) -> bool:
    """Return whether a block ends with return, raise, continue, break or a call that exits."""
    match statements[-1] if statements else None:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.Expr(value=ast.Call(func=func)):
            return ast.unparse(func) in (
                "exit",
                "quit",
                "sys.exit",
                "os._exit",
                "pytest.skip",
                "self.skipTest",
            )
    return False
