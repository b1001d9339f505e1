"""What workers need of a script: the definitions and settings that a guard must not keep from them."""

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from torchdoctor.source.module.main_tests import main_verdict
from torchdoctor.source.module.names import find_bound_names
from torchdoctor.source.module.nodes import FUNCTIONS, Function, parameter_names
from torchdoctor.source.module.parsed import ParsedModule

_DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
# Calls that make a class, which has to be where workers can import it.
_CLASS_MAKERS = frozenset((
    "collections.namedtuple", "typing.NamedTuple", "typing.TypedDict", "dataclasses.make_dataclass",
    "enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag", "type",
))  # fmt: skip
_BUILT_IN = frozenset(dir(builtins))
# Calls that change how a library works, in the process that makes them.
_SETTER = re.compile(
    r"^(?:set_?(?!up|tings?|tle)[a-z]|set[A-Z]|register|filterwarnings|simplefilter|field_size_limit|getcontext|setattr|globals"
    r"|exec|enable|disable|use\b)"
)
# Calls that may do the same, or make something: `django.setup()`, `model = nets.setup(options)`.
_PREPARER = re.compile(r"^set_?up")
# Calls of `logging` that show nothing in a process that has not configured it.
_QUIET_LOGS = ("info", "debug", "log")
# The main process alone needs these, or workers set them themselves.
_OWN_SETTINGS = ("seed", "seed_everything", "set_device", "set_start_method", "set_default_tensor_type")
# Calls that change a configuration, which files that workers import may read.
_CHANGER = re.compile(r"^(?:merge|update|override|freeze|defrost|append|extend|add|insert|clear)")
# Settings of what runs on a GPU, which workers leave alone.
_GPU_SETTINGS = ("torch.backends.cudnn.", "torch.backends.cuda.")
# Calls whose result cannot be changed.
_FIXED_CALLS = frozenset(
    ("int", "float", "str", "bool", "len", "torch.device", "torch.cuda.is_available", "os.path.join")
)
_FIXED = (ast.Constant, ast.JoinedStr, ast.Compare)
# Decorators that only change how a function runs, wherever it is.
_PLAIN_DECORATORS = frozenset(("torch.no_grad", "torch.inference_mode", "torch.enable_grad"))


def find_last_guard(module: ParsedModule, statement: ast.stmt, followed: set[str]) -> int | None:
    """Return the last index of a guard that may have a statement in it; None if that has to stay outside.

    Workers then do without what the statement makes and changes, unless a guard further down leaves them
    something that needs it. `followed` are the functions and classes that a statement under the guard is
    already known to use, and gets those of this one.
    """
    is_function = isinstance(statement, FUNCTIONS)
    if not is_movable(module, statement) or (not is_function and _sets_anywhere(module, statement)):
        return None
    names = _find_made_names(statement)
    if not is_function:
        # What only mentions a list that workers read may fill it.
        names |= _mentioned_names(module, statement, followed) - module.top_level_names
    # Every function may print.
    names = {name for name in names if name not in _BUILT_IN or name in module.bound_names}
    needs = module.ask_once(find_first_needs)
    return min((needs[name] for name in names if name in needs), default=len(module.tree.body))


def is_rebound(module: ParsedModule, index: int) -> bool:
    """Return whether the work behind a guard gives another value to a name that workers read above it."""
    body, needs = module.tree.body, module.ask_once(find_first_needs)
    above = {name for statement in body[:index] for name in _find_made_names(statement)}
    return any(
        name in above and needs.get(name, index) < index
        for statement in body[index:]
        for name in _find_made_names(statement)
    )


