"""The objects that hold settings, followed to where a project makes them, and the values of their members."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from torchdoctor.core.record import record
from torchdoctor.source.module.arguments import find_calls_of, find_passed_argument
from torchdoctor.source.module.bindings import Binding
from torchdoctor.source.module.command_options import find_option_defaults
from torchdoctor.source.module.nodes import FUNCTIONS, Function, find_annotation, find_items, find_keyword
from torchdoctor.source.module.parsed import ParsedModule

_MAX_DEPTH = 8
# An object that is made in more places is not followed.
_MOST_PLACES = 4
# Methods whose result, or the first part of it, is all options of a command line.
_PARSING_METHODS = frozenset(
    {"parse_args", "parse_known_args", "parse_intermixed_args", "parse_known_intermixed_args"}
)
# Methods that return a copy of their object.
_COPYING_METHODS = frozenset({"clone", "copy"})
# Functions and classes whose result has the members of their argument, by the last part of their name.
_PASSING_CALLS = frozenset(
    {"deepcopy", "copy", "EasyDict", "edict", "Munch", "Box", "AttrDict", "DotDict", "create", "DictConfig"}
)
# Classes whose keywords are the members of their instance, by the last part of their name.
_HOLDERS = frozenset(
    {"dict", "Namespace", "SimpleNamespace", "EasyDict", "edict", "Munch", "Box", "AttrDict"}
)
# Functions that make an object of the class that they are given.
_MAKING_CALLS = frozenset({"tyro.cli", "simple_parsing.parse", "pyrallis.parse", "draccus.parse", "cli"})
# Bases in other files are followed so far.
_MAX_BASES = 4


@record
class Origin:
    """Where an object comes from: its class, or the call or dictionary that makes it, and the file of it.

    `names` are those under which that file gives it further members. `made` is the call that makes an
    instance of a class, and the file of the call.
    """

    module: ParsedModule
    node: ast.AST
    names: tuple[str, ...] = ()
    made: tuple[ParsedModule, ast.Call] | None = None


def find_members(
    module: ParsedModule, value: ast.expr, name: str, depth: int = 0
) -> list[tuple[ParsedModule, ast.expr]]:
    """Return the values of an attribute or item of an object, each with the module that it stands in."""
    origins = _ask_origins(module, value, depth)
    return [member for origin in origins for member in _list_members(origin, name, depth)]


def _ask_origins(module: ParsedModule, node: ast.expr, depth: int) -> Sequence[Origin]:
    """Return the answer of `_find_origins`, which is asked for each expression and depth only once."""
    return module.ask_once(_find_origins, node, depth) if depth <= _MAX_DEPTH else ()


def _find_origins(module: ParsedModule, node: ast.expr, depth: int) -> Sequence[Origin]:
    """Return where the object that an expression stands for comes from; () if that is not known."""
    found: Iterator[Origin] = iter(())
    match node:
        case ast.Name():
            found = _follow_name(module, node, depth)
        case (
            ast.Attribute(value=value, attr=name)
            | ast.Subscript(value=value, slice=ast.Constant(value=str() as name))
        ):
            found = _follow_member(module, node, value, name, depth)
        case ast.Subscript(value=value, slice=ast.Constant(value=int() as index)):
            items = _find_items(module, value, index, depth + 1)
            found = (origin for each in items for origin in _ask_origins(module, each, depth + 1))
        case ast.Call():
            found = _follow_call(module, node, depth)
        case ast.Dict():
            found = iter((Origin(module, node),))
        case ast.IfExp(body=first, orelse=second) | ast.BoolOp(values=[first, second]):
            found = iter((*_ask_origins(module, first, depth + 1), *_ask_origins(module, second, depth + 1)))
    return tuple(found)


def _find_items(module: ParsedModule, value: ast.expr, index: int, depth: int) -> Sequence[ast.expr]:
    """Return what can be at a position of a list or tuple that this file makes; () if it is not known."""
    return module.ask_once(_find_items_once, value, index, depth) if depth <= _MAX_DEPTH else ()


def _find_items_once(module: ParsedModule, value: ast.expr, index: int, depth: int) -> Sequence[ast.expr]:
    match value:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            is_known = index < len(items) and not any(isinstance(each, ast.Starred) for each in items)
            return (items[index],) if is_known else ()
        case ast.ListComp(elt=item):
            return (item,)
        case ast.Name(id=name):
            function = module.find_parameter(value)
            calls = find_calls_of(module, function) if function is not None else ()
            lists = [find_passed_argument(module, each, function, name) for each in calls if function]
            lists += [each.value for each in module.find_bindings(value) if each.index is None]
            found = [_find_items(module, each, index, depth + 1) for each in lists if each is not None]
            found.append(module.ask_once(_index_appended).get((module.find_binding_scope(value), name), ()))
            items = [item for each in found for item in each]
            return items if max(len(lists), len(items)) <= _MOST_PLACES else ()
    return ()


def _index_appended(module: ParsedModule) -> Mapping[tuple[ast.AST, str], Sequence[ast.expr]]:
    """Return what is appended to each list, by the scope and the name of the list."""
    items: dict[tuple[ast.AST, str], list[ast.expr]] = defaultdict(list)
    for call in module.calls_by_name.get("append", ()):
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name) as target), args=[item]):
                items[module.find_binding_scope(target), name].append(item)
    return items


def _follow_name(module: ParsedModule, name: ast.Name, depth: int) -> Iterator[Origin]:
    function = module.find_parameter(name)
    if function is not None:
        yield from _follow_parameter(module, function, name.id, depth)
    elif name.id in ("self", "cls") and (owner := module.find_class(name)) is not None:
        yield Origin(module, owner)
    elif (bindings := module.find_bindings(name)) and len(bindings) <= _MOST_PLACES:
        yield from (origin for each in bindings for origin in _follow_binding(module, each, name.id, depth))
    elif (local := module.classes.get(name.id)) is not None:
        yield Origin(module, local)
    elif name.id in module.aliases:
        yield from _follow_import(module, module.aliases[name.id], depth)


def _follow_binding(module: ParsedModule, binding: Binding, name: str, depth: int) -> Iterator[Origin]:
    value = binding.value
    is_first = binding.index == 0 and isinstance(value, ast.Call) and _parses_options(value)
    if value is None or not (binding.index is None or is_first):
        return
    for origin in _ask_origins(module, value, depth + 1):
        is_local = origin.module is module and name not in origin.names
        yield replace(origin, names=(*origin.names, name)) if is_local else origin


def _follow_parameter(module: ParsedModule, function: Function, name: str, depth: int) -> Iterator[Origin]:
    """Yield the origins of what the calls of a function pass, or that of the class in its annotation."""
    if name == "self" or (name == "cls" and module.find_class(function) is not None):
        owner = module.find_class(function)
        if owner is not None:
            yield Origin(module, owner)
        return
    annotation = find_annotation(function, name)
    if isinstance(annotation, (ast.Name, ast.Attribute)):
        yield from _follow_class(module, annotation)
    calls = find_calls_of(module, function)
    for call in calls if len(calls) <= _MOST_PLACES else ():
        passed = find_passed_argument(module, call, function, name)
        if passed is not None:
            yield from _ask_origins(module, passed, depth + 1)


def _follow_class(module: ParsedModule, named: ast.expr) -> Iterator[Origin]:
    """Yield the class of the project that an expression names."""
    dotted = module.find_dotted_name(named)
    if (local := module.classes.get(dotted)) is not None:
        yield Origin(module, local)
    elif (found := module.find_imported(dotted)) is not None and isinstance(found[1], ast.ClassDef):
        yield Origin(*found)


def _follow_import(module: ParsedModule, dotted: str, depth: int) -> Iterator[Origin]:
    """Yield the origins of a name of another file of the project."""
    found = module.place.find_name(dotted) if module.place is not None else None
    if found is None:
        return
    owner, name, rest = found
    node: ast.expr = ast.Name(name, ast.Load())
    for each in rest:
        node = ast.Attribute(node, each, ast.Load())
    yield from _ask_origins(owner, node, depth + 1)


def _follow_member(
    module: ParsedModule, node: ast.Attribute | ast.Subscript, value: ast.expr, name: str, depth: int
) -> Iterator[Origin]:
    members = find_members(module, value, name, depth + 1)
    for owner, member in members if len(members) <= _MOST_PLACES else ():
        for origin in _ask_origins(owner, member, depth + 1):
            # `cfg.TRAIN = edict()` gets its members as `cfg.TRAIN.WORKERS = 4`, in the same file.
            is_made_there = origin.node is member
            yield replace(origin, names=_name_member(owner, member)) if is_made_there else origin
    if not members and isinstance(node, ast.Attribute):
        dotted = module.find_dotted_name(node)
        if "." in dotted:
            yield from _follow_import(module, dotted, depth)


def _name_member(module: ParsedModule, value: ast.expr) -> tuple[str, ...]:
    """Return the attribute that an assignment gives a value to, as it is written."""
    match module.parents.get(value):
        case (
            ast.Assign(targets=[ast.Attribute() as target]) | ast.AnnAssign(target=ast.Attribute() as target)
        ):
            return (ast.unparse(target),)
    return ()


def _parses_options(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in _PARSING_METHODS


def _follow_call(module: ParsedModule, call: ast.Call, depth: int) -> Iterator[Origin]:
    dotted = module.find_dotted_name(call.func)
    last = dotted.rpartition(".")[2]
    definition = module.classes.get(dotted) or module.functions.get(dotted)
    found = (module, definition) if definition is not None else module.find_imported(dotted)
    if found is not None and isinstance(found[1], ast.ClassDef):
        yield Origin(*found, made=(module, call))
    elif found is not None:
        yield from _follow_definition(*found, depth)
    elif dotted in _MAKING_CALLS and call.args:
        yield from _follow_class(module, call.args[0])
    elif (
        last == "field"
        and (made := find_keyword(call, "default_factory") or find_keyword(call, "default")) is not None
    ):
        made = made.body if isinstance(made, ast.Lambda) else made
        yield from _follow_class(module, made)
        if isinstance(made, ast.Call):
            yield from _ask_origins(module, made, depth + 1)
    elif last in _PASSING_CALLS and call.args:
        yield from _ask_origins(module, call.args[0], depth + 1)
    elif isinstance(call.func, ast.Attribute) and call.func.attr in _COPYING_METHODS:
        yield from _ask_origins(module, call.func.value, depth + 1)
    elif _parses_options(call):
        yield Origin(module, call)
    else:
        methods = list(_find_called_methods(module, call, depth))
        yield from (
            origin for owner, method in methods for origin in _follow_definition(owner, method, depth)
        )
        if not methods:
            yield Origin(module, call)


def _follow_definition(
    module: ParsedModule, definition: Function | ast.ClassDef, depth: int
) -> Iterator[Origin]:
    """Yield an instance of a class, or the origins of what a function returns."""
    if isinstance(definition, ast.ClassDef):
        yield Origin(module, definition)
        return
    for value in module.find_returned_values(definition)[:_MOST_PLACES]:
        yield from _ask_origins(module, value, depth + 1)


def _find_called_methods(
    module: ParsedModule, call: ast.Call, depth: int
) -> Iterator[tuple[ParsedModule, Function]]:
    """Yield the methods of classes of the project that a call runs."""
    if not isinstance(call.func, ast.Attribute):
        return
    for origin in _ask_origins(module, call.func.value, depth + 1):
        for owner, node in _list_classes(origin):
            method = next(
                (each for each in node.body if isinstance(each, FUNCTIONS) and each.name == call.func.attr),
                None,
            )
            if method is not None:
                yield owner, method
                break


def _list_classes(origin: Origin) -> Iterator[tuple[ParsedModule, ast.ClassDef]]:
    """Yield the class of an object and its bases, in any file of the project, the class itself first."""
    if not isinstance(origin.node, ast.ClassDef):
        return
    pending = [(origin.module, origin.node)]
    seen: set[ast.AST] = set()
    while pending and len(seen) <= _MAX_BASES:
        module, node = pending.pop(0)
        if node in seen:
            continue
        seen.add(node)
        yield module, node
        for base in node.bases:
            pending += [
                (each.module, each.node)
                for each in _follow_class(module, base)
                if isinstance(each.node, ast.ClassDef)
            ]


def _list_members(origin: Origin, name: str, depth: int) -> list[tuple[ParsedModule, ast.expr]]:
    """Return the values of a member of an object that is made somewhere."""
    module = origin.module
    match origin.node:
        case ast.ClassDef():
            return _list_attributes(origin, name)
        case ast.Call() as call if _parses_options(call):
            owners = module.ask_once(_find_option_files, call, depth)
            found = ((owner, find_option_defaults(owner, name)) for owner in owners)
            declared = next(([(owner, each) for each in values] for owner, values in found if values), [])
            declared = [each for each in declared if _is_beside(module, call, *each)] or declared
            return [*declared, *((module, each) for each in _list_later_members(origin, name))]
        case ast.Dict() as dictionary:
            own = list(find_items(dictionary, name))
        case ast.Call(func=func) as call:
            is_holder = module.find_dotted_name(func).rpartition(".")[2] in _HOLDERS
            own = [each.value for each in call.keywords if is_holder and each.arg == name]
        case _:
            return []
    return [(module, each) for each in (*own, *_list_later_members(origin, name))]


def _is_beside(module: ParsedModule, call: ast.Call, owner: ParsedModule, default: ast.expr) -> bool:
    """Return whether an option is declared in the function that parses the options."""
    return owner is module and module.find_function(default) is module.find_function(call)


def _list_later_members(origin: Origin, name: str) -> Iterator[ast.expr]:
    """Yield the values that an object is given for a member after it was made, in the same file."""
    for target, binding in origin.module.attributes.get(name, ()) if origin.names else ():
        value = binding.value if binding.index is None else None
        if value is not None and ast.unparse(target.value) in origin.names:
            yield value


def _list_attributes(origin: Origin, name: str) -> list[tuple[ParsedModule, ast.expr]]:
    """Return the values of an attribute of a class, or else of its bases."""
    for module, node in _list_classes(origin):
        bindings = [
            *module.bindings.get((node, name), ()),
            *(
                binding
                for target, binding in module.attributes.get(name, ())
                if isinstance(target.value, ast.Name)
                and target.value.id in ("self", "cls")
                and module.find_class(target) is node
            ),
        ]
        found = [(module, each.value) for each in bindings if each.value is not None and each.index is None]
        if found:
            passed = [_find_passed(module, node, value, origin, name) for _, value in found]
            return [given or each for given, each in zip(passed, found, strict=True)]
    return []


def _find_passed(
    module: ParsedModule, owner: ast.ClassDef, value: ast.expr, origin: Origin, name: str
) -> tuple[ParsedModule, ast.expr] | None:
    """Return what the call that makes an object passes for the value of its attribute, None if nothing."""
    if origin.made is None or owner is not origin.node:
        return None
    caller, call = origin.made
    function = module.find_function(value)
    if function is None:
        # A field of a dataclass.
        passed = find_keyword(call, name)
    elif function.name != "__init__":
        return None
    else:
        passed = _find_argument(module, call, function, value)
    return (caller, passed) if passed is not None else None


def _find_argument(
    module: ParsedModule, call: ast.Call, function: Function, value: ast.expr
) -> ast.expr | None:
    """Return the argument of a call that a function names: a parameter, or an item of its `**` parameter."""
    rest = function.args.kwarg.arg if function.args.kwarg is not None else None
    match value:
        case ast.Name(id=parameter):
            return find_passed_argument(module, call, function, parameter)
        case (
            ast.Call(
                func=ast.Attribute(value=ast.Name(id=given)), args=[ast.Constant(value=str() as key), *_]
            )
            | ast.Subscript(value=ast.Name(id=given), slice=ast.Constant(value=str() as key))
        ) if given == rest:
            return find_keyword(call, key)
    return None


def _find_option_files(module: ParsedModule, call: ast.Call, depth: int) -> list[ParsedModule]:
    """Return the files that can declare the options of a parser: that of the call and others."""
    found = [module]
    match call.func:
        case ast.Attribute(value=ast.Name(id=name) as parser):
            found += [origin.module for origin in _ask_origins(module, parser, depth + 1)]
            for other in module.calls:
                if any(isinstance(each, ast.Name) and each.id == name for each in other.args):
                    imported = module.find_imported(module.find_dotted_name(other.func))
                    found += [imported[0]] if imported is not None else []
        case ast.Attribute(value=parser):
            found += [origin.module for origin in _ask_origins(module, parser, depth + 1)]
    return list(dict.fromkeys(found))
