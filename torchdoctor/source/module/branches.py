"""The branches that a function takes by one of its parameters, and the calls that may take them."""

import ast
from typing import NamedTuple

from torchdoctor.source.module.arguments import find_passed_argument
from torchdoctor.source.module.nodes import Function, find_default
from torchdoctor.source.module.parsed import ParsedModule


class Branch(NamedTuple):
    """A branch that a function takes if one of its parameters is true, or if it is not."""

    function: Function
    parameter: str
    is_true: bool


def find_branch(module: ParsedModule, node: ast.AST) -> Branch | None:
    """Return the branch of an `if` on a parameter alone that a node stands in, None outside of one."""
    function, child = module.find_function(node), node
    for parent in module.ancestors(node):
        if parent is function or function is None:
            return None
        if isinstance(parent, (ast.If, ast.IfExp)) and child is not parent.test:
            body = parent.body if isinstance(parent, ast.If) else [parent.body]
            test, is_true = parent.test, child in body
            if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
                test, is_true = test.operand, not is_true
            if isinstance(test, ast.Name) and module.find_parameter(test) is function:
                return Branch(function, test.id, is_true)
        child = parent
    return None


def may_take(module: ParsedModule, call: ast.Call, branch: Branch) -> bool:
    """Return whether a call may take a branch: it gives no constant for the parameter that says otherwise."""
    value = find_passed_argument(module, call, branch.function, branch.parameter)
    if value is None and not any(each.arg is None for each in call.keywords):
        value = find_default(branch.function, branch.parameter)
    return not isinstance(value, ast.Constant) or bool(value.value) is branch.is_true