def _find_made_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement makes, and those that a function makes when it is called."""
    if isinstance(statement, FUNCTIONS):
        return {statement.name, *_find_globals(statement)}
    return _bound_names(statement)


def _mentioned_names(module: ParsedModule, statement: ast.stmt, followed: set[str]) -> set[str]:
    """Return the names of what a statement may change, itself or by the functions and classes in it."""
    nodes = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    names = {node.id for node in nodes if not _is_fixed(module, node)}
    waiting = [node.id for node in nodes]
    while waiting:
        name = waiting.pop()
        definition = module.functions.get(name) or module.classes.get(name)
        if definition is None or name in followed:
            continue
        followed.add(name)
        own = _find_own_names(definition)
        for node in ast.walk(definition):
            match node:
                case ast.Name(id=inner):
                    waiting.append(inner)
                case ast.Global(names=changed):
                    names.update(changed)
                case (
                    ast.Attribute(value=ast.Name(id=changed), ctx=ast.Store() | ast.Del())
                    | ast.Subscript(value=ast.Name(id=changed), ctx=ast.Store() | ast.Del())
                    | ast.Call(func=ast.Attribute(value=ast.Name(id=changed)))
                ) if changed not in own:
                    names.add(changed)
    return names


def _is_fixed(module: ParsedModule, node: ast.Name) -> bool:
    """Return whether nothing can change what is read here: a number or text, or an option of the program."""
    bindings = module.find_bindings(node) if isinstance(node.ctx, ast.Load) else ()
    if not bindings:
        return False
    match module.parents[node]:
        case ast.Attribute(ctx=ast.Load()) as option if all(_is_options(each.value) for each in bindings):
            user = module.parents[option]
            is_called = isinstance(user, ast.Call) and user.func is option
            return not is_called and not isinstance(user, (ast.Attribute, ast.Subscript))
    return all(each.index is None and _is_fixed_value(module, each.value) for each in bindings)


def _is_options(value: ast.expr | None) -> bool:
    """Return whether a value is what a parser made of the command line."""
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith(
        (".parse_args", ".parse_known_args")
    )


def _is_fixed_value(module: ParsedModule, value: ast.expr | None) -> bool:
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            return _is_fixed_value(module, body) and _is_fixed_value(module, orelse)
        case ast.UnaryOp(operand=operand):
            return _is_fixed_value(module, operand)
        case ast.Call(func=function):
            return module.find_dotted_name(function) in _FIXED_CALLS
    return isinstance(value, _FIXED)


def _find_own_names(definition: ast.AST) -> set[str]:
    """Return the names that belong to the functions in a definition: their parameters and variables."""
    functions = [node for node in ast.walk(definition) if isinstance(node, FUNCTIONS)]
    # The name of a method is none that its code can read.
    inner = {node for function in functions for node in ast.walk(function) if node is not function}
    own = {name for node in inner for name in find_bound_names(node)}
    own.update(name for function in functions for name in parameter_names(function))
    return own - {name for node in inner if isinstance(node, ast.Global) for name in node.names}


def _sets_anywhere(module: ParsedModule, statement: ast.stmt) -> bool:
    """Return whether a statement changes a setting of a library or class, which workers then lack.

    They inherit the environment and the paths of imports, and have no need of what speeds up a GPU.
    """
    for node in ast.walk(statement):
        match node:
            case (
                ast.Attribute(ctx=ast.Store() | ast.Del(), value=changed)
                | ast.Subscript(ctx=ast.Store() | ast.Del(), value=changed)
                | ast.Call(func=ast.Name(id="setattr"), args=[changed, *_])
            ):
                name = f"{module.find_dotted_name(changed)}."
                if (
                    name != "os.environ."
                    and not name.startswith(_GPU_SETTINGS)
                    and _is_of_module(module, changed)
                ):
                    return True
            case ast.Call():
                last = module.find_dotted_name(node.func).rpartition(".")[2]
                is_setter = _SETTER.match(last) or (_PREPARER.match(last) and _only_acts(module, node))
                # Who imports the file is told.
                if module.find_dotted_name(node.func) == "warnings.warn":
                    return True
                if last == "basicConfig" and module.ask_once(_may_log_in_workers):
                    return True
                if is_setter and not last.endswith(_OWN_SETTINGS):
                    return True
                if _CHANGER.match(last) and _takes_imported(module, node):
                    return True
            case ast.Global():
                return True
    return False


def _may_log_in_workers(module: ParsedModule) -> bool:
    """Return whether a class of the file, or a function that workers may run, logs what needs a setting."""
    calls = [call for name in _QUIET_LOGS for call in module.calls_by_name.get(name, ())]
    callers = (_find_caller(module, call) for call in calls)
    return any(
        isinstance(each, (*_DEFINITIONS, ast.Lambda))
        and not (isinstance(each, FUNCTIONS) and is_movable(module, each))
        for each in callers
    )


def _only_acts(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether a call of an import or a function of the file is made for what it changes."""
    return isinstance(module.parents.get(call), ast.Expr) and _is_of_module(module, call.func)


