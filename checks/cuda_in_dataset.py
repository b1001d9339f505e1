"""A dataset moves tensors or a model to CUDA, but worker processes cannot send or receive CUDA data."""

import ast
import re
from collections.abc import Iterator, Sequence

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.cuda.cuda_values import is_on_cuda, moves_to_cuda
from torchdoctor.source.idioms.cuda.device_arguments import find_receiver
from torchdoctor.source.idioms.cuda.devices import is_cuda_device
from torchdoctor.source.idioms.loading.dataset_arguments import find_given_values
from torchdoctor.source.idioms.loading.datasets import (
    find_constructor_methods,
    find_datasets,
    find_methods,
    find_self_attribute,
    find_stored_values,
    find_worker_methods,
    have_no_workers,
)
from torchdoctor.source.idioms.loading.loaders import (
    DATASET_WORDS,
    Loader,
    find_loader_argument,
    find_loaders,
)
from torchdoctor.source.module.constants import find_possible_values
from torchdoctor.source.module.nodes import Function, find_argument
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate, name_other_lines
from torchdoctor.source.quoting import quote_expression

_DEVICE_TEST = re.compile(r"cuda|gpu|device|cache", re.IGNORECASE)
_WORDS = (
    (b"Loader", (b"workers=",)),
    (b"num_workers", (b"Loader",)),
    (b"Dataset)", (b"cuda", b"device")),
    (b"__getitem__", (b"cuda", b"device"), DATASET_WORDS),
)


@check(words=_WORDS)
def cuda_in_dataset(source: SourceFile) -> Iterator[Finding]:
    """Find moves to CUDA in a dataset's constructor and sample code, and in collate functions."""
    module = source.module
    loaders = list(find_loaders(module))
    if have_no_workers(loaders, unset_means_none=False) or any(
        _has_workers_only_on_cpu(module, loader) for loader in loaders
    ):
        return
    reported: set[ast.Call] = set()
    for dataset in find_datasets(module):
        constructor_moves = [
            call
            for function in find_constructor_methods(module, dataset)
            for call in _find_cuda_moves(module, function)
            if _is_kept_by_dataset(module, call)
        ]
        worker_moves = [
            call
            for function in find_worker_methods(module, dataset)
            for call in _find_cuda_moves(module, function)
        ]
        # Several datasets can share the code of a base.
        new_moves = [call for call in dict.fromkeys(constructor_moves + worker_moves) if call not in reported]
        reported.update(new_moves)
        yield from _report_moves(source, dataset, new_moves)
        if any(loader.may_have_workers for loader in loaders):
            yield from _find_given_cuda_values(source, dataset)
    for loader in loaders:
        if loader.workers is not None and loader.may_have_workers:
            yield from _find_in_collate(source, loader, loader.workers.description)


def _report_moves(source: SourceFile, dataset: ast.ClassDef, moves: Sequence[ast.Call]) -> Iterator[Finding]:
    """Report the moves of each method together, in the first place of them."""
    by_method: dict[Function | None, list[ast.Call]] = {}
    for call in moves:
        by_method.setdefault(source.module.find_function(call), []).append(call)
    for method, calls in by_method.items():
        calls.sort(key=lambda call: (call.lineno, call.col_offset))
        place, *others = (locate(source, call) for call in calls)
        where = f"{dataset.name}.{method.name}()" if method is not None else dataset.name
        message = f"{where} uses CUDA: {quote_expression(calls[0])}{name_other_lines(place, others)}"
        yield Finding(message, place)


def _find_given_cuda_values(source: SourceFile, dataset: ast.ClassDef) -> Iterator[Finding]:
    """Find a model or tensor on CUDA that is given to a dataset, and a CUDA device that its methods use."""
    module = source.module
    given = [pair for pair in find_given_values(module, dataset) if runs_on_windows(module, pair[1])]
    holds_model = _holds_model(module, dataset) or any(is_on_cuda(module, value) for _, value in given)
    step = "model" if holds_model else None
    for attribute, value in given:
        if is_on_cuda(module, value):
            message = f"{dataset.name} keeps {quote_expression(value)}, which is on CUDA, in self.{attribute}"
            yield Finding(message, locate(source, value), step=step)
        elif is_cuda_device(module, value):
            for call in _find_moves_to_attribute(module, dataset, attribute):
                method = module.find_function(call)
                where = f"{dataset.name}.{method.name}()" if method is not None else dataset.name
                used, device = quote_expression(call), quote_expression(value)
                message = f"{where} uses CUDA: {used}; self.{attribute} is {device}"
                yield Finding(message, locate(source, call), step=step)


def _holds_model(module: ParsedModule, dataset: ast.ClassDef) -> bool:
    """Return whether the dataset moves something to a device, keeps it, and calls it for its samples."""
    moved = {
        name
        for name, value in find_stored_values(find_constructor_methods(module, dataset))
        if isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in ("to", "cuda")
    }
    nodes = (node for function in find_worker_methods(module, dataset) for node in ast.walk(function))
    return any(isinstance(node, ast.Call) and find_self_attribute(node.func) in moved for node in nodes)


def _find_moves_to_attribute(
    module: ParsedModule, dataset: ast.ClassDef, attribute: str
) -> Iterator[ast.Call]:
    """Yield the calls of worker code that put something on the device in an attribute, not seen otherwise."""
    for function in find_worker_methods(module, dataset):
        for node in ast.walk(function):
            if not isinstance(node, ast.Call) or moves_to_cuda(module, node):
                continue
            is_move = isinstance(node.func, ast.Attribute) and node.func.attr == "to"
            device = find_argument(node, "device", 0 if is_move else len(node.args))
            if device is not None and find_self_attribute(device) == attribute:
                yield node


