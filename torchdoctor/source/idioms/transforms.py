"""The functions that a module hands to its datasets: transforms and the like."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.source.idioms.unpicklable import find_unpicklable
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows

_TRANSFORM = re.compile(
    r"(?:^|_)(?:transforms?|preprocess(?:ing)?|augment(?:ation)?s?|loader|is_valid_file)$"
)
_DATASET_MAKER = re.compile(r"(Dataset|ImageFolder|DatasetFolder)$")


def is_dataset_maker(module: ParsedModule, call: ast.Call) -> bool:
    """Tell whether a call builds a dataset, by the name of the class."""
    name = module.canonical(call.func)
    return bool(_DATASET_MAKER.search(name)) or name.startswith("torchvision.datasets.")


def find_dataset_functions(module: ParsedModule) -> Iterator[tuple[ast.AST, str, str]]:
    """Find what cannot be pickled among the transforms of datasets: place, parameter, what it is."""
    for call in module.calls:
        if not is_dataset_maker(module, call) or not runs_on_windows(module, call):
            continue
        for each in call.keywords:
            if each.arg is not None and _TRANSFORM.search(each.arg):
                for node, what in find_unpicklable(module, each.value):
                    yield node, each.arg, what
        for value in call.args:
            for node, what in find_unpicklable(module, value):
                yield node, "an argument", what
    yield from _assigned_later(module)


def _assigned_later(module: ParsedModule) -> Iterator[tuple[ast.AST, str, str]]:
    """Find `train_set.transform = lambda ...`, set on a dataset after it was built."""
    for name, targets in module.attributes.items():
        if not _TRANSFORM.search(name):
            continue
        for target, binding in targets:
            owner = target.value
            if isinstance(owner, ast.Name) and owner.id != "self" and "data" in owner.id.lower():
                for node, what in find_unpicklable(module, binding.value):
                    yield node, name, what