def _is_of_module(module: ParsedModule, node: ast.expr) -> bool:
    """Return whether an expression is an import, function or class of the module, or an attribute of one."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, ast.Name) and node.id in module.top_level_names


def _takes_imported(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether a call is a method of an object of another module, or a function that is given one."""
    objects = [call.func.value] if isinstance(call.func, ast.Attribute) else call.args
    imported = module.ask_once(_find_imported_objects)
    return any(isinstance(each, ast.Name) and each.id in imported for each in objects)


def _find_imported_objects(module: ParsedModule) -> frozenset[str]:
    statements = (each for each in module.tree.body if isinstance(each, ast.ImportFrom))
    return frozenset(each.asname or each.name for statement in statements for each in statement.names)


def is_movable(module: ParsedModule, statement: ast.stmt) -> bool:
    """Return whether a statement makes nothing that has to be where workers can import it."""
    if isinstance(statement, FUNCTIONS):
        return has_plain_decorators(module, statement) and _is_only_called(module, statement.name)
    return not (
        any(isinstance(node, _DEFINITIONS) for node in ast.walk(statement))
        or _makes_class(module, statement)
        or _is_lasting_import(statement)
        or (isinstance(statement, ast.If) and main_verdict(module, statement.test) is not None)
        or _tests_for_main(statement)
    )


def has_plain_decorators(module: ParsedModule, function: Function) -> bool:
    """Return whether no decorator keeps a function, or hands it to others."""
    called = (each.func if isinstance(each, ast.Call) else each for each in function.decorator_list)
    return all(module.find_dotted_name(each) in _PLAIN_DECORATORS for each in called)


def _tests_for_main(statement: ast.stmt) -> bool:
    """Return whether a statement compares __name__, to tell a program from an import."""
    return any(
        isinstance(node, ast.Compare)
        and any(getattr(each, "id", "") == "__name__" for each in ast.walk(node))
        for node in ast.walk(statement)
    )


def _is_only_called(module: ParsedModule, name: str) -> bool:
    """Return whether each use of a function is a call; one that is passed on can be sent to a worker.

    Module.apply() calls a function as well; a pool's method of this name has no argument for it then.
    """
    uses = module.uses.get(name, ())
    return bool(uses) and all(_is_called(module, use, module.functions.get(name)) for use in uses)


def _is_called(module: ParsedModule, use: ast.Name, function: Function | None) -> bool:
    match module.parents[use]:
        case ast.Call(func=called) if called is use:
            return True
        case ast.Call(func=ast.Attribute(attr="apply"), args=[argument], keywords=[]) if argument is use:
            return function is not None and len(function.args.args) > len(function.args.defaults)
    return False


def _find_globals(function: ast.stmt) -> set[str]:
    return {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}


def _makes_class(module: ParsedModule, statement: ast.stmt) -> bool:
    """Return whether a statement makes a class by a call such as `namedtuple(...)`."""
    value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    # `type(x)` asks for a class, `type(name, bases, members)` makes one.
    return (
        isinstance(value, ast.Call)
        and len(value.args) + len(value.keywords) > 1
        and module.find_dotted_name(value.func) in _CLASS_MAKERS
    )


