"""The code or a configuration asks for the backend NCCL, which PyTorch for Windows does not have."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.check import Finding, Severity, check
from torchdoctor.source import ConfigFile, SourceFile
from torchdoctor.source.module.command_options import find_option_name
from torchdoctor.source.module.conditions import is_conditional
from torchdoctor.source.module.handled_errors import is_error_handled
from torchdoctor.source.module.nodes import (
    FUNCTIONS,
    find_argument,
    find_default,
    parameter_names,
    positional_names,
)
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate, locate_setting

# "nccl" alone, or as the backend of one device in "cpu:gloo,cuda:nccl".
_NCCL = re.compile(r"^(?:[\w:,]*[:,])?nccl(?:,\w+:\w+)*$", re.IGNORECASE)
_BACKEND = re.compile(r"backend", re.IGNORECASE)
# What a condition that chooses training on several devices refers to.
_OPTION = re.compile(
    r"dist|ddp|rank|world|parallel|launcher|multi|n(?:um)?_?gpu|device_count|backend|nccl|slurm",
    re.IGNORECASE,
)
# A function of the project that makes a group of processes.
_GROUP_MAKER = re.compile(r"^(?:init|new|create|make|set_?up|build|get)_\w*(?:group|dist|ddp)", re.IGNORECASE)
_MAX_CALLERS = 4
_INITIALISERS = ("init_process_group", "init_distributed", "new_group")
# Classes of settings, each attribute of which is a default that a file or an option replaces.
_SETTINGS = frozenset({"CfgNode", "CN", "ConfigNode", "ConfigDict", "EasyDict", "edict"})
_EXITS = ("exit", "quit", "sys.exit", "os._exit")
# Most files that have the word have it in a comment or a longer name.
_BACKENDS = (re.compile(rb"(?:nccl|NCCL)(?:,\w+:\w+)*['\"]|\.NCCL\b"),)
_ROLES = (b"backend", b"BACKEND", b"process_group", b"_group", b"_dist", b"_ddp")
_WORDS = ((b"nccl", _BACKENDS, _ROLES), (b"NCCL", _BACKENDS, _ROLES))


@check(words=_WORDS)
def nccl_unavailable(source: SourceFile | ConfigFile) -> Iterator[Finding]:
    """Find "nccl" and Backend.NCCL where they become a backend in code that runs on Windows."""
    if isinstance(source, ConfigFile):
        yield from _find_in_settings(source)
        return
    module = source.module
    for node, text in _find_nccl(module):
        role = _describe_role(module, node)
        if role is None or not runs_on_windows(module, node):
            continue
        is_tested = is_conditional(module, node, _tests_for_nccl)
        if not is_tested and not is_error_handled(module, node, ("RuntimeError", "ValueError")):
            severity = Severity.NOTE if _is_optional(module, node) else None
            yield Finding(f"{role} is {text}", locate(source, node), step="gloo-here", severity=severity)


def _find_in_settings(configuration: ConfigFile) -> Iterator[Finding]:
    """Find the settings of a backend; the program needs one only for training on several devices."""
    for setting in configuration.settings:
        key = setting.key.rpartition(".")[2]
        if isinstance(setting.value, str) and _NCCL.search(setting.value) and _BACKEND.search(key):
            place = locate_setting(configuration, setting)
            message, evidence = f"{setting.key} is {setting.value}", {"setting": setting.key}
            yield Finding(message, place, evidence, step="gloo-here", severity=Severity.NOTE)


def _find_nccl(module: ParsedModule) -> Iterator[tuple[ast.expr, str]]:
    for node in module.nodes.get(ast.Constant, ()):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _NCCL.search(node.value):
            yield node, f'"{node.value}"'
    for attribute in module.nodes.get(ast.Attribute, ()):
        match attribute:
            case ast.Attribute(attr="NCCL") if module.find_dotted_name(attribute).endswith(
                "distributed.Backend.NCCL"
            ):
                yield attribute, "Backend.NCCL"


def _describe_role(module: ParsedModule, node: ast.expr) -> str | None:
    """Describe what is set to the value (an argument, a default, a variable); None if it is no backend."""
    parent = module.parents[node]
    match parent:
        case ast.IfExp(test=test) if node is not test:
            return _describe_role(module, parent)
        case ast.BoolOp(values=values) if node is values[-1]:
            return _describe_role(module, parent)
        case ast.keyword(arg=str() as name):
            return _describe_keyword(module, parent, name)
        case ast.Call(func=func):
            return _describe_argument(module, parent, func, node)
        case ast.arguments():
            return _describe_default(module, parent, node)
        case ast.Assign(targets=[target, *_]) | ast.AnnAssign(target=target):
            name = ast.unparse(target)
            return name if _BACKEND.search(name) else None
        case ast.Dict(keys=keys, values=values) if node in values:
            key = keys[values.index(node)]
            name = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
            return f'"{name}"' if _BACKEND.search(name) else _describe_role(module, parent)
        case ast.Return():
            function = module.find_function(node)
            return f"{function.name}()" if function is not None and _BACKEND.search(function.name) else None
    return None


def _describe_keyword(module: ParsedModule, argument: ast.keyword, name: str) -> str | None:
    call = module.parents[argument]
    if not isinstance(call, ast.Call):
        return None
    if name == "default":
        option = find_option_name(call)
        if option is None:
            statement = module.find_statement(call)
            option = ast.unparse(statement.target) if isinstance(statement, ast.AnnAssign) else None
        return f"the default of {option}" if option is not None and _BACKEND.search(option) else None
    if not _BACKEND.search(name):
        return None
    callee = _name_callee(call)
    return f"{name} of {callee}" if callee else f"the argument {name}"


def _describe_argument(module: ParsedModule, call: ast.Call, func: ast.expr, node: ast.expr) -> str | None:
    callee = module.find_dotted_name(func).rpartition(".")[2] or _name_callee(call)
    if (callee in _INITIALISERS or _GROUP_MAKER.search(callee)) and node in call.args[:1]:
        return f"the backend of {callee}()"
    if (
        callee in ("get", "getenv", "getattr", "setdefault", "pop", "DEFINE_string", "DEFINE_enum")
        and len(call.args) > 1
        and node is call.args[1]
    ):
        key = call.args[0]
        return ast.unparse(key) if isinstance(key, ast.Constant) and _BACKEND.search(str(key.value)) else None
    return None


def _describe_default(module: ParsedModule, parameters: ast.arguments, node: ast.expr) -> str | None:
    function = module.parents[parameters]
    if not isinstance(function, FUNCTIONS):
        return None
    for name in parameter_names(function):
        if find_default(function, name) is node and _BACKEND.search(name):
            return f"the default of {function.name}({name})"
    return None


def _name_callee(call: ast.Call) -> str:
    """Return the last part of a function's name with "()"; "" if the function is found by an expression."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return f"{name}()"
    return ""


