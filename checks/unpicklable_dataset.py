"""A loader has to send its workers something that cannot be pickled."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.edits.lambdas import make_function_edit
from torchdoctor.source.idioms.loading.dataset_arguments import find_given_values
from torchdoctor.source.idioms.loading.datasets import (
    find_constructor_methods,
    find_datasets,
    find_loader_datasets,
    find_stored_values,
    has_custom_pickling,
    have_no_workers,
    is_dropped_later,
    is_sent_dataset,
)
from torchdoctor.source.idioms.loading.loader_helpers import find_given_loaders
from torchdoctor.source.idioms.loading.loaders import (
    DATASET_WORDS,
    Loader,
    find_loader_argument,
    find_loaders,
)
from torchdoctor.source.idioms.loading.transforms import (
    find_dataset_functions,
    find_functions_for_base,
    find_functions_from_elsewhere,
    find_given_functions,
)
from torchdoctor.source.idioms.pickling.generators import is_generator
from torchdoctor.source.idioms.pickling.kept_objects import find_handles_of_objects, find_kept_handles
from torchdoctor.source.idioms.pickling.unpicklable import find_unpicklable, is_guarded
from torchdoctor.source.module.nodes import Function
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.places import locate

# Words for values that a dataset should not keep.
_UNPICKLABLE = (
    b"lambda",
    b"h5py",
    b"lmdb",
    b"open(",
    b"connect(",
    b"Capture(",
    b"ZipFile(",
    b"TarFile(",
    b"Lock(",
    b"netCDF4",
    b"MongoClient",
    b"_func =",
    b"_fn =",
    b"_op =",
    b"Manager(",
)
# What a method or function of the file returns, which can be a generator.
_KEPT_RESULT = re.compile(rb"\bself\.\w+ = (?:[a-z_.]+\()*(?:self\.)?[a-z_]\w*\(")
_LAMBDAS = (b"=lambda", b"= lambda", b"(lambda", b", lambda")
# A function of another file may make the loader.
_DATASETS = (*DATASET_WORDS, b"loader")
# A class that passes a transform on, which can be a dataset by a base of another file.
_PASSED_ON = re.compile(
    rb"super\((?:[^()\n]|\([^()\n]*\))*\)\.__init__\((?:[^\n]|\n(?![ \t]*(?:def|class)\b)){0,1000}?"
    rb"(?:transforms?|preprocess(?:ing)?|augment(?:ation)?s?|loader|is_valid_file|fn|func|function)\s*=(?!=)"
)
_WORDS = (
    (b"Loader", (b"workers=",)),
    (b"num_workers", (b"Loader",)),
    # A function of another file makes the loader.
    (b"oader(", _LAMBDAS),
    (b"num_workers=", (b"oader(",), (b"collate_fn=",)),
    (b"Dataset)", _UNPICKLABLE),
    (b"__getitem__", _UNPICKLABLE, _DATASETS),
    (b"Dataset)", (b"yield",), (_KEPT_RESULT,)),
    (b"__getitem__", (b"yield",), (_KEPT_RESULT,), _DATASETS),
    (b"__getitem__", (b"transform",), (_PASSED_ON,), (*_UNPICKLABLE, b"yield")),
    (b"super(", (b"transform=lambda", b"transform = lambda")),
)


@check(words=_WORDS)
def unpicklable_dataset(source: SourceFile) -> Iterator[Finding]:
    """Find lambdas, local functions and open handles that would have to be sent to a worker."""
    module = source.module
    loaders = list(find_loaders(module))
    problems = [*_find_in_loaders(module), *_find_in_datasets(module, loaders)]
    if source.is_notebook:
        problems += _find_in_notebook(module, loaders)
    reported: set[ast.AST] = set()
    for node, message in problems:
        if node not in reported:
            reported.add(node)
            edit = make_function_edit(source, node, _find_purpose(message))
            yield Finding(message, locate(source, node), edit=edit, step=_choose_step(message))


def _find_purpose(message: str) -> str:
    """Return the parameter that a message begins with, "" where it names none."""
    first, _, rest = message.partition(" ")
    return "" if first == "an" or "keeps" in rest or "gives" in rest else first


def _choose_step(message: str) -> str:
    """Return the tag of the step that cures a problem."""
    if "under the main guard" in message:
        return "class"
    if "keeps a multiprocessing.Manager" in message:
        return "manager"
    if message.endswith("from its constructor"):
        return "handle"
    if "a generator" in message:
        return "generator"
    is_class = message.startswith("the dataset's class") or "in the notebook" in message
    return "class" if is_class else "lambda"


def _find_in_loaders(module: ParsedModule) -> Iterator[tuple[ast.AST, str]]:
    loaders = find_given_loaders(module)
    for loader in loaders:
        workers = loader.workers.description
        for name in ("collate_fn", "worker_init_fn"):
            for node, what in find_unpicklable(module, loader.given.get(name)):
                yield node, f"{name} is {what.rstrip(',')}; the loader has {workers}"
        dataset = loader.given.get("dataset")
        if (found := _find_local_class(module, dataset)) is not None:
            class_name, place = found
            yield (
                loader.call,
                f"the dataset's class {class_name} is defined {place}; the loader has {workers}",
            )
        for node, name, what in find_functions_from_elsewhere(module, dataset):
            yield node, f"{name} of a dataset is {what.rstrip(',')}; the loader has {workers}"
    if loaders:
        workers = loaders[0].workers.description
        for node, name, what in find_dataset_functions(module):
            yield node, f"{name} of a dataset is {what.rstrip(',')}; a loader has {workers}"


def _find_in_notebook(module: ParsedModule, loaders: list[Loader]) -> Iterator[tuple[ast.AST, str]]:
    """Yield the loaders whose workers cannot find a class or function, because it is defined in a cell."""
    reported: set[ast.AST] = set()
    for loader in loaders:
        if not loader.has_workers or loader.workers is None:
            continue
        workers = loader.workers.description
        for dataset in find_loader_datasets(module, loader):
            if dataset in reported:
                continue
            reported.add(dataset)
            what = f"the dataset's class {dataset.name} is defined in the notebook"
            yield loader.call, f"{what}, which workers cannot import; the loader has {workers}"
        for name in ("collate_fn", "worker_init_fn"):
            value = find_loader_argument(module, loader, name)
            if isinstance(value, ast.Name) and value.id in module.functions:
                what = f"{name} is {value.id}(), defined in the notebook"
                yield value, f"{what}, which workers cannot import; the loader has {workers}"
    first = next((loader.workers for loader in loaders if loader.workers and loader.has_workers), None)
    for value, name in find_given_functions(module) if first is not None else ():
        what = f"{name} of a dataset is {value.id}(), defined in the notebook"
        yield value, f"{what}, which workers cannot import; a loader has {first.description if first else ''}"


def _find_local_class(module: ParsedModule, dataset_value: ast.expr | None) -> tuple[str, str] | None:
    """Return the name of the dataset's class, and where it is, if workers cannot import it from there."""
    call = _find_call(module, dataset_value)
    maker = module.functions.get(module.find_dotted_name(call.func)) if call is not None else None
    if maker is not None:
        values = module.find_returned_values(maker)
        call = _find_call(module, values[0]) if len(values) == 1 else None
    dataset = module.classes.get(module.find_dotted_name(call.func)) if call is not None else None
    if dataset is None:
        return None
    # A name can be that of a class of the module and of another one inside a function.
    place = module.find_function(dataset)
    if place is not None and maker in (None, place):
        return dataset.name, "inside a function"
    return (dataset.name, "under the main guard") if is_guarded(module, dataset) else None


