"""The loaders with workers that a module builds, and those that functions of other files build for it."""

import ast
from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.core.record import record
from torchdoctor.source.idioms.loading.loaders import (
    Loader,
    Workers,
    evaluate_workers,
    find_loader_argument,
    find_loaders,
)
from torchdoctor.source.module.arguments import find_passed_argument
from torchdoctor.source.module.nodes import FUNCTIONS, Function, find_default, find_keyword
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows

# What a loader sends to its workers.
_SENT = ("dataset", "collate_fn", "worker_init_fn")


@record
class GivenLoader:
    """A call of a module that builds a loader which may have workers, and what it gives for the workers."""

    call: ast.Call
    workers: Workers
    given: Mapping[str, ast.expr]


def find_given_loaders(module: ParsedModule) -> Sequence[GivenLoader]:
    """Return the loaders of a module that may have workers, its own ones first."""
    return module.ask_once(_find_given_loaders)


def _find_given_loaders(module: ParsedModule) -> Sequence[GivenLoader]:
    found = []
    for loader in find_loaders(module):
        if loader.workers is not None and loader.may_have_workers:
            values = {name: find_loader_argument(module, loader, name) for name in _SENT}
            given = {name: value for name, value in values.items() if value is not None}
            found.append(GivenLoader(loader.call, loader.workers, given))
    return [*found, *_find_helped(module)]


def _find_helped(module: ParsedModule) -> Iterator[GivenLoader]:
    """Yield the calls of functions of other files of the project that build a loader with their arguments."""
    for name, calls in module.find_calls_by_name(lambda last: "oader" in last).items():
        is_helper = name not in module.functions
        owner, function = module.find_imported(name) or (module, None) if is_helper else (module, None)
        if not isinstance(function, FUNCTIONS):
            continue
        inner = [each for each in find_loaders(owner) if owner.find_function(each.call) is function]
        for call in (each for each in calls if runs_on_windows(module, each)):
            for loader in inner:
                workers = _find_workers(module, call, owner, function, loader)
                if workers is not None and (workers.most is None or workers.most > 0):
                    yield GivenLoader(call, workers, _find_given(call, owner, function, loader))


def _find_workers(
    module: ParsedModule, call: ast.Call, owner: ParsedModule, function: Function, loader: Loader
) -> Workers | None:
    """Return the workers of a loader of another file for a call of the function that builds it."""
    if loader.workers is None:
        passed = find_keyword(call, "num_workers") if function.args.kwarg is not None else None
        return evaluate_workers(module, passed) if passed is not None else None
    node = loader.workers.node
    if not isinstance(node, ast.Name) or owner.find_parameter(node) is not function:
        return loader.workers
    if owner.find_bindings(node):
        # The function changes it.
        return loader.workers
    passed = find_passed_argument(owner, call, function, node.id)
    if passed is not None:
        return evaluate_workers(module, passed)
    default = find_default(function, node.id)
    return evaluate_workers(owner, default) if default is not None else None


def _find_given(
    call: ast.Call, owner: ParsedModule, function: Function, loader: Loader
) -> Mapping[str, ast.expr]:
    """Return what a call passes to a function that gives it to its loader as it is."""
    given = {}
    for name in _SENT:
        inner = find_loader_argument(owner, loader, name)
        if isinstance(inner, ast.Name) and owner.find_parameter(inner) is function:
            passed = find_passed_argument(owner, call, function, inner.id)
            if passed is not None:
                given[name] = passed
    return given
