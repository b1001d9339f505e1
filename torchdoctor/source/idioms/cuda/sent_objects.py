"""The objects that go to a process with the method that it runs, and the CUDA values that they keep."""

import ast
from collections.abc import Iterator

from torchdoctor.source.idioms.cuda.cuda_values import find_moved_attributes, is_on_cuda
from torchdoctor.source.idioms.loading.datasets import has_custom_pickling
from torchdoctor.source.module.parsed import ParsedModule


def find_kept_cuda_value(module: ParsedModule, method: ast.Attribute, start: ast.Call) -> ast.expr | None:
    """Return the CUDA value of the object of a method that a process is started with, or None.

    That is the object itself, or an attribute that it has before the start.
    """
    owner = module.find_class(start)
    if isinstance(method.value, ast.Name) and method.value.id == "self":
        methods = module.methods.get(method.attr, ())
        is_own = owner is not None and any(module.parents[each] is owner for each in methods)
        if not is_own or owner is None or has_custom_pickling(module, owner):
            return None
    elif is_on_cuda(module, method.value):
        return method.value
    return next(_find_attributes_on_cuda(module, method.value, start), None)


def _find_attributes_on_cuda(
    module: ParsedModule, kept: ast.expr, start: ast.Call
) -> Iterator[ast.Attribute]:
    """Yield the attributes of an object that this file puts on a CUDA device before a process is started."""
    name = ast.unparse(kept)
    set_ones = (each for bindings in module.attributes.values() for each in bindings)
    for target, binding in set_ones:
        is_of_object = ast.unparse(target.value) == name and _is_before(module, target, start)
        if is_of_object and is_on_cuda(module, binding.value):
            yield target
    for moved in module.ask_once(find_moved_attributes):
        if ast.unparse(moved.value) == name and _is_before(module, moved, start):
            yield moved


def _is_before(module: ParsedModule, node: ast.expr, start: ast.Call) -> bool:
    """Return whether a node runs before a process is started: in the constructor, or above the start."""
    if module.find_class(node) is not module.find_class(start):
        return False
    function = module.find_function(node)
    if function is module.find_function(start):
        return node.lineno < start.lineno
    return getattr(function, "name", "") == "__init__"
