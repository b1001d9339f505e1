"""The functions that a module passes to its datasets, such as transforms."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.source.idioms.containers import find_held_values
from torchdoctor.source.idioms.loading.datasets import has_custom_pickling, is_sent_dataset
from torchdoctor.source.idioms.loading.loaders import has_imported_dataset_base, is_dataset
from torchdoctor.source.idioms.pickling.unpicklable import find_elsewhere, find_unpicklable
from torchdoctor.source.module.arguments import find_passed_argument
from torchdoctor.source.module.bindings import Binding
from torchdoctor.source.module.nodes import FUNCTIONS, parameter_names
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.module.project import Definition

_TRANSFORM_PARAMETER = re.compile(
    r"(?:^|_)(?:transforms?|preprocess(?:ing)?|augment(?:ation)?s?|loader|is_valid_file|fn|func|function)$"
)
# A class is followed through so many names.
_MAX_DEPTH = 3
# Names of tables and registries of datasets.
_DATASET_TABLE = re.compile(r"dataset", re.IGNORECASE)
_DATASET_CLASS = re.compile(r"(Dataset|ImageFolder|DatasetFolder)$")


def _is_dataset_call(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether a call builds a dataset of this module, or one by the name of its class."""
    name = module.find_dotted_name(call.func)
    own = module.classes.get(name)
    if own is not None and has_custom_pickling(module, own):
        return False
    if own is not None and is_sent_dataset(module, own):
        return True
    owner, found = _find_imported(module, call) or (module, None)
    if isinstance(found, ast.ClassDef) and has_custom_pickling(owner, found):
        return False
    if bool(_DATASET_CLASS.search(name)) or name.startswith("torchvision.datasets."):
        return True
    if _is_chosen_dataset(module, call.func):
        return True
    return _has_transform(call) and _is_dataset_class(module, call.func)


def _is_dataset_class(module: ParsedModule, node: ast.expr, depth: int = 0) -> bool:
    """Return whether an expression is a class that is a dataset, or can be one of several."""
    name = module.find_dotted_name(node)
    own = module.classes.get(name)
    if (own is not None and is_sent_dataset(module, own)) or name.startswith("torchvision.datasets."):
        return True
    owner, found = module.find_imported(name) or (module, None)
    if isinstance(found, ast.ClassDef):
        return is_dataset(owner, found)
    if not isinstance(node, ast.Name) or depth > _MAX_DEPTH:
        return False
    values = [value for each in module.find_bindings(node) for value in _find_parts(module, each)]
    return any(_is_dataset_class(module, value, depth + 1) for value in values)


def _find_parts(module: ParsedModule, binding: Binding) -> Iterator[ast.expr]:
    """Yield what an assignment gives a name, also one of the values that a function of the module returns."""
    value, index = binding.value, binding.index
    if index is None:
        yield from [value] if isinstance(value, (ast.Name, ast.Attribute)) else []
    elif isinstance(value, ast.Call) and (name := module.find_dotted_name(value.func)) in module.functions:
        for returned in module.find_returned_values(module.functions[name]):
            if isinstance(returned, ast.Tuple) and len(returned.elts) > index:
                yield returned.elts[index]


def _is_chosen_dataset(module: ParsedModule, function: ast.expr) -> bool:
    """Return whether a called expression takes a dataset's class from a table, a module or a registry."""
    match function:
        case ast.Subscript(value=ast.Name() as table):
            classes = [
                module.classes.get(getattr(each, "id", "")) for each in find_held_values(module, function)
            ]
            return any(each is not None and is_dataset(module, each) for each in classes) or bool(
                _DATASET_TABLE.search(table.id)
            )
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="__dict__")):
            return name == "datasets"
        case ast.Call(
            func=ast.Name(id="getattr"), args=[ast.Name(id=name) | ast.Attribute(attr=name), _, *_]
        ):
            return name == "datasets"
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get")):
            return bool(_DATASET_TABLE.search(name))
        case ast.Attribute(value=ast.Name(id=name), attr="build"):
            return bool(_DATASET_TABLE.search(name))
        case ast.Name():
            # The class that a name was given first: `cls = DATASETS[name]`.
            value = module.find_only_value(function)
            return isinstance(value, (ast.Subscript, ast.Call)) and _is_chosen_dataset(module, value)
    return False


def _has_transform(call: ast.Call) -> bool:
    return any(isinstance(each, ast.Lambda) for each in call.args) or any(
        each.arg is not None and _TRANSFORM_PARAMETER.search(each.arg) for each in call.keywords
    )


