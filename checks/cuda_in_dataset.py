"""A dataset puts tensors or a model on a CUDA device, which its workers cannot send or receive."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.facts import SourceFile
from torchdoctor.source.constants import possible_values
from torchdoctor.source.datasets import constructor_code, no_workers, own_attribute, worker_code
from torchdoctor.source.devices import moves_to_cuda
from torchdoctor.source.loaders import Loader, find_datasets, find_loaders
from torchdoctor.source.places import locate
from torchdoctor.source.platforms import runs_on_windows
from torchdoctor.source.view import Function, View, argument

_DEVICE = re.compile(r"cuda|gpu|device|cache", re.IGNORECASE)


@check
def cuda_in_dataset(source: SourceFile) -> Iterator[Finding]:
    """Find CUDA moves in a dataset's constructor and sample code, and in collate functions."""
    view = source.view
    loaders = list(find_loaders(view))
    if no_workers(loaders, counts_unset=False) or any(_depends_on_device(view, each) for each in loaders):
        return
    for dataset in find_datasets(view):
        kept = [
            call for each in constructor_code(dataset) for call in _moves(view, each) if _is_kept(view, call)
        ]
        made = [call for each in worker_code(dataset) for call in _moves(view, each)]
        for call in dict.fromkeys(kept + made):
            method = view.enclosing_function(call)
            where = f"{dataset.name}.{method.name}()" if method is not None else dataset.name
            yield Finding(f"{where} uses CUDA: {_shown(call)}", locate(source, call))
    for loader in loaders:
        if loader.workers is not None and loader.may_have_workers:
            for call in _collate_moves(view, loader):
                message = (
                    f"collate_fn uses CUDA in a worker: {_shown(call)}; the loader has {loader.workers.shown}"
                )
                yield Finding(message, locate(source, call))


def _depends_on_device(view: View, loader: Loader) -> bool:
    """Tell whether the loader has no workers where the data is on the GPU: `0 if on_gpu else 4`."""
    if loader.workers is None or 0 not in possible_values(view, loader.workers.node):
        return False
    node = loader.workers.node
    bound = [each.value for each in view.find_bindings(node)] if isinstance(node, ast.Name) else []
    return any(
        isinstance(each, ast.IfExp) and _DEVICE.search(ast.unparse(each.test)) for each in [node, *bound]
    )


def _moves(view: View, function: Function) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and moves_to_cuda(view, node) and runs_on_windows(view, node):
            yield node


def _is_kept(view: View, call: ast.Call) -> bool:
    """Tell whether the constructor's CUDA value stays with the dataset, which is what gets pickled."""
    if isinstance(call.func, ast.Attribute) and own_attribute(call.func.value) is not None:
        return True
    statement = view.statement(call)
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        written = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        targets = [
            part for each in written for part in (each.elts if isinstance(each, ast.Tuple) else [each])
        ]
        if any(own_attribute(each) is not None for each in targets):
            return not _ends_on_cpu(view, call)
        names = {each.id for each in targets if isinstance(each, ast.Name)}
    else:
        names = {each.id for each in ast.walk(call.func) if isinstance(each, ast.Name)}
    return any(_is_stored(view, name, call) for name in names)


def _is_stored(view: View, name: str, call: ast.Call) -> bool:
    function = view.enclosing_function(call)
    return any(
        isinstance(binding.value, ast.Name) and binding.value.id == name and own_attribute(target) is not None
        for targets in view.attributes.values()
        for target, binding in targets
        if view.enclosing_function(target) is function
    )


def _ends_on_cpu(view: View, call: ast.Call) -> bool:
    for parent in view.ancestors(call):
        match parent:
            case ast.Attribute(attr="cpu" | "numpy" | "item" | "tolist"):
                return True
            case ast.stmt():
                return False
    return False


def _collate_moves(view: View, loader: Loader) -> Iterator[ast.Call]:
    collate = argument(loader.call, "collate_fn", 6)
    function = view.functions.get(collate.id) if isinstance(collate, ast.Name) else None
    if function is not None:
        yield from _moves(view, function)
    elif isinstance(collate, ast.Lambda):
        yield from (
            each for each in ast.walk(collate) if isinstance(each, ast.Call) and moves_to_cuda(view, each)
        )


def _shown(call: ast.Call) -> str:
    text = " ".join(ast.unparse(call).split())
    return text if len(text) <= 60 else f"{text[:28]} ... {text[-28:]}"
