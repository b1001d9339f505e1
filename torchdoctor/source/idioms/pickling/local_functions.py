"""The functions that are defined inside other functions."""

import ast

from torchdoctor.source.module.nodes import FUNCTIONS, Function
from torchdoctor.source.module.parsed import ParsedModule


def find_local_function(module: ParsedModule, name: ast.Name) -> Function | None:
    """Return the function that a name refers to if it is defined inside another function."""
    scope: ast.AST = module.find_scope(name)
    while scope is not module.tree:
        if isinstance(scope, FUNCTIONS):
            for node in module.local_functions.get(scope, ()):
                if node.name == name.id:
                    return node
        scope = module.find_scope(scope)
    return None