def _find_call(module: ParsedModule, value: ast.expr | None) -> ast.Call | None:
    """Return the call that an expression is, or that is the only value of the name that it is."""
    if isinstance(value, ast.Name):
        value = module.find_only_value(value)
    return value if isinstance(value, ast.Call) else None


def _find_in_datasets(module: ParsedModule, loaders: list[Loader]) -> Iterator[tuple[ast.AST, str]]:
    if have_no_workers(loaders, unset_means_none=True):
        return
    for node, owner, name, what in find_functions_for_base(module):
        yield node, f"{owner.name} gives its base {what.rstrip(',')} as {name}"
    for dataset in find_datasets(module):
        if has_custom_pickling(module, dataset):
            continue
        code = find_constructor_methods(module, dataset)
        for kept in find_kept_handles(module, dataset):
            yield kept.node, f"{dataset.name} keeps {kept.handle} in {kept.names} from its constructor"
        for name, made, kept in find_handles_of_objects(module, dataset):
            what = f"{dataset.name} keeps an object of {made.name} in self.{name}"
            yield kept.node, f"{what}, which has {kept.handle} in {kept.names} from its constructor"
        for name, value in find_stored_values(code):
            if is_generator(module, value) and not is_dropped_later(code, name):
                yield value, f"{dataset.name} keeps a generator in self.{name}"
            for node, what in find_unpicklable(module, value):
                yield node, f"{dataset.name} keeps {what} in self.{name}".rstrip(",")
        if any(loader.may_have_workers for loader in loaders):
            yield from _find_given_generators(module, dataset, code)


def _find_given_generators(
    module: ParsedModule, dataset: ast.ClassDef, code: list[Function]
) -> Iterator[tuple[ast.AST, str]]:
    """Yield the generators that a dataset is made with and keeps, if no dataset makes it in its worker."""
    for name, value in find_given_values(module, dataset):
        maker = module.find_class(value)
        is_made_by_dataset = maker is not None and is_sent_dataset(module, maker)
        if is_generator(module, value) and not is_made_by_dataset and not is_dropped_later(code, name):
            yield value, f"{dataset.name} keeps a generator in self.{name}"
