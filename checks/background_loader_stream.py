"""A loader makes a CUDA stream without asking whether there is a GPU."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.facts import SourceFile
from torchdoctor.source.conditions import find_conditions
from torchdoctor.source.datasets import methods_of
from torchdoctor.source.loaders import is_loader_name
from torchdoctor.source.places import locate
from torchdoctor.source.platforms import runs_on_windows
from torchdoctor.source.view import View, parameter_names

_FETCHES = re.compile(r"pre_?fetch|loader|fetcher|background|data_?iter", re.IGNORECASE)
_LOADER = re.compile(r"loader|data_?iter", re.IGNORECASE)
_GIVES = frozenset({"__iter__", "__next__", "next"})
_ASKS = re.compile(
    r"is_available|is_cuda|cuda_available|use_cuda|has_cuda|device_count|gpu|\.type\b|\bcuda\b|no_cuda|device",
    re.IGNORECASE,
)


@check
def background_loader_stream(source: SourceFile) -> Iterator[Finding]:
    """Find streams that a loader or prefetcher makes whatever the device is."""
    view = source.view
    for call in view.calls:
        if view.canonical(call.func) != "torch.cuda.Stream":
            continue
        owner = _fetcher_around(view, call)
        if (
            owner is not None
            and runs_on_windows(view, call)
            and not _is_asked(view, call)
            and not _uses_asked(view, owner)
        ):
            yield Finding(f"{owner} makes a CUDA stream without a check for CUDA", locate(source, call))


def _fetcher_around(view: View, call: ast.Call) -> str | None:
    around = view.enclosing_class(call)
    if around is not None:
        derived = any(is_loader_name(view, base) for base in view.bases(around))
        return around.name if derived or _FETCHES.search(around.name) or _takes_loader(around) else None
    function = view.enclosing_function(call)
    return function.name if function is not None and _FETCHES.search(function.name) else None


def _takes_loader(around: ast.ClassDef) -> bool:
    """Tell whether a class is made from a loader and gives its batches one by one."""
    methods = methods_of(around)
    taken = parameter_names(methods["__init__"]) if "__init__" in methods else ()
    return bool(_GIVES & methods.keys()) and any(_LOADER.search(each) for each in taken)


def _is_asked(view: View, node: ast.AST) -> bool:
    return any(_asks(view, test) for test in find_conditions(view, node))


def _asks(view: View, test: ast.expr) -> bool:
    """Tell whether a condition asks for CUDA, also through a name that holds the answer."""
    values: list[ast.expr | None] = [test]
    for node in ast.walk(test):
        match node:
            case ast.Name():
                values += [each.value for each in view.find_bindings(node)]
            case ast.Attribute(attr=name):
                values += [binding.value for _, binding in view.attributes.get(name, ())]
    return any(each is not None and _ASKS.search(ast.unparse(each)) for each in values)


def _uses_asked(view: View, owner: str) -> bool:
    """Tell whether every use of the class or function in this file stands behind such a question."""
    uses = [call for call in view.calls if view.canonical(call.func) == owner]
    return bool(uses) and all(_is_asked(view, call) for call in uses)