def _is_lasting_import(statement: ast.stmt) -> bool:
    """Return whether a statement has to stand at the top of a module."""
    return isinstance(statement, ast.ImportFrom) and (
        statement.module == "__future__" or any(each.name == "*" for each in statement.names)
    )


def find_first_needs(module: ParsedModule) -> Mapping[str, int]:
    """Return the names that workers may read, in functions, classes and lambdas.

    Each comes with the first index of a statement behind which a guard takes the name away from them: that
    of the definition that reads it, or of the first statement that calls it, if only the work does.
    """
    first: dict[str, int] = {}
    called = _find_first_calls(module)
    for index, statement in enumerate(module.tree.body):
        needed = max(index, called.get(statement, 0))
        for name in _find_inner_names(statement):
            first[name] = min(first.get(name, needed), needed)
    return first


def _find_inner_names(statement: ast.stmt) -> Iterator[str]:
    """Yield the names of the module that are read inside of functions, classes and lambdas."""
    # The names of a function itself, and of those around it, are none of the module.
    nodes: list[tuple[ast.AST, bool, frozenset[str]]] = [(statement, False, frozenset())]
    while nodes:
        node, is_inside, own = nodes.pop()
        if is_inside and isinstance(node, ast.Name) and node.id not in own:
            yield node.id
        if isinstance(node, FUNCTIONS):
            # A decorator and a default are read outside of the function.
            outside = {*getattr(node, "decorator_list", ()), *node.args.defaults, *node.args.kw_defaults}
            inner = own | _find_own_names(node)
        else:
            outside, inner = set(), own
        is_inside = is_inside or isinstance(node, (*_DEFINITIONS, ast.Lambda))
        nodes += [
            (child, is_inside, own if child in outside else inner) for child in ast.iter_child_nodes(node)
        ]


def _find_first_calls(module: ParsedModule) -> Mapping[ast.AST, int]:
    """Return the functions that only statements call, or nothing, each with the index of the first of these.

    A guard above that statement leaves workers without a call of the function. Those that a class or a
    function that is passed on calls are left out.
    """
    body = module.tree.body
    indices: dict[ast.AST, int] = {
        statement: index for index, statement in enumerate(body) if not isinstance(statement, _DEFINITIONS)
    }
    names = Counter(each.name for each in body if isinstance(each, _DEFINITIONS))
    functions = {
        each.name: each
        for each in body
        if isinstance(each, FUNCTIONS)
        and names[each.name] == 1
        and has_plain_decorators(module, each)
        and (is_movable(module, each) or not module.uses.get(each.name))
    }
    first: dict[ast.AST, int] = {function: len(body) for function in functions.values()}
    called: dict[ast.AST, list[ast.AST]] = {function: [] for function in first}
    waiting: list[tuple[int, ast.AST]] = []
    for name, function in functions.items():
        for caller in (_find_caller(module, use) for use in module.uses.get(name, ())):
            if caller in called:
                called[caller].append(function)
            else:
                waiting.append((indices.get(caller, -1), function))
    # A function runs as early as the first that calls it.
    for index, start in sorted(waiting, key=lambda each: each[0]):
        reached = [start]
        while reached:
            if first[each := reached.pop()] > index:
                first[each] = index
                reached += called[each]
    return first


def _find_caller(module: ParsedModule, use: ast.AST) -> ast.AST:
    """Return the definition or lambda that a name is used in, else the statement at the top level."""
    outermost: ast.AST | None = None
    while (parent := module.parents[use]) is not module.tree:
        use = parent
        if isinstance(use, (*_DEFINITIONS, ast.Lambda)):
            outermost = use
    return outermost or use


def _bound_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds; parameters are those of a lambda."""
    nodes = (node for node in ast.walk(statement) if not isinstance(node, ast.arg))
    return {name for node in nodes for name in find_bound_names(node)}
