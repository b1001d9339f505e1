"""What an expression can be on Windows: constants followed through names, defaults and options."""

import ast
from collections.abc import Iterable, Iterator, Sequence

from torchdoctor.source.module.parsed import Binding, Function, ParsedModule, keyword
from torchdoctor.source.module.platforms import runs_on_windows, windows_verdict

# What stands for the number of processors of an unknown machine.
PROCESSORS = 8
_DEEPEST = 10
_COUNTS = frozenset(
    {
        "os.cpu_count",
        "os.process_cpu_count",
        "multiprocessing.cpu_count",
        "psutil.cpu_count",
        "os.sched_getaffinity",
        "joblib.cpu_count",
    }
)

# The values that are possible as far as they are known; empty when nothing is known.
Values = frozenset[int | str | bool | float | None]
_UNKNOWN: Values = frozenset()


def possible_values(module: ParsedModule, node: ast.expr | None, depth: int = 0) -> Values:
    """Give the constants that an expression can be on Windows, as far as this file tells."""
    if node is None or depth > _DEEPEST:
        return _UNKNOWN
    match node:
        case ast.Constant(value=int() | str() | float() | None as value):
            return frozenset({value})
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return frozenset(-each for each in _numbers(possible_values(module, operand, depth + 1)))
        case ast.BinOp():
            return _calculate(module, node, depth)
        case ast.IfExp():
            return _choose(module, node, depth)
        case ast.BoolOp(values=values):
            return _union(possible_values(module, value, depth + 1) for value in values)
        case ast.Call():
            return _called(module, node, depth)
        case ast.Name():
            return _named(module, node, depth)
        case ast.Attribute():
            return _attribute(module, node, depth)
        case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)):
            return _looked_up(module, value, key, depth)
    return _UNKNOWN


def _numbers(values: Values) -> list[int]:
    return [int(each) for each in values if isinstance(each, (int, float)) and not isinstance(each, bool)]


def _union(parts: Iterable[Values]) -> Values:
    return frozenset[int | str | bool | float | None]().union(*parts)


def _calculate(module: ParsedModule, node: ast.BinOp, depth: int) -> Values:
    left = _numbers(possible_values(module, node.left, depth + 1))
    right = _numbers(possible_values(module, node.right, depth + 1))
    pairs = [(a, b) for a in left[:4] for b in right[:4]]
    match node.op:
        case ast.Mult():
            # `workers * world_size`: a factor that is not known counts as one.
            return frozenset([a * b for a, b in pairs] or left or right)
        case ast.FloorDiv() | ast.Div():
            return frozenset([int(a / b) for a, b in pairs if b] if right else left)
        case ast.Add():
            return frozenset(a + b for a, b in pairs)
        case ast.Sub():
            return frozenset(a - b for a, b in pairs)
    return _UNKNOWN


def _choose(module: ParsedModule, node: ast.IfExp, depth: int) -> Values:
    verdict = windows_verdict(module, node.test)
    sides = {True: [node.body], False: [node.orelse], None: [node.body, node.orelse]}[verdict]
    return _union(possible_values(module, side, depth + 1) for side in sides)


def _called(module: ParsedModule, call: ast.Call, depth: int) -> Values:
    name = module.canonical(call.func)
    if name in _COUNTS:
        return frozenset({PROCESSORS})
    if name in ("int", "len", "abs", "round", "str") and len(call.args) == 1:
        inner = possible_values(module, call.args[0], depth + 1)
        return frozenset(_numbers(_as_numbers(inner)))
    if name in ("min", "max"):
        return _extreme(module, call, name == "min", depth)
    if name in ("os.environ.get", "os.getenv", "getattr") or name.endswith(".get"):
        default = call.args[-1] if len(call.args) > 1 else None
        return _as_numbers(possible_values(module, default, depth + 1)) | _key_of(module, call, depth)
    function = module.functions.get(name)
    return _union(_returns(module, function, depth)) if function is not None else _UNKNOWN