def _has_workers_only_on_cpu(module: ParsedModule, loader: Loader) -> bool:
    """Return whether the loader has no workers when the data is on the GPU, as in `0 if on_gpu else 4`."""
    if loader.workers is None or 0 not in find_possible_values(module, loader.workers.node):
        return False
    node = loader.workers.node
    values = [binding.value for binding in module.find_bindings(node)] if isinstance(node, ast.Name) else []
    return any(
        isinstance(value, ast.IfExp) and _DEVICE_TEST.search(ast.unparse(value.test))
        for value in [node, *values]
    )


def _find_cuda_moves(module: ParsedModule, function: Function) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and moves_to_cuda(module, node) and runs_on_windows(module, node):
            yield node


def _is_kept_by_dataset(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether the dataset keeps the CUDA value from its constructor, so that it is pickled."""
    if isinstance(call.func, ast.Attribute) and find_self_attribute(call.func.value) is not None:
        return True
    statement = module.find_statement(call)
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        whole_targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        targets = [
            part
            for target in whole_targets
            for part in (target.elts if isinstance(target, ast.Tuple) else [target])
        ]
        if any(find_self_attribute(target) is not None for target in targets):
            return not _is_moved_back_to_cpu(module, call)
        names = {target.id for target in targets if isinstance(target, ast.Name)}
    else:
        names = {node.id for node in ast.walk(call.func) if isinstance(node, ast.Name)}
    return any(_is_stored_in_attribute(module, name, call) for name in names)


def _is_stored_in_attribute(module: ParsedModule, name: str, call: ast.Call) -> bool:
    """Return whether the function that contains the call assigns the variable to an attribute of `self`."""
    function = module.find_function(call)
    return any(
        isinstance(binding.value, ast.Name)
        and binding.value.id == name
        and find_self_attribute(target) is not None
        for targets in module.attributes.values()
        for target, binding in targets
        if module.find_function(target) is function
    )


def _is_moved_back_to_cpu(module: ParsedModule, call: ast.Call) -> bool:
    for parent in module.ancestors(call):
        match parent:
            case ast.Attribute(attr="cpu" | "numpy" | "item" | "tolist"):
                return True
            case ast.stmt():
                return False
    return False


def _find_in_collate(source: SourceFile, loader: Loader, workers: str) -> Iterator[Finding]:
    """Find CUDA in the collate function of a loader, and in what is sent to the workers with it."""
    module = source.module
    collate = find_loader_argument(module, loader, "collate_fn")
    if isinstance(collate, ast.Name) and collate.id not in module.functions:
        collate = module.find_only_value(collate) or collate
    for call in _find_collate_moves(module, collate):
        message = f"collate_fn uses CUDA in a worker: {quote_expression(call)}; the loader has {workers}"
        yield Finding(message, locate(source, call))
    for value in _find_collate_values(module, collate):
        message = f"collate_fn keeps {quote_expression(value)}, which is on CUDA; the loader has {workers}"
        yield Finding(message, locate(source, value), step="model")


def _find_collate_values(module: ParsedModule, collate: ast.expr | None) -> Iterator[ast.expr]:
    """Yield the values on CUDA that a `partial` or an object is made with, or the object that makes some."""
    if not isinstance(collate, ast.Call) or not runs_on_windows(module, collate):
        return
    values = [*collate.args, *(each.value for each in collate.keywords)]
    if module.find_dotted_name(collate.func) == "functools.partial":
        yield from (value for value in values[1:] if is_on_cuda(module, value))
    elif module.find_dotted_name(collate.func)[:1].isupper():
        kept = [value for value in values if is_on_cuda(module, value)]
        yield from kept or ([collate] if moves_to_cuda(module, collate) else [])


def _find_collate_moves(module: ParsedModule, collate: ast.expr | None) -> Iterator[ast.Call]:
    match collate:
        case ast.Lambda():
            functions: Sequence[ast.AST] = [collate]
            devices = frozenset[str]()
        case ast.Name(id=name) if name in module.functions:
            functions, devices = [module.functions[name]], frozenset()
        case ast.Call():
            functions, devices = _find_called_later(module, collate)
        case _:
            return
    for node in (node for function in functions for node in ast.walk(function)):
        is_move = isinstance(node, ast.Call) and moves_to_cuda(module, node, devices)
        if isinstance(node, ast.Call) and is_move and runs_on_windows(module, node):
            yield node


def _find_called_later(module: ParsedModule, made: ast.Call) -> tuple[Sequence[ast.AST], frozenset[str]]:
    """Return the functions that a `partial` or an object runs for a batch, and the CUDA devices in them."""
    name = module.find_dotted_name(made.func)
    if name == "functools.partial" and made.args and isinstance(made.args[0], ast.Name):
        function = module.functions.get(made.args[0].id)
        inner = ast.Call(made.args[0], made.args[1:], made.keywords)
        functions: Sequence[ast.AST] = [function] if function is not None else []
    else:
        inner, owner = made, module.classes.get(name)
        called = find_methods(owner).get("__call__") if owner is not None else None
        functions = [called] if called is not None else []
    receiver = (
        find_receiver(module, inner, lambda value: is_cuda_device(module, value)) if functions else None
    )
    return functions, receiver.devices if receiver is not None else frozenset()
