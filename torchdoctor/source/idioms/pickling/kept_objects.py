"""The objects of plain classes of a file that a dataset keeps, and the open handles in them."""

import ast
from collections.abc import Iterator, Sequence

from torchdoctor.core.record import record
from torchdoctor.source.idioms.loading.dataset_arguments import find_given_values
from torchdoctor.source.idioms.loading.datasets import (
    find_constructor_methods,
    find_stored_values,
    has_custom_pickling,
    is_closed_later,
    is_dropped_later,
    is_sent_dataset,
)
from torchdoctor.source.idioms.pickling.handles import (
    can_be_pickled_closed,
    describe_handle,
    find_handle,
    is_closed,
)
from torchdoctor.source.module.nodes import Function, find_annotation
from torchdoctor.source.module.parsed import ParsedModule

# An object seldom keeps a handle through so many others.
_MAX_DEPTH = 3
_PLAIN_BASES = frozenset({"object", "abc.ABC"})


@record
class KeptHandle:
    """A handle that an object keeps: where it is stored, its description and the attributes with its like."""

    node: ast.expr
    handle: str
    names: str


def find_kept_handles(module: ParsedModule, owner: ast.ClassDef) -> Iterator[KeptHandle]:
    """Yield the handles that an instance of a class keeps from its constructor, those of a kind together."""
    code = find_constructor_methods(module, owner)
    handles: dict[str, list[tuple[str, ast.expr]]] = {}
    for name, value in find_stored_values(code):
        handle = find_handle(module, value)
        if handle is None or is_dropped_later(code, name):
            continue
        if not (is_closed_later(code, name) or is_closed(module, value)):
            handles.setdefault(describe_handle(handle), []).append((name, value))
        elif not can_be_pickled_closed(handle):
            handles.setdefault(describe_handle(handle, is_closed=True), []).append((name, value))
    for handle, kept in handles.items():
        names = " and ".join(dict.fromkeys(f"self.{name}" for name, _ in kept))
        yield KeptHandle(kept[0][1], handle, names)


def find_handles_of_objects(
    module: ParsedModule, owner: ast.ClassDef, depth: int = 0
) -> Iterator[tuple[str, ast.ClassDef, KeptHandle]]:
    """Yield the handles in the objects that an instance of a class keeps.

    Each comes with the attribute that keeps the object and the class that opens the handle, also one further
    down. A class that customizes its pickling, or has a base elsewhere that may, is left out.
    """
    code = find_constructor_methods(module, owner)
    for name, made in _find_kept_classes(module, owner, code) if depth < _MAX_DEPTH else ():
        if made is owner or not _is_plain(module, made) or is_dropped_later(code, name):
            continue
        yield from ((name, made, kept) for kept in find_kept_handles(module, made))
        for inner_name, inner, kept in find_handles_of_objects(module, made, depth + 1):
            yield f"{name}.{inner_name}", inner, kept


def _is_plain(module: ParsedModule, made: ast.ClassDef) -> bool:
    """Return whether pickling an object of a class pickles its attributes.

    Datasets are left out, as they are looked at by themselves.
    """
    bases = module.find_base_names(made) - module.classes.keys()
    is_known = bases <= _PLAIN_BASES and not made.keywords and not made.decorator_list
    return is_known and not (has_custom_pickling(module, made) or is_sent_dataset(module, made))


def _find_kept_classes(
    module: ParsedModule, owner: ast.ClassDef, code: Sequence[Function]
) -> Iterator[tuple[str, ast.ClassDef]]:
    """Yield the attributes of a class that keep an object of a class of the file, each with that class."""
    for name, value in (*find_stored_values(list(code)), *find_given_values(module, owner)):
        made = _find_class_of(module, value)
        if made is not None:
            yield name, made


def _find_class_of(module: ParsedModule, value: ast.expr) -> ast.ClassDef | None:
    """Return the class of the file whose object an expression is, or whose objects it lists."""
    match value:
        case ast.Name() if (function := module.find_parameter(value)) is not None:
            return _find_wanted_class(module, function, value.id) if not module.find_bindings(value) else None
        case ast.Name():
            found = module.find_only_value(value)
            return _find_class_of(module, found) if isinstance(found, ast.Call) else None
        case ast.ListComp(elt=item) | ast.DictComp(value=item) | ast.List(elts=[item, *_]):
            return _find_class_of(module, item) if isinstance(item, ast.Call) else None
        case ast.Call(func=function):
            return module.classes.get(module.find_dotted_name(function))
    return None


def _find_wanted_class(module: ParsedModule, function: Function, name: str) -> ast.ClassDef | None:
    """Return the class that a function wants its argument to have, by an annotation or an `assert`."""
    wanted = [find_annotation(function, name)]
    for statement in function.body:
        match statement:
            case ast.Assert(
                test=ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=checked), made])
            ) if checked == name:
                wanted.append(made)
    names = (module.find_dotted_name(each) for each in wanted if each is not None)
    return next((module.classes[each] for each in names if each in module.classes), None)