def _key_of(module: ParsedModule, call: ast.Call, depth: int) -> Values:
    match call:
        case ast.Call(
            func=ast.Attribute(value=value, attr="get"), args=[ast.Constant(value=str() as key), *_]
        ):
            return _looked_up(module, value, key, depth)
    return _UNKNOWN


def _as_numbers(values: Values) -> Values:
    return frozenset(int(each) if isinstance(each, str) and each.isdigit() else each for each in values)


def _extreme(module: ParsedModule, call: ast.Call, smallest: bool, depth: int) -> Values:
    arguments = call.args
    if len(arguments) == 1 and isinstance(arguments[0], (ast.List, ast.Tuple)):
        arguments = arguments[0].elts
    known = [numbers for each in arguments if (numbers := _numbers(possible_values(module, each, depth + 1)))]
    if not known:
        return _UNKNOWN
    return frozenset({min(map(max, known)) if smallest else max(map(max, known))})


def _returns(module: ParsedModule, function: Function, depth: int) -> Iterator[Values]:
    for node in module.nodes.get(ast.Return, ()):
        if (
            isinstance(node, ast.Return)
            and module.enclosing_function(node) is function
            and runs_on_windows(module, node)
        ):
            yield possible_values(module, node.value, depth + 1)


def _named(module: ParsedModule, name: ast.Name, depth: int) -> Values:
    function = module.find_parameter(name)
    bindings = module.find_bindings(name)
    values = _assigned(module, bindings, depth)
    if values == frozenset({0}) and _windows_only(module, bindings):
        return values
    if function is not None:
        return values | _passed(module, function, name.id, depth)
    return values


def _windows_only(module: ParsedModule, bindings: Sequence[Binding]) -> bool:
    return any(_stands_in_windows_branch(module, binding.statement) for binding in bindings)


def _assigned(module: ParsedModule, bindings: Sequence[Binding], depth: int) -> Values:
    live = [binding for binding in bindings if runs_on_windows(module, binding.statement)]
    for binding in live:
        if _stands_in_windows_branch(module, binding.statement):
            return possible_values(module, binding.value, depth + 1)
    return _union(possible_values(module, each.value, depth + 1) for each in live if each.index is None)


def _stands_in_windows_branch(module: ParsedModule, node: ast.AST) -> bool:
    child = node
    for parent in module.ancestors(node):
        if isinstance(parent, ast.If) and child is not parent.test:
            verdict = windows_verdict(module, parent.test)
            if verdict is not None and verdict is (child in parent.body):
                return not isinstance(parent.test, ast.Constant)
        child = parent
    return False


