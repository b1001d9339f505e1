"""A loader makes a CUDA stream without asking whether there is a GPU."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.datasets import methods_of
from torchdoctor.source.idioms.loaders import is_loader_name
from torchdoctor.source.module.conditions import find_conditions
from torchdoctor.source.module.parsed import ParsedModule, parameter_names
from torchdoctor.source.module.places import locate
from torchdoctor.source.module.platforms import runs_on_windows

_FETCHES = re.compile(r"pre_?fetch|loader|fetcher|background|data_?iter", re.IGNORECASE)
_LOADER = re.compile(r"loader|data_?iter", re.IGNORECASE)
_GIVES = frozenset({"__iter__", "__next__", "next"})
_ASKS = re.compile(
    r"is_available|is_cuda|cuda_available|use_cuda|has_cuda|device_count|gpu|\.type\b|\bcuda\b|no_cuda|device",
    re.IGNORECASE,
)
_WORDS = ((b".Stream(", (b"oader", b"etch", b"ataIter")),)


@check(words=_WORDS)
def background_loader_stream(source: SourceFile) -> Iterator[Finding]:
    """Find streams that a loader or prefetcher makes whatever the device is."""
    module = source.module
    for call in module.calls:
        if module.canonical(call.func) != "torch.cuda.Stream":
            continue
        owner = _fetcher_around(module, call)
        if (
            owner is not None
            and runs_on_windows(module, call)
            and not _is_asked(module, call)
            and not _uses_asked(module, owner)
        ):
            yield Finding(f"{owner} makes a CUDA stream without a check for CUDA", locate(source, call))


def _fetcher_around(module: ParsedModule, call: ast.Call) -> str | None:
    around = module.enclosing_class(call)
    if around is not None:
        derived = any(is_loader_name(module, base) for base in module.bases(around))
        return around.name if derived or _FETCHES.search(around.name) or _takes_loader(around) else None
    function = module.enclosing_function(call)
    return function.name if function is not None and _FETCHES.search(function.name) else None


def _takes_loader(around: ast.ClassDef) -> bool:
    """Tell whether a class is made from a loader and gives its batches one by one."""
    methods = methods_of(around)
    taken = parameter_names(methods["__init__"]) if "__init__" in methods else ()
    return bool(_GIVES & methods.keys()) and any(_LOADER.search(each) for each in taken)


def _is_asked(module: ParsedModule, node: ast.AST) -> bool:
    return any(_asks(module, test) for test in find_conditions(module, node))


def _asks(module: ParsedModule, test: ast.expr) -> bool:
    """Tell whether a condition asks for CUDA, also through a name that holds the answer."""
    values: list[ast.expr | None] = [test]
    for node in ast.walk(test):
        match node:
            case ast.Name():
                values += [each.value for each in module.find_bindings(node)]
            case ast.Attribute(attr=name):
                values += [binding.value for _, binding in module.attributes.get(name, ())]
    return any(each is not None and _ASKS.search(ast.unparse(each)) for each in values)


def _uses_asked(module: ParsedModule, owner: str) -> bool:
    """Tell whether every use of the class or function in this file stands behind such a question."""
    uses = [call for call in module.calls if module.canonical(call.func) == owner]
    return bool(uses) and all(_is_asked(module, call) for call in uses)
