"""A dataset puts tensors or a model on a CUDA device, which its workers cannot send or receive."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.datasets import constructor_code, no_workers, own_attribute, worker_code
from torchdoctor.source.idioms.devices import moves_to_cuda
from torchdoctor.source.idioms.loaders import Loader, find_datasets, find_loaders
from torchdoctor.source.module.constants import possible_values
from torchdoctor.source.module.parsed import Function, ParsedModule, argument
from torchdoctor.source.module.places import locate
from torchdoctor.source.module.platforms import runs_on_windows

_DEVICE = re.compile(r"cuda|gpu|device|cache", re.IGNORECASE)
_WORDS = (
    (b"Loader", (b"num_workers", b"workers=")),
    (b"Dataset)", (b"cuda", b"device")),
    (b"__getitem__", (b"cuda", b"device")),
)


@check(words=_WORDS)
def cuda_in_dataset(source: SourceFile) -> Iterator[Finding]:
    """Find CUDA moves in a dataset's constructor and sample code, and in collate functions."""
    module = source.module
    loaders = list(find_loaders(module))
    if no_workers(loaders, counts_unset=False) or any(_depends_on_device(module, each) for each in loaders):
        return
    for dataset in find_datasets(module):
        kept = [
            call
            for each in constructor_code(dataset)
            for call in _moves(module, each)
            if _is_kept(module, call)
        ]
        made = [call for each in worker_code(dataset) for call in _moves(module, each)]
        for call in dict.fromkeys(kept + made):
            method = module.enclosing_function(call)
            where = f"{dataset.name}.{method.name}()" if method is not None else dataset.name
            yield Finding(f"{where} uses CUDA: {_shown(call)}", locate(source, call))
    for loader in loaders:
        if loader.workers is not None and loader.may_have_workers:
            for call in _collate_moves(module, loader):
                message = (
                    f"collate_fn uses CUDA in a worker: {_shown(call)}; the loader has {loader.workers.shown}"
                )
                yield Finding(message, locate(source, call))


def _depends_on_device(module: ParsedModule, loader: Loader) -> bool:
    """Tell whether the loader has no workers where the data is on the GPU: `0 if on_gpu else 4`."""
    if loader.workers is None or 0 not in possible_values(module, loader.workers.node):
        return False
    node = loader.workers.node
    bound = [each.value for each in module.find_bindings(node)] if isinstance(node, ast.Name) else []
    return any(
        isinstance(each, ast.IfExp) and _DEVICE.search(ast.unparse(each.test)) for each in [node, *bound]
    )


def _moves(module: ParsedModule, function: Function) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and moves_to_cuda(module, node) and runs_on_windows(module, node):
            yield node


def _is_kept(module: ParsedModule, call: ast.Call) -> bool:
    """Tell whether the constructor's CUDA value stays with the dataset, which is what gets pickled."""
    if isinstance(call.func, ast.Attribute) and own_attribute(call.func.value) is not None:
        return True
    statement = module.statement(call)
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        written = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        targets = [
            part for each in written for part in (each.elts if isinstance(each, ast.Tuple) else [each])
        ]
        if any(own_attribute(each) is not None for each in targets):
            return not _ends_on_cpu(module, call)
        names = {each.id for each in targets if isinstance(each, ast.Name)}
    else:
        names = {each.id for each in ast.walk(call.func) if isinstance(each, ast.Name)}
    return any(_is_stored(module, name, call) for name in names)


def _is_stored(module: ParsedModule, name: str, call: ast.Call) -> bool:
    function = module.enclosing_function(call)
    return any(
        isinstance(binding.value, ast.Name) and binding.value.id == name and own_attribute(target) is not None
        for targets in module.attributes.values()
        for target, binding in targets
        if module.enclosing_function(target) is function
    )


def _ends_on_cpu(module: ParsedModule, call: ast.Call) -> bool:
    for parent in module.ancestors(call):
        match parent:
            case ast.Attribute(attr="cpu" | "numpy" | "item" | "tolist"):
                return True
            case ast.stmt():
                return False
    return False


def _collate_moves(module: ParsedModule, loader: Loader) -> Iterator[ast.Call]:
    collate = argument(loader.call, "collate_fn", 6)
    function = module.functions.get(collate.id) if isinstance(collate, ast.Name) else None
    if function is not None:
        yield from _moves(module, function)
    elif isinstance(collate, ast.Lambda):
        yield from (
            each for each in ast.walk(collate) if isinstance(each, ast.Call) and moves_to_cuda(module, each)
        )


def _shown(call: ast.Call) -> str:
    text = " ".join(ast.unparse(call).split())
    return text if len(text) <= 60 else f"{text[:28]} ... {text[-28:]}"
