"""The conditions that decide whether a statement runs."""

import ast
from collections.abc import Iterator

from torchdoctor.source.module.parsed import ParsedModule


def find_conditions(module: ParsedModule, node: ast.AST) -> Iterator[ast.expr]:
    """Yield the conditions around a node, and those of earlier statements that may leave its blocks."""
    child = node
    for parent in module.ancestors(node):
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
        child = parent


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
