"""A loader creates a CUDA stream without checking that CUDA is available."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.edits.streams import make_stream_edit
from torchdoctor.source.idioms.loading.datasets import find_methods
from torchdoctor.source.idioms.loading.loaders import is_loader_name
from torchdoctor.source.module.conditions import is_conditional
from torchdoctor.source.module.nodes import parameter_names
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate

_FETCHER_NAME = re.compile(r"pre_?fetch|loader|fetcher|background|data_?iter", re.IGNORECASE)
_LOADER_NAME = re.compile(r"loader|data_?iter", re.IGNORECASE)
_ITERATION_METHODS = frozenset({"__iter__", "__next__", "next"})
_CUDA_TEST = re.compile(
    r"is_available|is_cuda|cuda_available|use_cuda|has_cuda|device_count|gpu|\.type\b|\bcuda\b|no_cuda|device",
    re.IGNORECASE,
)
_WORDS = (
    (b".Stream(", (b"oader", b"etch", b"ataIter")),
    (b"set_device(", (b"oader", b"etch", b"ackground", b"ataIter")),
    (b"current_stream(", (b"oader", b"etch", b"ataIter")),
)
_STREAM = "torch.cuda.Stream"
# How many of the assignments to a name are read; generated code may have thousands.
_MAX_BINDINGS = 50
# Longer code is not repeated in advice.
_MOST_CHARACTERS = 90
# What a loader does besides making its stream that also fails without a GPU, by the tag of the step for it.
_USES = {
    "torch.cuda.current_stream": ("use", "waits for a CUDA stream"),
    "torch.cuda.set_device": ("thread", "selects a CUDA device"),
}
_LAST_NAMES = frozenset(name.rpartition(".")[2] for name in (_STREAM, *_USES))
# A number of a device, of which torch.device makes an accelerator: without a GPU, that raises.
_DEVICE_NUMBER = re.compile(r"rank|gpu|index|ordinal|(?:^|_)id$", re.IGNORECASE)


@check(words=_WORDS)
def background_loader_stream(source: SourceFile) -> Iterator[Finding]:
    """Find what a loader or prefetcher does with CUDA streams and devices without a test for CUDA."""
    module = source.module
    found = []
    for call in module.find_calls(_LAST_NAMES.__contains__):
        name = module.find_dotted_name(call.func)
        owner = _find_fetcher_name(module, call) if name == _STREAM or name in _USES else None
        if owner is not None and _can_run_without_cuda(module, call, owner):
            found.append((owner, name, call))
    makes_stream = any(name == _STREAM for _, name, _ in found)
    edit = make_stream_edit(source, [call for _, _, call in found]) if found else None
    for owner, name, call in found:
        step, message = _USES.get(name, ("stream", "makes a CUDA stream"))
        # What uses a stream, and the thread behind it, are repaired together with what makes it.
        if step == "stream" or not makes_stream:
            text = f"{owner} {message} without a check for CUDA"
            yield Finding(text, locate(source, call), _list_evidence(module, call), edit=edit, step=step)
            # One edit repairs the file.
            edit = None


def _list_evidence(module: ParsedModule, call: ast.Call) -> dict[str, object]:
    """Return the values for the fields of the step: the call as it is in the code, and the stream."""
    statement = module.find_statement(call)
    match statement:
        case ast.Assign(targets=[target], value=value) if call in (value, getattr(value, "body", None)):
            evidence: dict[str, ast.AST] = {"stream": target, "call": call}
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=value, attr="wait_stream"), args=[stream])) if (
            value is call
        ):
            evidence = {"stream": stream, "call": statement}
        case _:
            evidence = {"call": call}
    texts = {name: ast.unparse(node) for name, node in evidence.items()}
    return {name: text for name, text in texts.items() if len(text) <= _MOST_CHARACTERS and "\n" not in text}


def _can_run_without_cuda(module: ParsedModule, call: ast.Call, owner: str) -> bool:
    return (
        runs_on_windows(module, call)
        and not _depends_on_cuda_test(module, call)
        and not _is_used_after_cuda_test(module, owner)
    )


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
    return is_conditional(module, node, _lets_cuda_decide)


def _lets_cuda_decide(module: ParsedModule, condition: ast.expr) -> bool:
    return _tests_for_cuda(module, condition) and not _makes_device_of_number(module, condition)


def _makes_device_of_number(module: ParsedModule, condition: ast.expr) -> bool:
    """Return whether the condition itself raises without a GPU: torch.device(0), torch.device(local_rank)."""
    for node in ast.walk(condition):
        if isinstance(node, ast.Call) and module.find_dotted_name(node.func) == "torch.device" and node.args:
            match node.args[0]:
                case ast.Constant(value=int()):
                    return True
                case ast.Name(id=name) | ast.Attribute(attr=name) if _DEVICE_NUMBER.search(name):
                    return True
    return False


def _tests_for_cuda(module: ParsedModule, condition: ast.expr) -> bool:
    """Return whether the condition, or a value assigned to one of its names, refers to CUDA or a device."""
    values: list[ast.expr | None] = [condition]
    for node in ast.walk(condition):
        match node:
            case ast.Name():
                values += [binding.value for binding in module.find_bindings(node)[:_MAX_BINDINGS]]
            case ast.Attribute(attr=name):
                values += [binding.value for _, binding in module.attributes.get(name, ())[:_MAX_BINDINGS]]
    return any(value is not None and _CUDA_TEST.search(ast.unparse(value)) for value in values)


def _is_used_after_cuda_test(module: ParsedModule, owner: str) -> bool:
    """Return whether this file calls the class or function, and every call depends on a test for CUDA."""
    uses = module.find_calls_of_name(owner)
    return bool(uses) and all(_depends_on_cuda_test(module, call) for call in uses)