def default_of(function: Function, name: str) -> ast.expr | None:
    """Give the default of a parameter, or None when it has none."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    for parameter, default in zip(positional, defaults + list(arguments.defaults), strict=True):
        if parameter.arg == name:
            return default
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if parameter.arg == name:
            return default
    return None


def calls_of(module: ParsedModule, function: Function) -> list[ast.Call]:
    """Give the calls of a function of this module, of a class for its `__init__`."""
    owner = module.parents.get(function)
    name = owner.name if function.name == "__init__" and isinstance(owner, ast.ClassDef) else function.name
    calls = []
    for call in module.calls:
        match call.func:
            case ast.Name(id=found) | ast.Attribute(attr=found) if found == name:
                calls.append(call)
    return calls


def _passed(module: ParsedModule, function: Function, name: str, depth: int) -> Values:
    default = default_of(function, name)
    calls = calls_of(module, function)
    arguments = [_argument_for(module, call, function, name) for call in calls]
    values = _union(possible_values(module, each, depth + 1) for each in arguments if each is not None)
    if not calls or None in arguments:
        values |= possible_values(module, default, depth + 1)
    return values


def _argument_for(module: ParsedModule, call: ast.Call, function: Function, name: str) -> ast.expr | None:
    if (value := keyword(call, name)) is not None:
        return value
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    if isinstance(module.scope(function), ast.ClassDef) and names:
        names = names[1:]
    if name not in names or len(call.args) <= names.index(name):
        return None
    value = call.args[names.index(name)]
    return None if any(isinstance(each, ast.Starred) for each in call.args) else value


def _attribute(module: ParsedModule, node: ast.Attribute, depth: int) -> Values:
    assigned = [
        binding
        for target, binding in module.attributes.get(node.attr, ())
        if _same_owner(module, target, node)
    ]
    live = [each for each in assigned if runs_on_windows(module, each.statement)]
    overridden = [each for each in live if _stands_in_windows_branch(module, each.statement)]
    if overridden:
        return possible_values(module, overridden[0].value, depth + 1)
    values = _union(possible_values(module, each.value, depth + 1) for each in live if each.index is None)
    return values | _declared(module, node, depth)


def _same_owner(module: ParsedModule, target: ast.Attribute, node: ast.Attribute) -> bool:
    if ast.unparse(target.value) != ast.unparse(node.value):
        return False
    return not _is_self(node.value) or module.enclosing_class(target) is module.enclosing_class(node)


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def _declared(module: ParsedModule, node: ast.Attribute, depth: int) -> Values:
    """Look an attribute up among command-line options, and classes that hold settings."""
    if _is_self(node.value):
        owners = [module.enclosing_class(node)]
    else:
        options = option_defaults(module, node.attr)
        if options:
            return _union(_as_numbers(possible_values(module, each, depth + 1)) for each in options)
        owners = [module.classes.get(module.canonical(node.value)), _class_of(module, node.value)]
        if not any(owners):
            owners = [each for each in module.classes.values() if _holds_settings(each)]
    return _union(
        possible_values(module, binding.value, depth + 1)
        for owner in owners
        if owner is not None
        for binding in module.bindings.get((owner, node.attr), ())
    )


def _holds_settings(node: ast.ClassDef) -> bool:
    return any(
        word in node.name.lower() for word in ("config", "cfg", "arg", "option", "opt", "param", "setting")
    )


def _class_of(module: ParsedModule, node: ast.expr) -> ast.ClassDef | None:
    if not isinstance(node, ast.Name):
        return None
    for binding in module.find_bindings(node):
        if isinstance(binding.value, ast.Call):
            return module.classes.get(module.canonical(binding.value.func))
    return None


def option_defaults(module: ParsedModule, name: str) -> list[ast.expr]:
    """Give the defaults of the command-line options (argparse, click) stored under this name."""
    defaults = []
    for call in module.calls:
        default = keyword(call, "default")
        if default is not None and option_name(call) == name:
            defaults.append(default)
    return defaults


def option_name(call: ast.Call) -> str | None:
    """Give the attribute under which a call such as `add_argument("--batch-size")` stores a value."""
    match call.func:
        case ast.Attribute(attr="add_argument" | "option" | "add" | "Option" | "add_arg"):
            pass
        case _:
            return None
    destination = keyword(call, "dest")
    if isinstance(destination, ast.Constant):
        return str(destination.value)
    flags = [
        each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]
    long = [flag for flag in flags if flag.startswith("--")] or flags
    return long[0].lstrip("-").replace("-", "_") if long else None


def _looked_up(module: ParsedModule, container: ast.expr, key: str, depth: int) -> Values:
    """Look a key up in the dictionary that a name was bound to."""
    name = module.canonical(container)
    found = []
    for binding in module.find_bindings(container) if isinstance(container, ast.Name) else ():
        match binding.value:
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                found += [
                    value for each, value in pairs if isinstance(each, ast.Constant) and each.value == key
                ]
            case ast.Call(func=ast.Name(id="dict")) as call:
                found += [value for value in (keyword(call, key),) if value is not None]
            case ast.Call() if name:
                found += option_defaults(module, key)
    return _union(possible_values(module, each, depth + 1) for each in found)
