"""The names of files and folders that a module makes, and the characters in them that Windows refuses."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.source.module.nodes import find_argument, find_keyword
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.reaching import find_reaching_bindings

# Functions whose first argument, or the one of this name, is a path that they make.
_MAKERS = {
    "os.makedirs": ("name", 0),
    "os.mkdir": ("path", 0),
    "torch.save": ("f", 1),
    "numpy.save": ("file", 0),
    "numpy.savez": ("file", 0),
    "numpy.savez_compressed": ("file", 0),
    "numpy.savetxt": ("fname", 0),
    "matplotlib.pyplot.savefig": ("fname", 0),
    "cv2.imwrite": ("filename", 0),
    "torchvision.utils.save_image": ("fp", 1),
    "torch.utils.tensorboard.SummaryWriter": ("log_dir", 0),
    "tensorboardX.SummaryWriter": ("logdir", 0),
}
_METHODS = ("savefig", "to_csv", "save_pretrained")
_OPENERS = ("open", "io.open")
_CALLS = frozenset((*(name.rpartition(".")[2] for name in (*_MAKERS, *_OPENERS)), *_METHODS))
# A colon behind the first letter or field ends the name of a drive.
_REFUSED = re.compile(r'[|?*<>"]|(?<!^)(?<!^[A-Za-z])(?<!^\{\}):(?![/\\])')
_OTHER_KINDS = re.compile(r"^\\\\[?.]\\|://|^(?:file|data|memory):|^/proc/|^/dev/")
_MAX_DEPTH = 4


def find_refused_characters(module: ParsedModule) -> Iterator[tuple[ast.Call, str]]:
    """Yield the calls that make a file or folder of which the name has a character that Windows refuses."""
    for call in module.find_calls(_CALLS.__contains__):
        path = _find_path(module, call)
        parts = [*_find_parts(module, path, 0)] if path is not None else []
        if any(_OTHER_KINDS.search(each) for each in parts):
            continue
        found = (match[0] for each in parts if (match := _REFUSED.search(each)) is not None)
        if (character := next(found, None)) is not None:
            yield call, character


def _find_path(module: ParsedModule, call: ast.Call) -> ast.expr | None:
    """Return the path of what a call makes; None for other calls."""
    name = module.find_dotted_name(call.func)
    if name in _MAKERS:
        return find_argument(call, *_MAKERS[name])
    if name in _OPENERS:
        mode = find_argument(call, "mode", 1)
        writes = isinstance(mode, ast.Constant) and any(each in str(mode.value) for each in "wax")
        return find_argument(call, "file", 0) if writes else None
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS
    return call.args[0] if is_method and call.args and find_keyword(call, "uri") is None else None


def _find_parts(module: ParsedModule, node: ast.expr, depth: int) -> Iterator[str]:
    """Yield the constant parts of a path; with {} for each field."""
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.JoinedStr(values=values):
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "{}" for each in values)
        case ast.BinOp(left=left, op=ast.Add() | ast.Div(), right=right):
            yield from _find_parts(module, left, depth)
            yield from _find_parts(module, right, depth)
        case ast.BinOp(left=ast.Constant(value=str() as text), op=ast.Mod()):
            yield re.sub(r"%[-+ #0]*[\d.*]*[a-zA-Z]", "{}", text)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str() as text), attr="format")):
            yield re.sub(r"\{[^{}]*\}", "{}", text)
        case ast.Call(func=func, args=arguments) if _joins(module, func):
            for each in arguments:
                yield from _find_parts(module, each, depth)
        case ast.Name() if depth < _MAX_DEPTH:
            bindings = find_reaching_bindings(module, node)
            if len(bindings) == 1 and bindings[0].index is None and bindings[0].value is not None:
                yield from _find_parts(module, bindings[0].value, depth + 1)


def _joins(module: ParsedModule, func: ast.expr) -> bool:
    return module.find_dotted_name(func) in ("os.path.join", "pathlib.Path", "str", "os.fspath")
