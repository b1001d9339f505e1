"""A loader creates a CUDA stream without checking that CUDA is available."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.datasets import find_methods
from torchdoctor.source.idioms.loaders import is_loader_name
from torchdoctor.source.module.conditions import find_conditions
from torchdoctor.source.module.parsed import ParsedModule, parameter_names
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate

_FETCHER_NAME = re.compile(r"pre_?fetch|loader|fetcher|background|data_?iter", re.IGNORECASE)
_LOADER_NAME = re.compile(r"loader|data_?iter", re.IGNORECASE)
_ITERATION_METHODS = frozenset({"__iter__", "__next__", "next"})
_CUDA_TEST = re.compile(
    r"is_available|is_cuda|cuda_available|use_cuda|has_cuda|device_count|gpu|\.type\b|\bcuda\b|no_cuda|device",
    re.IGNORECASE,
)
_WORDS = ((b".Stream(", (b"oader", b"etch", b"ataIter")),)


@check(words=_WORDS)
def background_loader_stream(source: SourceFile) -> Iterator[Finding]:
    """Find CUDA streams that a loader or prefetcher creates without a test for CUDA."""
    module = source.module
    for call in module.calls:
        if module.find_dotted_name(call.func) != "torch.cuda.Stream":
            continue
        owner = _find_fetcher_name(module, call)
        if (
            owner is not None
            and runs_on_windows(module, call)
            and not _depends_on_cuda_test(module, call)
            and not _is_used_after_cuda_test(module, owner)
        ):
            yield Finding(f"{owner} makes a CUDA stream without a check for CUDA", locate(source, call))


def _find_fetcher_name(module: ParsedModule, call: ast.Call) -> str | None:
    """Return the name of the loader or prefetcher (a class or a function) that contains the call."""
    enclosing_class = module.find_class(call)
    if enclosing_class is not None:
        is_loader = any(is_loader_name(module, base) for base in module.find_base_names(enclosing_class))
        is_fetcher = is_loader or _FETCHER_NAME.search(enclosing_class.name) or _wraps_loader(enclosing_class)
        return enclosing_class.name if is_fetcher else None
    function = module.find_function(call)
    return function.name if function is not None and _FETCHER_NAME.search(function.name) else None


def _wraps_loader(node: ast.ClassDef) -> bool:
    """Return whether the class is created with a loader and can be iterated over."""
    methods = find_methods(node)
    parameters = parameter_names(methods["__init__"]) if "__init__" in methods else ()
    return bool(_ITERATION_METHODS & methods.keys()) and any(_LOADER_NAME.search(name) for name in parameters)


def _depends_on_cuda_test(module: ParsedModule, node: ast.AST) -> bool:
    return any(_tests_for_cuda(module, condition) for condition in find_conditions(module, node))


def _tests_for_cuda(module: ParsedModule, condition: ast.expr) -> bool:
    """Return whether the condition, or a value assigned to one of its names, refers to CUDA or a device."""
    values: list[ast.expr | None] = [condition]
    for node in ast.walk(condition):
        match node:
            case ast.Name():
                values += [binding.value for binding in module.find_bindings(node)]
            case ast.Attribute(attr=name):
                values += [binding.value for _, binding in module.attributes.get(name, ())]
    return any(value is not None and _CUDA_TEST.search(ast.unparse(value)) for value in values)


def _is_used_after_cuda_test(module: ParsedModule, owner: str) -> bool:
    """Return whether this file calls the class or function, and every call depends on a test for CUDA."""
    uses = [call for call in module.calls if module.find_dotted_name(call.func) == owner]
    return bool(uses) and all(_depends_on_cuda_test(module, call) for call in uses)
