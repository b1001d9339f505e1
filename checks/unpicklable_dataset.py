"""A loader's workers are to be sent something that cannot be pickled."""

import ast
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.facts import SourceFile
from torchdoctor.source.datasets import (
    constructor_code,
    decides_its_pickling,
    is_emptied_later,
    no_workers,
    stored_values,
)
from torchdoctor.source.lambdas import make_naming_edit
from torchdoctor.source.loaders import Loader, find_datasets, find_loaders
from torchdoctor.source.pickling import find_handle, find_unpicklable
from torchdoctor.source.places import locate
from torchdoctor.source.transforms import find_dataset_functions
from torchdoctor.source.view import View, argument


@check
def unpicklable_dataset(source: SourceFile) -> Iterator[Finding]:
    """Find lambdas, local functions and open handles that a worker would have to be sent."""
    view = source.view
    loaders = list(find_loaders(view))
    found = [*_from_loaders(view, loaders), *_from_datasets(view, loaders)]
    reported: set[ast.AST] = set()
    for node, message in found:
        if node not in reported:
            reported.add(node)
            purpose = "argument" if message.startswith("an ") else message.partition(" ")[0].lower()
            yield Finding(message, locate(source, node), edit=make_naming_edit(source, node, purpose))


def _from_loaders(view: View, loaders: list[Loader]) -> Iterator[tuple[ast.AST, str]]:
    working = [each for each in loaders if each.may_have_workers]
    for loader in working:
        workers = loader.workers.shown if loader.workers is not None else ""
        for name, position in (("collate_fn", 6), ("worker_init_fn", 10)):
            for node, what in find_unpicklable(view, argument(loader.call, name, position)):
                yield node, f"{name} is {what.rstrip(',')}; the loader has {workers}"
        if (local := _local_dataset(view, loader)) is not None:
            yield (
                loader.call,
                f"the dataset's class {local} is defined inside a function; the loader has {workers}",
            )
    if working and working[0].workers is not None:
        workers = working[0].workers.shown
        for node, name, what in find_dataset_functions(view):
            yield node, f"{name} of a dataset is {what.rstrip(',')}; a loader has {workers}"


def _local_dataset(view: View, loader: Loader) -> str | None:
    value = argument(loader.call, "dataset", 0)
    if isinstance(value, ast.Name):
        bindings = view.find_bindings(value)
        value = bindings[0].value if len(bindings) == 1 and bindings[0].index is None else None
    if not isinstance(value, ast.Call):
        return None
    local = view.classes.get(view.canonical(value.func))
    return local.name if local is not None and view.enclosing_function(local) is not None else None


def _from_datasets(view: View, loaders: list[Loader]) -> Iterator[tuple[ast.AST, str]]:
    if no_workers(loaders, counts_unset=True):
        return
    for dataset in find_datasets(view):
        if decides_its_pickling(view, dataset):
            continue
        code = constructor_code(dataset)
        for name, value in stored_values(code):
            handle = find_handle(view, value)
            if handle is not None and not is_emptied_later(code, name):
                yield value, f"{dataset.name} keeps an open {handle} in self.{name} from its constructor"
            if isinstance(value, ast.GeneratorExp):
                yield value, f"{dataset.name} keeps a generator in self.{name}"
            for node, what in find_unpicklable(view, value):
                yield node, f"{dataset.name} keeps {what} in self.{name}".rstrip(",")