def _find_imported(module: ParsedModule, call: ast.Call) -> tuple[ParsedModule, Definition] | None:
    """Return what a call of another file runs; other files are read only for what looks like a dataset's."""
    if not _has_transform(call):
        return None
    return module.find_imported(module.find_dotted_name(call.func))


def _find_passed_on(module: ParsedModule, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Yield the parameter and the argument that a function of another file gives to a dataset."""
    owner, function = _find_imported(module, call) or (module, None)
    if not isinstance(function, FUNCTIONS):
        return
    inner = [each for each in owner.calls if owner.find_function(each) is function]
    datasets = [each for each in inner if _is_dataset_call(owner, each)]
    for parameter in parameter_names(function):
        argument = find_passed_argument(owner, call, function, parameter)
        values = [value for each in datasets for value in (*each.args, *(k.value for k in each.keywords))]
        if argument is not None and any(isinstance(v, ast.Name) and v.id == parameter for v in values):
            yield parameter, argument


def find_functions_for_base(module: ParsedModule) -> Iterator[tuple[ast.AST, ast.ClassDef, str, str]]:
    """Yield the same for what the constructor of a dataset passes to that of its base, with the dataset."""
    for call in module.calls_by_name.get("__init__", ()):
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")))):
                found = [
                    (node, each.arg, what)
                    for each in call.keywords
                    if each.arg is not None and _TRANSFORM_PARAMETER.search(each.arg)
                    for node, what in find_unpicklable(module, each.value)
                ]
                owner = module.find_class(call) if found else None
                if owner is not None and (
                    is_dataset(module, owner) or has_imported_dataset_base(module, owner)
                ):
                    yield from ((node, owner, name, what) for node, name, what in found)


def find_dataset_functions(module: ParsedModule) -> Iterator[tuple[ast.AST, str, str]]:
    """Yield node, parameter name and description of each dataset argument that cannot be pickled."""
    for call in module.calls:
        if not _is_dataset_call(module, call) or not runs_on_windows(module, call):
            for name, value in _find_passed_on(module, call):
                yield from ((node, name, what) for node, what in find_unpicklable(module, value))
            continue
        for each in call.keywords:
            if each.arg is not None and _TRANSFORM_PARAMETER.search(each.arg):
                for node, what in find_unpicklable(module, each.value):
                    yield node, each.arg, what
        for value in call.args:
            for node, what in find_unpicklable(module, value):
                yield node, "an argument", what
    yield from _find_assigned_later(module)


def find_functions_from_elsewhere(
    module: ParsedModule, dataset: ast.expr | None
) -> Iterator[tuple[ast.AST, str, str]]:
    """Yield the same for a dataset that a function of another file makes; the node is its call."""
    call = module.find_only_value(dataset) if isinstance(dataset, ast.Name) else dataset
    if not isinstance(call, ast.Call) or module.place is None:
        return
    owner, function = module.find_imported(module.find_dotted_name(call.func)) or (module, None)
    if not isinstance(function, FUNCTIONS):
        return
    for returned in owner.find_returned_values(function):
        made = owner.find_only_value(returned) if isinstance(returned, ast.Name) else returned
        if isinstance(made, ast.Call) and _is_dataset_call(owner, made):
            for each in made.keywords:
                # What the call in this module passes on is found there.
                if each.arg is not None and _TRANSFORM_PARAMETER.search(each.arg):
                    # The file of the function is where the search begins.
                    found = find_elsewhere(call, owner, each.value, -1)
                    yield from ((node, each.arg, what) for node, what in found)


def find_given_functions(module: ParsedModule) -> Iterator[tuple[ast.Name, str]]:
    """Yield each function of this module that a dataset gets as an argument, and the parameter's name."""
    for call in module.calls:
        if _is_dataset_call(module, call):
            for each in call.keywords:
                if isinstance(each.value, ast.Name) and each.value.id in module.functions and each.arg:
                    yield each.value, each.arg


def _find_assigned_later(module: ParsedModule) -> Iterator[tuple[ast.AST, str, str]]:
    """Yield the same for what is assigned to a dataset later: `train_set.transform = lambda ...`."""
    for name, targets in module.attributes.items():
        if not _TRANSFORM_PARAMETER.search(name):
            continue
        for target, binding in targets:
            owner = target.value
            if isinstance(owner, ast.Name) and owner.id != "self" and "data" in owner.id.lower():
                for node, what in find_unpicklable(module, binding.value):
                    yield node, name, what
