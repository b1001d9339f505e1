"""What a dataset class stores, and which of its methods run in its constructor and in the workers."""

import ast
import re
from collections.abc import Iterable, Iterator

from torchdoctor.source.idioms.loading.loaders import Loader, find_loaders, is_dataset
from torchdoctor.source.module.arguments import find_calls_of, find_passed_argument
from torchdoctor.source.module.nodes import FUNCTIONS, Function, find_annotation, find_argument
from torchdoctor.source.module.parsed import ParsedModule

_NAME = re.compile(r"\w+")
_SAMPLE_METHODS = frozenset({"__getitem__", "__iter__", "__getitems__"})
_WORKER_METHODS = ("__getitem__", "__iter__", "__getitems__", "get")
# How far a dataset is followed through names, wrappers and functions, and how many values of each.
_MAX_DEPTH = 5
_MAX_VALUES = 8
_PICKLE_METHODS = frozenset(
    {"__getstate__", "__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__"}
)


def find_methods(node: ast.ClassDef) -> dict[str, Function]:
    """Return the methods that a class defines itself, by name."""
    return {each.name: each for each in node.body if isinstance(each, FUNCTIONS)}


def find_datasets(module: ParsedModule) -> Iterator[ast.ClassDef]:
    """Yield the classes of a module that are torch datasets, or that a loader with workers is given."""
    for node in module.classes.values():
        if is_sent_dataset(module, node):
            yield node


def is_sent_dataset(module: ParsedModule, node: ast.ClassDef) -> bool:
    """Return whether a class is a torch dataset, or one that a loader with workers is given."""
    return is_dataset(module, node) or node in module.ask_once(_find_given_classes)


def _find_given_classes(module: ParsedModule) -> frozenset[ast.ClassDef]:
    """Return the classes that loaders with workers are given as datasets, and that have samples."""
    return frozenset(
        node
        for loader in find_loaders(module)
        if loader.may_have_workers
        for node in find_loader_datasets(module, loader)
        if not _SAMPLE_METHODS.isdisjoint(module.ask_once(_list_all_methods, node))
    )


def find_loader_datasets(module: ParsedModule, loader: Loader) -> list[ast.ClassDef]:
    """Return the classes of the module of which the dataset of a loader can be, also inside of others."""
    found: dict[ast.ClassDef, None] = {}
    dataset = find_argument(loader.call, "dataset", 0)
    pending = [(dataset, 0)] if dataset is not None else []
    while pending:
        node, depth = pending.pop()
        values: Iterable[ast.expr | None] = ()
        match node:
            case ast.Call():
                name = module.find_dotted_name(node.func)
                if name in module.classes:
                    found[module.classes[name]] = None
                elif name in module.functions:
                    values = module.find_returned_values(module.functions[name])
                else:
                    # What wraps or divides a dataset: Subset, ConcatDataset, random_split.
                    values = [*node.args, *(each.value for each in node.keywords)]
            case ast.Name():
                values = [binding.value for binding in module.find_bindings(node)]
                if (function := module.find_parameter(node)) is not None:
                    found.update(dict.fromkeys(_find_annotated(module, function, node.id)))
                    values += _find_passed(module, function, node.id)
            case ast.Attribute(attr=name):
                values = [binding.value for _, binding in module.attributes.get(name, ())]
            case ast.List(elts=values) | ast.Tuple(elts=values):
                pass
            case ast.Subscript(value=value) | ast.Starred(value=value):
                values = [value]
            case ast.IfExp(body=body, orelse=orelse):
                values = [body, orelse]
        if depth < _MAX_DEPTH:
            pending += [(value, depth + 1) for value in list(values)[:_MAX_VALUES] if value is not None]
    return list(found)


def _find_annotated(module: ParsedModule, function: Function, name: str) -> Iterator[ast.ClassDef]:
    """Yield the classes of the module in the annotation of a parameter."""
    annotation = find_annotation(function, name)
    written = ast.unparse(annotation) if annotation is not None else ""
    yield from (module.classes[each] for each in _NAME.findall(written) if each in module.classes)


def _find_passed(module: ParsedModule, function: Function, name: str) -> Iterator[ast.expr | None]:
    for call in find_calls_of(module, function)[:_MAX_VALUES]:
        yield find_passed_argument(module, call, function, name)


