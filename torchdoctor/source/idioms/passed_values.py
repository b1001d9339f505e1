"""What a module passes to its own functions: by calls, through `partial`, and item by item with `map`."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.core.record import record
from torchdoctor.source.module.nodes import FUNCTIONS, Function, find_default, find_keyword, positional_names
from torchdoctor.source.module.parsed import ParsedModule

# Functions and methods that call a function with each item of the lists that follow it.
_MAPPERS = frozenset(
    {"map", "imap", "imap_unordered", "map_async", "process_map", "thread_map", "parallel_map", "filter"}
)
# A function that is called in more places is not followed.
_MOST_CALLS = 10
# A function that has more names after one another is not followed.
_MOST_NAMES = 3


@record
class Passed:
    """The arguments of a call; `are_lists` where each positional one is a list of arguments."""

    arguments: tuple[ast.expr, ...] = ()
    keywords: tuple[ast.keyword, ...] = ()
    are_lists: bool = False


@record
class PassedValue:
    """What is passed for a parameter; `is_item` if it is an item of the expression."""

    value: ast.expr | None
    is_item: bool = False


def find_passed_to(module: ParsedModule, function: Function, name: str) -> Sequence[PassedValue]:
    """Return what each call in the module passes for a parameter; None is what cannot be seen.

    Empty without calls, and with more than are followed.
    """
    calls = module.ask_once(_index_calls).get(function, ())
    return [_pick(module, each, function, name) for each in calls] if len(calls) <= _MOST_CALLS else []


def find_items_of_lambda(module: ParsedModule, name: ast.Name) -> ast.expr | None:
    """Return the list whose items `sorted`, `map` and the like give to a lambda for its only parameter."""
    function = module.find_scope(name)
    if not isinstance(function, ast.Lambda) or [each.arg for each in function.args.args] != [name.id]:
        return None
    parent = module.parents[function]
    match module.parents[parent] if isinstance(parent, ast.keyword) and parent.arg == "key" else parent:
        case ast.Call(func=ast.Name(id="map" | "filter"), args=[first, items]) if first is function:
            return items
        case ast.Call(func=ast.Name(id="sorted" | "natsorted" | "min" | "max"), args=[items]):
            return items if items is not function else None
        case ast.Call(func=ast.Attribute(value=items, attr="sort"), args=[]):
            return items
    return None


def _pick(module: ParsedModule, passed: Passed, function: Function, name: str) -> PassedValue:
    keyword = next((each.value for each in passed.keywords if each.arg == name), None)
    if keyword is not None:
        return PassedValue(keyword)
    names = positional_names(function)
    if isinstance(module.parents.get(function), ast.ClassDef) and not _is_static(function):
        names = names[1:]
    if any(isinstance(each, ast.Starred) for each in passed.arguments):
        return PassedValue(None)
    if name in names and names.index(name) < len(passed.arguments):
        return PassedValue(passed.arguments[names.index(name)], passed.are_lists)
    is_open = any(each.arg is None for each in passed.keywords)
    return PassedValue(None if is_open else find_default(function, name))


def _is_static(function: Function) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in function.decorator_list)


def _index_calls(module: ParsedModule) -> Mapping[Function, Sequence[Passed]]:
    """Return what is passed to each function of a module, in the order of the calls."""
    found: dict[Function, list[Passed]] = defaultdict(list)
    for call in module.calls:
        for function, passed in _list_passed(module, call):
            found[function].append(passed)
    return found


def _list_passed(module: ParsedModule, call: ast.Call) -> Iterator[tuple[Function, Passed]]:
    """Yield the functions of the module that a call runs, or lets something else run."""
    arguments, keywords = tuple(call.args), tuple(call.keywords)
    for function, given in _resolve(module, call.func):
        yield function, Passed((*given.arguments, *arguments), (*given.keywords, *keywords))
    last = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if isinstance(call.func, ast.Call) and call.func.args and _is_delayed(call.func):
        for function, given in _resolve(module, call.func.args[0]):
            yield function, Passed((*given.arguments, *arguments), (*given.keywords, *keywords))
    elif last == "Process":
        target, tuple_ = find_keyword(call, "target"), find_keyword(call, "args")
        values = tuple(tuple_.elts) if isinstance(tuple_, (ast.Tuple, ast.List)) else ()
        for function, _ in _resolve(module, target) if target is not None else ():
            yield function, Passed(values)
    elif arguments and last in _MAPPERS:
        for function, given in _resolve(module, arguments[0]):
            if not given.arguments:
                yield function, Passed(arguments[1:], given.keywords, are_lists=True)
    elif arguments and last == "submit":
        for function, given in _resolve(module, arguments[0]):
            yield function, Passed((*given.arguments, *arguments[1:]), (*given.keywords, *keywords))


def _is_delayed(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "delayed"


def _resolve(module: ParsedModule, named: ast.expr, depth: int = 0) -> Iterator[tuple[Function, Passed]]:
    """Yield the function of the module that an expression stands for, and what `partial` has passed to it."""
    match named:
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
            owner = module.find_class(named)
            yield from ((each, Passed()) for each in module.ask_once(_index_inner).get((owner, name), ()))
        case ast.Attribute(value=ast.Name(id=owner_name), attr=name) if owner_name in module.classes:
            owner = module.classes[owner_name]
            methods = module.ask_once(_index_inner).get((owner, name), ())
            yield from ((each, Passed()) for each in methods if _is_static(each))
        case ast.Attribute(value=ast.Name() as value, attr=name):
            made = module.find_only_value(value)
            if isinstance(made, ast.Call) and isinstance(made.func, ast.Name):
                owner = module.classes.get(made.func.id)
                methods = module.ask_once(_index_inner).get((owner, name), ())
                yield from ((each, Passed()) for each in methods)
        case ast.Name(id=name):
            yield from _resolve_name(module, named, name, depth)
        case ast.Call(func=func, args=[inner, *arguments], keywords=keywords) if depth < _MOST_NAMES:
            if module.find_dotted_name(func) == "functools.partial":
                for function, given in _resolve(module, inner, depth + 1):
                    yield (
                        function,
                        Passed((*given.arguments, *arguments), (*given.keywords, *keywords)),
                    )


def _resolve_name(
    module: ParsedModule, named: ast.Name, name: str, depth: int
) -> Iterator[tuple[Function, Passed]]:
    if (value := module.find_only_value(named)) is not None:
        if isinstance(value, (ast.Call, ast.Name)) and depth < _MOST_NAMES:
            yield from _resolve(module, value, depth + 1)
        return
    if local := module.ask_once(_index_inner).get((module.find_scope(named), name)):
        yield local[0], Passed()
    elif (function := module.functions.get(name)) is not None:
        yield function, Passed()
    elif (owner := module.classes.get(name)) is not None:
        methods = module.ask_once(_index_inner).get((owner, "__init__"), ())
        yield from ((each, Passed()) for each in methods)


def _index_inner(module: ParsedModule) -> Mapping[tuple[ast.AST | None, str], Sequence[Function]]:
    """Return the methods and the functions in functions, by what they stand in and their name."""
    found: dict[tuple[ast.AST | None, str], list[Function]] = defaultdict(list)
    for kind in FUNCTIONS:
        for each in module.nodes.get(kind, ()):
            if isinstance(each, FUNCTIONS):
                found[(module.find_scope(each), each.name)].append(each)
    return found
