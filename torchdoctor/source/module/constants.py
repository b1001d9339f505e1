"""The values an expression can have on Windows, found through names, defaults and options."""

import ast
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import NoneType

from torchdoctor.source.module.arguments import find_calls_of, find_passed_argument
from torchdoctor.source.module.bindings import Binding
from torchdoctor.source.module.command_options import find_decorated_default, find_option_defaults
from torchdoctor.source.module.nodes import Function, find_default, find_items, find_keyword
from torchdoctor.source.module.objects import find_members
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows, windows_verdict

# The number of processors assumed, as the machine that will run the code is unknown.
_ASSUMED_PROCESSORS = 8
_MAX_DEPTH = 10
# More values than these say nothing of one place.
_MAX_VALUES = 200
# Results of arithmetic beyond it are no setting of anything.
_MOST_BITS = 53
_LARGEST = 1 << _MOST_BITS
_PROCESSOR_COUNTS = frozenset(
    {
        "os.cpu_count",
        "os.process_cpu_count",
        "multiprocessing.cpu_count",
        "psutil.cpu_count",
        "os.sched_getaffinity",
        "joblib.cpu_count",
    }
)

# Calls of typer, dataclasses and pydantic that stand for a default, by the last part of their name.
_DEFAULT_CALLS = frozenset({"Option", "Argument", "field", "Field"})

# The possible values that were found; empty when none are known.
Values = frozenset[int | str | bool | float | None]
_UNKNOWN: Values = frozenset()


def find_possible_values(module: ParsedModule, node: ast.expr | None, depth: int = 0) -> Values:
    """Return the constants an expression can have on Windows, as far as this file shows.

    Empty if they are unknown, or very many.
    """
    if node is None or depth > _MAX_DEPTH:
        return _UNKNOWN
    if isinstance(node, ast.Constant):
        return frozenset({node.value}) if isinstance(node.value, (int, str, float, NoneType)) else _UNKNOWN
    # The depth is a part of the question: an answer found far down a chain may be cut short.
    values = module.ask_once(_find_values, module.ask_once(_find_equal_expression, node), depth)
    return values if len(values) <= _MAX_VALUES else _UNKNOWN


def _find_equal_expression(module: ParsedModule, node: ast.expr) -> ast.expr:
    """Return the first expression that has the same values: a name, attribute or item in the same scope."""
    match node:
        case (
            ast.Name()
            | ast.Attribute(value=ast.Name())
            | ast.Subscript(value=ast.Name(), slice=ast.Constant())
        ):
            return module.ask_once(_make_index).setdefault((module.find_scope(node), ast.unparse(node)), node)
    return node


def _make_index(module: ParsedModule) -> dict[tuple[ast.AST, str], ast.expr]:
    """Return an index of the first expression that was asked for, by its scope and its text."""
    return {}


def _find_values(module: ParsedModule, node: ast.expr, depth: int) -> Values:
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return frozenset(
                -number for number in _integers(find_possible_values(module, operand, depth + 1))
            )
        case ast.BinOp():
            return _find_arithmetic_values(module, node, depth)
        case ast.IfExp():
            return _find_conditional_values(module, node, depth)
        case ast.BoolOp(values=values):
            return _union(find_possible_values(module, value, depth + 1) for value in values)
        case ast.Call():
            return _find_call_values(module, node, depth)
        case ast.Name():
            return _find_name_values(module, node, depth)
        case ast.Attribute():
            return _find_attribute_values(module, node, depth)
        case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)):
            return _find_item_values(module, value, key, depth) or _find_member_values(
                module, value, key, depth
            )
    return _UNKNOWN


def _integers(values: Values) -> list[int]:
    return [int(value) for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]


def _union(sets: Iterable[Values]) -> Values:
    return _UNKNOWN.union(*sets)


