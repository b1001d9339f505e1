"""The texts of the commands that a module gives to a shell or to another program."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from torchdoctor.source.module.arguments import find_passed_argument
from torchdoctor.source.module.bindings import Binding
from torchdoctor.source.module.nodes import Function
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows, windows_verdict
from torchdoctor.source.module.reaching import find_reaching_bindings

# How far the text of a command is followed through names, and how many texts it may have.
_MAX_DEPTH = 4
_MOST_TEXTS = 8
# A function that runs commands is called more often in generated code only.
_MOST_CALLS = 50
_PLAIN_ARGUMENT = re.compile(r"[\w./-]+$")


def find_command_texts(module: ParsedModule, call: ast.Call) -> Iterator[tuple[ast.Call, str]]:
    """Yield the texts of the command that a call runs, its first argument, each with the call that it is of.

    That is a call of a function of this module, where the function runs what it is given.
    """
    command = call.args[0]
    yield from ((call, text) for text in find_texts(module, command))
    function = module.find_parameter(command) if isinstance(command, ast.Name) else None
    if function is None or not isinstance(command, ast.Name) or module.find_bindings(command):
        return
    for caller in module.calls_by_name.get(function.name, ())[:_MOST_CALLS]:
        if _names_function(module, caller.func, function) and runs_on_windows(module, call):
            passed = find_passed_argument(module, caller, function, command.id)
            yield from ((caller, text) for text in (find_texts(module, passed) if passed is not None else ()))


def _names_function(module: ParsedModule, node: ast.expr, function: Function) -> bool:
    """Return whether an expression is a function of this module, or a method of the object at hand."""
    match node:
        case ast.Name(id=name):
            return module.functions.get(name) is function
        case ast.Attribute(value=ast.Name(id="self")):
            return module.parents[function] is module.find_class(node)
    return False


def find_texts(module: ParsedModule, node: ast.expr, depth: int = 0) -> Sequence[str]:
    """Return the texts that an expression can have on Windows, with {} for parts that are not known.

    A text of which the start is not known is left out.
    """
    return tuple(islice(dict.fromkeys(_find_texts(module, node, depth)), _MOST_TEXTS))


def _find_texts(module: ParsedModule, node: ast.expr, depth: int) -> Iterable[str]:
    match node:
        case ast.Constant(value=str() as text):
            return (text,)
        case ast.JoinedStr(values=[ast.Constant(), *_] as values):
            parts = (str(each.value) if isinstance(each, ast.Constant) else "{}" for each in values)
            return ("".join(parts),)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            ends = find_texts(module, right, depth) or ("{}",)
            return map("".join, product(find_texts(module, left, depth), ends))
        case ast.BinOp(left=left):
            return find_texts(module, left, depth)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="shlex"), attr="split"), args=[value, *_]):
            return find_texts(module, value, depth)
        case ast.Call(func=ast.Attribute(value=value, attr="format" | "split")):
            return find_texts(module, value, depth)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=" "), attr="join"), args=[value]):
            return find_texts(module, value, depth)
        case ast.List(elts=[ast.Constant(value=str() as first), *others]):
            return (" ".join((first, *map(_write_argument, others), "")),)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            verdict = windows_verdict(module, test)
            chosen = {True: [body], False: [orelse], None: [body, orelse]}[verdict]
            return (text for each in chosen for text in find_texts(module, each, depth))
        case ast.Name() if depth < _MAX_DEPTH:
            return _find_bound_texts(module, node, depth)
        case ast.Attribute(value=ast.Name(id="self")) if depth < _MAX_DEPTH:
            return _find_attribute_texts(module, node, depth)
    return ()


def _write_argument(node: ast.expr) -> str:
    """Return an item of a list as an argument in a text; in quotes what a shell would read in another way."""
    match node:
        case ast.Constant(value=str() as text) if _PLAIN_ARGUMENT.match(text):
            return text
    return '"{}"'


def _find_bound_texts(module: ParsedModule, name: ast.Name, depth: int) -> Iterator[str]:
    """Yield the texts that a name can have, each with all that `+=` can add to it."""
    bindings = [each for each in find_reaching_bindings(module, name) if _is_live(module, each)]
    added = [each for each in bindings if isinstance(each.statement, ast.AugAssign)]
    ends = (_find_added_text(module, each, depth) for each in added)
    end = "".join(ends) if len(added) <= _MOST_TEXTS else ""
    texts = [text for each in bindings for text in _find_own_texts(module, each, depth)]
    if not texts and added:
        texts = ["{}"]
    yield from (text + end for text in texts)


def _find_attribute_texts(module: ParsedModule, node: ast.Attribute, depth: int) -> Iterable[str]:
    """Return the texts of an attribute that its class assigns once."""
    owner, targets = module.find_class(node), module.attributes.get(node.attr, ())
    found = [binding for target, binding in targets[:_MOST_CALLS] if module.find_class(target) is owner]
    return _find_own_texts(module, found[0], depth) if len(found) == 1 else ()


def _is_live(module: ParsedModule, binding: Binding) -> bool:
    statement = module.parents[binding.statement] if isinstance(binding.statement, ast.withitem) else None
    return runs_on_windows(module, statement or binding.statement)


def _find_added_text(module: ParsedModule, binding: Binding, depth: int) -> str:
    match binding.statement:
        case ast.AugAssign(value=value):
            return next(iter(find_texts(module, value, depth + 1)), "{}")
    return ""


def _find_own_texts(module: ParsedModule, binding: Binding, depth: int) -> Iterable[str]:
    """Return the texts that an assignment gives; in a loop over a list that is written out, all of them."""
    match binding.statement:
        case ast.For(iter=items) if binding.index is None:
            items = (module.find_only_value(items) if isinstance(items, ast.Name) else None) or items
            elements = items.elts if isinstance(items, (ast.List, ast.Tuple)) else []
            return (text for each in elements for text in find_texts(module, each, depth + 1))
    if binding.value is None or binding.index is not None:
        return ()
    return find_texts(module, binding.value, depth + 1)