def _is_optional(module: ParsedModule, node: ast.expr) -> bool:
    """Return whether the program can run without it: a setting's default, or code behind an option."""
    match module.parents[node]:
        case ast.arguments() as parameters:
            return not _is_default_used(module, parameters, node)
        case ast.keyword(arg="default"):
            return True
        case ast.AnnAssign() as field if isinstance(module.parents[field], ast.ClassDef):
            return True
        # The second argument of get(), getenv() and the like; the first one of others is the backend itself.
        case ast.Call(args=[_, second, *_]) if second is node:
            return True
        case ast.Assign(targets=[ast.Attribute() as target]) if _is_setting(module, target):
            return True
        # Settings of other classes and functions: dict(backend="nccl"), HParams(dist_backend="nccl").
        case ast.keyword() as keyword if not _is_passed_to_initialiser(module, keyword):
            return True
    return _is_behind_option(module, node, 0)


def _is_passed_to_initialiser(module: ParsedModule, keyword: ast.keyword) -> bool:
    call = module.parents[keyword]
    return isinstance(call, ast.Call) and _name_callee(call).removesuffix("()") in _INITIALISERS


def _is_default_used(module: ParsedModule, parameters: ast.arguments, node: ast.expr) -> bool:
    """Return whether the module calls a function without the argument whose default the node is."""
    function = module.parents[parameters]
    if not isinstance(function, FUNCTIONS):
        return False
    names = positional_names(function)
    name = next(each for each in parameter_names(function) if find_default(function, each) is node)
    position = names.index(name) if name in names else len(names)
    return any(
        find_argument(call, name, position) is None and not _is_behind_option(module, call, 0)
        for call in module.calls_by_name.get(function.name, ())
        if not _is_of_import(module, call.func)
    )


def _is_of_import(module: ParsedModule, func: ast.expr) -> bool:
    """Return whether a function is an attribute of what the module imports: `dist.init_process_group`."""
    root = _find_root(func)
    return root is not None and root is not func and root.id in module.aliases


def _find_root(node: ast.expr) -> ast.Name | None:
    """Return the name that an attribute begins with; None if it begins with something else."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node if isinstance(node, ast.Name) else None


def _is_setting(module: ParsedModule, target: ast.Attribute) -> bool:
    """Return whether an attribute belongs to an object that holds settings, as those of yacs."""
    root = _find_root(target)
    match module.find_only_value(root) if root is not None else None:
        case ast.Call(func=func):
            return module.find_dotted_name(func).rpartition(".")[2] in _SETTINGS
    return False


def _is_behind_option(module: ParsedModule, node: ast.AST, depth: int) -> bool:
    if is_conditional(module, node, _names_option):
        return True
    function = module.find_function(node)
    uses = module.uses.get(function.name, ()) if function is not None and depth < _MAX_CALLERS else ()
    return bool(uses) and all(_is_behind_option(module, use, depth + 1) for use in uses)


def _names_option(module: ParsedModule, condition: ast.expr) -> bool:
    """Return whether a condition chooses to train on several devices; one that ends the program does not."""
    match module.parents[condition]:
        case ast.Assert() | ast.If(body=[*_, ast.Raise()]):
            return False
        case ast.If(body=[*_, ast.Expr(value=ast.Call(func=func))]) if ast.unparse(func) in _EXITS:
            return False
    return _OPTION.search(ast.unparse(condition)) is not None


def _tests_for_nccl(module: ParsedModule, condition: ast.expr) -> bool:
    """Return whether the condition, or a value assigned to one of its names, asks if NCCL is available."""
    names = [node for node in ast.walk(condition) if isinstance(node, ast.Name)]
    values = [binding.value for name in names for binding in module.find_bindings(name)]
    return any(
        value is not None and "is_nccl_available" in ast.unparse(value) for value in [condition, *values]
    )