def _find_arithmetic_values(module: ParsedModule, node: ast.BinOp, depth: int) -> Values:
    left = _integers(find_possible_values(module, node.left, depth + 1))
    right = _integers(find_possible_values(module, node.right, depth + 1))
    pairs = [(a, b) for a in left[:4] for b in right[:4]]
    match node.op:
        case ast.Mult():
            # An unknown factor counts as one, as in `workers * world_size`.
            return _drop_large([a * b for a, b in pairs] or left or right)
        case ast.FloorDiv() | ast.Div():
            return frozenset([a // b for a, b in pairs if b] if right else left)
        case ast.Add():
            return _drop_large(a + b for a, b in pairs)
        case ast.Sub():
            return _drop_large(a - b for a, b in pairs)
        case ast.Pow():
            return _drop_large(a**b for a, b in pairs if abs(a) < _LARGEST and 0 <= b <= _MOST_BITS)
        case ast.LShift():
            return _drop_large(a << b for a, b in pairs if 0 <= b <= _MOST_BITS)
    return _UNKNOWN


def _drop_large(numbers: Iterable[int]) -> Values:
    return frozenset(number for number in numbers if abs(number) < _LARGEST)


def _find_conditional_values(module: ParsedModule, node: ast.IfExp, depth: int) -> Values:
    verdict = windows_verdict(module, node.test)
    branches = {True: [node.body], False: [node.orelse], None: [node.body, node.orelse]}[verdict]
    return _union(find_possible_values(module, branch, depth + 1) for branch in branches)


def _find_call_values(module: ParsedModule, call: ast.Call, depth: int) -> Values:
    name = module.find_dotted_name(call.func)
    last = name.rpartition(".")[2]
    if name in _PROCESSOR_COUNTS:
        return frozenset({_ASSUMED_PROCESSORS})
    if name in ("int", "len", "abs", "round", "str") and len(call.args) == 1:
        values = find_possible_values(module, call.args[0], depth + 1)
        return frozenset(_integers(_parse_digits(values)))
    if last in _DEFAULT_CALLS:
        default = find_keyword(call, "default") or (call.args[0] if call.args and last != "field" else None)
        return find_possible_values(module, default, depth + 1)
    if name in ("min", "max"):
        return _find_extreme_values(module, call, name == "min", depth)
    if name in ("os.environ.get", "os.getenv", "getattr") or name.endswith(".get"):
        default = call.args[-1] if len(call.args) > 1 else None
        values = find_possible_values(module, default, depth + 1)
        return _parse_digits(values) | _find_get_values(module, call, depth)
    function = module.functions.get(name)
    return _union(_find_return_values(module, function, depth)) if function is not None else _UNKNOWN


def _find_get_values(module: ParsedModule, call: ast.Call, depth: int) -> Values:
    """Return the values that `dictionary.get("key")` can find, without its default."""
    match call:
        case ast.Call(
            func=ast.Attribute(value=value, attr="get"), args=[ast.Constant(value=str() as key), *_]
        ):
            return _find_item_values(module, value, key, depth) or _find_member_values(
                module, value, key, depth
            )
    return _UNKNOWN


def _parse_digits(values: Values) -> Values:
    """Return the values with strings of digits turned into numbers."""
    return frozenset(
        int(value) if isinstance(value, str) and value.isdecimal() else value for value in values
    )


def _find_extreme_values(module: ParsedModule, call: ast.Call, is_minimum: bool, depth: int) -> Values:
    """Return the minimum or maximum of the known arguments, each of which counts with its largest value."""
    arguments = call.args
    if len(arguments) == 1 and isinstance(arguments[0], (ast.List, ast.Tuple)):
        arguments = arguments[0].elts
    known = [
        max(numbers)
        for argument in arguments
        if (numbers := _integers(find_possible_values(module, argument, depth + 1)))
    ]
    if not known:
        return _UNKNOWN
    return frozenset({min(known) if is_minimum else max(known)})


def _find_return_values(module: ParsedModule, function: Function, depth: int) -> Iterator[Values]:
    for node in module.returns.get(function, ()):
        if runs_on_windows(module, node):
            yield find_possible_values(module, node.value, depth + 1)


def _find_name_values(module: ParsedModule, name: ast.Name, depth: int) -> Values:
    function = module.find_parameter(name)
    bindings = module.find_bindings(name)
    values = _find_assigned_values(module, bindings, depth)
    if values == frozenset({0}) and any(_is_in_windows_branch(module, each.statement) for each in bindings):
        # A branch for Windows that sets 0 overrides the values that callers pass.
        return values
    if function is not None:
        return values | _find_passed_values(module, function, name.id, depth)
    return values if bindings else _find_imported_values(module, name, depth)


def _find_imported_values(module: ParsedModule, node: ast.Name | ast.Attribute, depth: int) -> Values:
    """Return the values of a constant of another file of the project."""
    found = module.find_imported_value(module.find_dotted_name(node)) if module.place is not None else None
    return find_possible_values(*found, depth + 1) if found is not None else _UNKNOWN


def _find_assigned_values(module: ParsedModule, bindings: Sequence[Binding], depth: int) -> Values:
    """Return the values that the assignments can give; one in a branch for Windows overrides the others."""
    live = [binding for binding in bindings if runs_on_windows(module, binding.statement)]
    chosen = [binding for binding in live if _is_in_windows_branch(module, binding.statement)][:1]
    return _union(
        find_possible_values(module, binding.value, depth + 1)
        for binding in chosen or live
        if binding.index is None
    )


def _is_in_windows_branch(module: ParsedModule, node: ast.AST) -> bool:
    """Return whether the node is in a branch that a platform check chooses on Windows."""
    child = node
    for parent in module.ancestors(node):
        if isinstance(parent, ast.If) and child is not parent.test:
            verdict = windows_verdict(module, parent.test)
            if verdict is not None and verdict is (child in parent.body):
                return not isinstance(parent.test, ast.Constant)
        child = parent
    return False


def _find_passed_values(module: ParsedModule, function: Function, name: str, depth: int) -> Values:
    default = find_default(function, name)
    calls = find_calls_of(module, function)
    arguments = [find_passed_argument(module, call, function, name) for call in calls]
    values = _union(
        find_possible_values(module, argument, depth + 1) for argument in arguments if argument is not None
    )
    if not calls or None in arguments:
        default = default or find_decorated_default(function, name)
        values |= find_possible_values(module, default, depth + 1)
    return values


def _find_attribute_values(module: ParsedModule, node: ast.Attribute, depth: int) -> Values:
    bindings = module.ask_once(_index_attributes).get(_find_owner(module, node), ())
    values = _find_assigned_values(module, bindings, depth)
    if any(
        _is_in_windows_branch(module, each.statement) or _replaces(module, each, node) for each in bindings
    ):
        return values
    values |= _find_declared_values(module, node, depth)
    return (
        values
        or _find_imported_values(module, node, depth)
        or _find_member_values(module, node.value, node.attr, depth)
    )


def _replaces(module: ParsedModule, binding: Binding, node: ast.Attribute) -> bool:
    """Return whether an assignment (`opt.workers = 0`) replaces the value that an object was made with.

    It stands in no branch, in the same function or at the top level.
    """
    scope = module.parents.get(binding.statement)
    if binding.value is None or _is_self(node.value) or scope not in (module.tree, module.find_scope(node)):
        return False
    if getattr(node, "lineno", math.inf) <= binding.value.lineno:
        return False
    return not any(
        isinstance(each, ast.Attribute) and each.attr == node.attr for each in ast.walk(binding.value)
    )


def _find_member_values(module: ParsedModule, value: ast.expr, name: str, depth: int) -> Values:
    """Return the values of a member of an object that is made elsewhere, perhaps in another file."""
    members = [each for each in find_members(module, value, name, depth) if runs_on_windows(*each)]
    chosen = [each for each in members if _is_in_windows_branch(*each)][:1]
    return _union(_parse_digits(find_possible_values(*each, depth + 1)) for each in chosen or members)


def _index_attributes(module: ParsedModule) -> Mapping[object, Sequence[Binding]]:
    """Return the assignments to attributes of each name, by the object that they belong to."""
    bindings: dict[object, list[Binding]] = defaultdict(list)
    for targets in module.attributes.values():
        for target, binding in targets:
            bindings[_find_owner(module, target)].append(binding)
    return bindings


def _find_owner(module: ParsedModule, node: ast.Attribute) -> object:
    """Return the same for attributes of the same name and object, judged by its expression and class."""
    owner = module.find_class(node) if _is_self(node.value) else None
    return (node.attr, ast.unparse(node.value), owner)


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def _find_declared_values(module: ParsedModule, node: ast.Attribute, depth: int) -> Values:
    """Return an attribute's values in its class, or as a command-line option or setting."""
    if _is_self(node.value):
        owners = [module.find_class(node)]
    else:
        owners = [module.classes.get(module.find_dotted_name(node.value)), _find_class(module, node.value)]
        if not any(owners):
            defaults = find_option_defaults(module, node.attr)
            if defaults:
                return _union(
                    _parse_digits(find_possible_values(module, each, depth + 1)) for each in defaults
                )
            owners = [owner for owner in module.classes.values() if _is_settings_class(owner)]
    return _union(
        find_possible_values(module, binding.value, depth + 1)
        for owner in owners
        if owner is not None
        for binding in module.bindings.get((owner, node.attr), ())
    )


def _is_settings_class(node: ast.ClassDef) -> bool:
    return any(
        word in node.name.lower() for word in ("config", "cfg", "arg", "option", "opt", "param", "setting")
    )


def _find_class(module: ParsedModule, node: ast.expr) -> ast.ClassDef | None:
    """Return the class of this module that a name is an instance of."""
    if not isinstance(node, ast.Name):
        return None
    for binding in module.find_bindings(node):
        if isinstance(binding.value, ast.Call):
            return module.classes.get(module.find_dotted_name(binding.value.func))
    return None


def _find_item_values(module: ParsedModule, container: ast.expr, key: str, depth: int) -> Values:
    """Return the values of a key in the dictionary or parsed options that a name is bound to."""
    if not isinstance(container, ast.Name):
        return _UNKNOWN
    found: list[ast.expr] = []
    for binding in module.find_bindings(container):
        match binding.value:
            case ast.Dict() as dictionary:
                found += find_items(dictionary, key)
            case ast.Call(func=ast.Name(id="dict")) as call:
                if (value := find_keyword(call, key)) is not None:
                    found.append(value)
            case ast.Call():
                found += find_option_defaults(module, key)
    return _union(find_possible_values(module, value, depth + 1) for value in found)
