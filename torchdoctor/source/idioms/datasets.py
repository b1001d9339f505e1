"""What a dataset keeps and does: the code that runs in its constructor and in its workers."""

import ast
from collections.abc import Iterator

from torchdoctor.source.idioms.loaders import Loader
from torchdoctor.source.module.parsed import FUNCTIONS, Function, ParsedModule

_WORKER_METHODS = ("__getitem__", "__iter__", "__getitems__", "get")
_PICKLING = frozenset({"__getstate__", "__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__"})


def methods_of(node: ast.ClassDef) -> dict[str, Function]:
    """Give the methods that a class defines itself, by name."""
    return {each.name: each for each in node.body if isinstance(each, FUNCTIONS)}


def decides_its_pickling(module: ParsedModule, node: ast.ClassDef) -> bool:
    """Tell whether a class, or a base in the same file, says itself what is pickled."""
    owners = [node, *(module.classes[base] for base in module.bases(node) if base in module.classes)]
    return any(_PICKLING & methods_of(owner).keys() for owner in owners)


def constructor_code(node: ast.ClassDef) -> list[Function]:
    """Give `__init__` and the methods that it calls."""
    return _reached(node, ("__init__", "__post_init__"))


def worker_code(node: ast.ClassDef) -> list[Function]:
    """Give the methods that a worker runs for each sample, and those that they call."""
    return _reached(node, _WORKER_METHODS)


def _reached(node: ast.ClassDef, names: tuple[str, ...]) -> list[Function]:
    methods = methods_of(node)
    pending = [methods[name] for name in names if name in methods]
    found: list[Function] = []
    while pending:
        method = pending.pop()
        if method not in found:
            found.append(method)
            pending += [methods[name] for name in _own_calls(method) if name in methods]
    return found


def _own_calls(method: Function) -> Iterator[str]:
    for node in ast.walk(method):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                yield name


def stored_values(functions: list[Function]) -> Iterator[tuple[str, ast.expr]]:
    """Give what `self.name = value` and `self.name.append(value)` store, in the order of the source."""
    for function in functions:
        for node in ast.walk(function):
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        if (name := own_attribute(target)) is not None:
                            yield name, value
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    if (name := own_attribute(target)) is not None:
                        yield name, value
                case ast.Call(func=ast.Attribute(value=target, attr="append"), args=[value]):
                    if (name := own_attribute(target)) is not None:
                        yield name, value


def is_emptied_later(functions: list[Function], name: str) -> bool:
    """Tell whether an attribute is closed, deleted or set to None again, so that nothing stays open."""
    for node in (each for function in functions for each in ast.walk(function)):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="close")) if own_attribute(value) == name:
                return True
            case ast.Delete(targets=targets) if any(own_attribute(each) == name for each in targets):
                return True
    values = [value for stored, value in stored_values(functions) if stored == name]
    return len(values) > 1 and isinstance(values[-1], ast.Constant) and values[-1].value is None


def own_attribute(node: ast.expr) -> str | None:
    """Give the name of an attribute of `self`."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name
        case ast.Subscript(value=value):
            return own_attribute(value)
    return None


def no_workers(loaders: list[Loader], *, counts_unset: bool) -> bool:
    """Tell whether the file's loaders have no workers, so that nothing is sent to a process.

    `counts_unset` is whether a loader without `num_workers` counts as one that has none.
    """
    if not loaders:
        return False
    return all(
        (each.workers is None and counts_unset) or (each.workers is not None and each.workers.most == 0)
        for each in loaders
    )
