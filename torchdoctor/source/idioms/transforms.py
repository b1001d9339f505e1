"""The functions that a module passes to its datasets, such as transforms."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.source.idioms.datasets import has_custom_pickling
from torchdoctor.source.idioms.loaders import has_imported_dataset_base, is_dataset
from torchdoctor.source.idioms.unpicklable import find_unpicklable
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows

_TRANSFORM_PARAMETER = re.compile(
    r"(?:^|_)(?:transforms?|preprocess(?:ing)?|augment(?:ation)?s?|loader|is_valid_file|fn|func|function)$"
)
_DATASET_CLASS = re.compile(r"(Dataset|ImageFolder|DatasetFolder)$")


def _is_dataset_call(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether a call builds a dataset of this module, or one by the name of its class."""
    name = module.find_dotted_name(call.func)
    own = module.classes.get(name)
    if own is not None and has_custom_pickling(module, own):
        return False
    if own is not None and is_dataset(module, own):
        return True
    if bool(_DATASET_CLASS.search(name)) or name.startswith("torchvision.datasets."):
        return True
    if isinstance(call.func, ast.Subscript):
        # datasets.__dict__[name](...)
        return ast.unparse(call.func.value) == "datasets.__dict__"
    # Other files are read only for calls that look like one of a dataset.
    if not any(each.arg is not None and _TRANSFORM_PARAMETER.search(each.arg) for each in call.keywords):
        return False
    found = module.find_imported(name)
    return found is not None and isinstance(found[1], ast.ClassDef) and is_dataset(found[0], found[1])


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
            continue
        for each in call.keywords:
            if each.arg is not None and _TRANSFORM_PARAMETER.search(each.arg):
                for node, what in find_unpicklable(module, each.value):
                    yield node, each.arg, what
        for value in call.args:
            for node, what in find_unpicklable(module, value):
                yield node, "an argument", what
    yield from _find_assigned_later(module)


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