def has_custom_pickling(module: ParsedModule, node: ast.ClassDef) -> bool:
    """Return whether a class, or a base in the same file, customizes its pickling."""
    bases = module.classes.keys() & module.find_base_names(node)
    owners = [node, *(module.classes[base] for base in bases)]
    return any(module.ask_once(_defines_pickling, owner) for owner in owners)


def _defines_pickling(module: ParsedModule, node: ast.ClassDef) -> bool:
    return not _PICKLE_METHODS.isdisjoint(find_methods(node))


def find_constructor_methods(module: ParsedModule, node: ast.ClassDef) -> list[Function]:
    """Return `__init__`, `__post_init__` and the methods that they call on `self`."""
    return _find_reachable_methods(module, node, ("__init__", "__post_init__"))


def find_worker_methods(module: ParsedModule, node: ast.ClassDef) -> list[Function]:
    """Return the methods that a worker runs for each sample, and the methods that they call on `self`."""
    return _find_reachable_methods(module, node, _WORKER_METHODS)


def _find_reachable_methods(
    module: ParsedModule, node: ast.ClassDef, names: tuple[str, ...]
) -> list[Function]:
    """Return the methods with these names, and all methods that they call on `self`.

    Methods of a base in the same file count if they are called, but not as the first ones.
    """
    own = module.ask_once(_list_methods, node)
    pending = [own[name] for name in names if name in own]
    if not pending:
        return []
    methods = _list_all_methods(module, node)
    found: dict[Function, None] = {}
    while pending:
        method = pending.pop()
        if method not in found:
            found[method] = None
            pending += [methods[name] for name in _find_self_calls(method) if name in methods]
    return list(found)


def _list_methods(module: ParsedModule, node: ast.ClassDef) -> dict[str, Function]:
    return find_methods(node)


def _list_all_methods(module: ParsedModule, node: ast.ClassDef) -> dict[str, Function]:
    """Return the methods of a class and of its bases in the same file, by name."""
    bases = [module.classes[name] for name in sorted(module.classes.keys() & module.find_base_names(node))]
    return {
        name: method
        for base in (*bases, node)
        for name, method in module.ask_once(_list_methods, base).items()
    }


def find_called_method(module: ParsedModule, call: ast.Call) -> Function | None:
    """Return the method of a class of the module that a call runs: `self.make()`, `Images.make()`."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=method):
            owner = module.find_class(call)
        case ast.Attribute(value=ast.Name(id=name), attr=method):
            owner = module.classes.get(name)
        case _:
            return None
    return module.ask_once(_list_all_methods, owner).get(method) if owner is not None else None


def _find_self_calls(method: Function) -> Iterator[str]:
    for node in ast.walk(method):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                yield name


def find_stored_values(functions: list[Function]) -> Iterator[tuple[str, ast.expr]]:
    """Yield name and value of each `self.name = value` and `self.name.append(value)`, in source order."""
    for function in functions:
        for node in ast.walk(function):
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        if (name := find_self_attribute(target)) is not None:
                            yield name, value
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    if (name := find_self_attribute(target)) is not None:
                        yield name, value
                case ast.Call(func=ast.Attribute(value=target, attr="append"), args=[value]):
                    if (name := find_self_attribute(target)) is not None:
                        yield name, value


def is_closed_later(functions: list[Function], name: str) -> bool:
    """Return whether the `close()` of an attribute is called."""
    nodes = (node for function in functions for node in ast.walk(function))
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "close"
        and find_self_attribute(node.func.value) == name
        for node in nodes
    )


def is_dropped_later(functions: list[Function], name: str) -> bool:
    """Return whether an attribute is deleted or set to None again."""
    for node in (node for function in functions for node in ast.walk(function)):
        if isinstance(node, ast.Delete) and any(find_self_attribute(each) == name for each in node.targets):
            return True
    values = [value for stored, value in find_stored_values(functions) if stored == name]
    return len(values) > 1 and isinstance(values[-1], ast.Constant) and values[-1].value is None


def find_self_attribute(node: ast.expr) -> str | None:
    """Return "x" for `self.x` and `self.x[...]`, None for other expressions."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name
        case ast.Subscript(value=value):
            return find_self_attribute(value)
    return None


def have_no_workers(loaders: list[Loader], *, unset_means_none: bool) -> bool:
    """Return whether there are loaders and none has workers, so that nothing is sent to a process.

    `unset_means_none` is whether a loader without `num_workers` counts as one without workers.
    """
    if not loaders:
        return False
    return all(unset_means_none if loader.workers is None else loader.workers.most == 0 for loader in loaders)
