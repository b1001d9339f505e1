"""Platform checks: their values on Windows, and the code that they let run there."""

import ast
import re
from collections.abc import Set

from torchdoctor.source.module.conditions import leaves_block
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.posix_names import POSIX_NAMES

_WINDOWS_FLAG = re.compile(
    r"^_?(?:(?:is|on|running_on)_?)?(?:win|windows|win32|nt)(?:_?os)?(?:_?(?:platform|system))?$", re.I
)
_OTHER_FLAG = re.compile(
    r"^_?(?:(?:is|on|in|running_on|running_in)_?)?(?:linux|unix|posix|darwin|mac|macos|osx|macosx|colab|wsl)(?:_?(?:platform|system))?$",
    re.I,
)
# Names of `os` and `signal` that say enough without the module in hasattr(); others need it.
_TELLING_NAMES = frozenset(
    name.partition(".")[2]
    for name in POSIX_NAMES
    if name.startswith(("os.get", "os.set", "os.fork", "os.sched_", "signal.SIG", "socket.AF_"))
) | {"killpg", "uname", "nice", "alarm", "setitimer", "mkfifo", "chown"}
# The values on Windows, in lower case.
_PLATFORM_STRINGS = {
    "os.name": "nt",
    "sys.platform": "win32",
    "platform.system": "windows",
    "platform.uname.system": "windows",
    "platform.platform": "windows-10",
    "sysconfig.get_platform": "win-amd64",
}
# What programs call these strings, and what they compare them with.
_PLATFORM_NAME = re.compile(r"(?:^|_)(?:platform|os|system)(?:_?(?:name|type))?$", re.I)
_KNOWN_SYSTEMS = {
    **dict.fromkeys(("windows", "win32", "win", "nt", "win64"), True),
    **dict.fromkeys(("linux", "linux2", "darwin", "macos", "mac", "osx", "posix", "unix"), False),
}
_VARIABLE_GETTERS = ("os.environ.get", "os.getenv")
_MAX_DEPTH = 4


def windows_verdict(module: ParsedModule, test: ast.expr, depth: int = 0) -> bool | None:
    """Return the value of a condition on Windows; None when it depends on something else."""
    if depth > _MAX_DEPTH:
        return None
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = windows_verdict(module, operand, depth)
            return None if inner is None else not inner
        case ast.BoolOp(op=operator, values=values):
            # One True decides an `or`, one False an `and`.
            deciding_value = isinstance(operator, ast.Or)
            verdicts = [windows_verdict(module, value, depth) for value in values]
            if deciding_value in verdicts:
                return deciding_value
            return None if None in verdicts else not deciding_value
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _comparison_verdict(module, left, operator, right)
        case ast.Call():
            return _call_verdict(module, test)
        case ast.Name() | ast.Attribute():
            return _flag_verdict(module, test, depth)
        case ast.Constant(value=int() as value):
            return bool(value)
    return None


def _find_platform_string(module: ParsedModule, node: ast.expr, depth: int = 0) -> str | None:
    """Return the lower-case platform string that an expression yields on Windows, or None."""
    if depth > _MAX_DEPTH:
        return None
    match node:
        # Windows sets the variable OS to Windows_NT for every program.
        case ast.Call(func=func, args=[ast.Constant(value="OS"), *_]) if (
            module.find_dotted_name(func) in _VARIABLE_GETTERS
        ):
            return "windows_nt"
        case ast.Subscript(value=value, slice=ast.Constant(value="OS")):
            return "windows_nt" if module.find_dotted_name(value) == "os.environ" else None
        case ast.Call(func=ast.Attribute(value=inner, attr="lower" | "upper" | "strip"), args=[]):
            return _find_platform_string(module, inner, depth + 1)
        case ast.Call(func=func, args=[]):
            return _PLATFORM_STRINGS.get(module.find_dotted_name(func))
        case ast.Subscript(value=ast.Call(func=func), slice=ast.Constant(value=0)):
            return "windows" if module.find_dotted_name(func) == "platform.uname" else None
        case ast.Attribute(value=ast.Call(func=func), attr="system" | "sysname"):
            return "windows" if module.find_dotted_name(func) in ("platform.uname", "os.uname") else None
        case ast.Name():
            if (bound := module.find_only_value(node)) is not None:
                return _find_platform_string(module, bound, depth + 1)
    if isinstance(node, (ast.Attribute, ast.Name)):
        return _PLATFORM_STRINGS.get(module.find_dotted_name(node))
    return None


def find_literal_strings(node: ast.expr) -> tuple[str, ...] | None:
    """Return the lower-case strings of a string, tuple, list or set literal; None for other expressions."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (node.value.lower(),)
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return tuple(str(element.value).lower() for element in node.elts if isinstance(element, ast.Constant))
    return None


def _comparison_verdict(
    module: ParsedModule, left: ast.expr, operator: ast.cmpop, right: ast.expr
) -> bool | None:
    if isinstance(operator, (ast.In, ast.NotIn)) and "get_all_start_methods" in ast.unparse(right):
        # `spawn` is the only start method on Windows.
        return (find_literal_strings(left) == ("spawn",)) == isinstance(operator, ast.In)
    platform, strings = _find_platform_string(module, left), find_literal_strings(right)
    if platform is None and (right_platform := _find_platform_string(module, right)) is not None:
        platform, strings = right_platform, find_literal_strings(left)
        if isinstance(operator, (ast.In, ast.NotIn)) and strings:
            return (strings[0] in platform) == isinstance(operator, ast.In)
    if platform is None:
        return _named_verdict(module, left, operator, strings)
    if not strings:
        return None
    if isinstance(operator, (ast.Eq, ast.In)):
        return platform in strings
    if isinstance(operator, (ast.NotEq, ast.NotIn)):
        return platform not in strings
    return None


def _named_verdict(
    module: ParsedModule, node: ast.expr, operator: ast.cmpop, systems: tuple[str, ...] | None
) -> bool | None:
    """Return the value on Windows of a comparison such as `get_platform() == "linux"`."""
    func = node.func if isinstance(node, ast.Call) else node
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    if not systems or not _KNOWN_SYSTEMS.keys() >= set(systems):
        return None
    if not (_PLATFORM_NAME.search(name) or module.ask_once(_returns_system, name)):
        return None
    is_named = any(_KNOWN_SYSTEMS[system] for system in systems)
    if isinstance(operator, (ast.Eq, ast.In)):
        return is_named
    return not is_named if isinstance(operator, (ast.NotEq, ast.NotIn)) else None


def _returns_system(module: ParsedModule, name: str) -> bool:
    """Return whether a function of the file returns the names of systems, chosen by that of this one."""
    function = module.functions.get(name)
    returned = module.find_returned_values(function) if function is not None else ()
    texts = [str(each.value).lower() for each in returned if isinstance(each, ast.Constant)]
    if function is None or not texts or not _KNOWN_SYSTEMS.keys() >= set(texts):
        return False
    return any(
        _find_platform_string(module, node) is not None
        for node in ast.walk(function)
        if isinstance(node, (ast.Attribute, ast.Call))
    )


def _call_verdict(module: ParsedModule, call: ast.Call) -> bool | None:
    match call:
        case ast.Call(func=ast.Attribute(value=value, attr="startswith"), args=[prefix]):
            platform, prefixes = _find_platform_string(module, value), find_literal_strings(prefix)
            return platform.startswith(prefixes) if platform is not None and prefixes else None
        case ast.Call(func=ast.Name(id="hasattr"), args=[owner, ast.Constant(value=str() as name)]):
            is_missing = name in _TELLING_NAMES or f"{module.find_dotted_name(owner)}.{name}" in POSIX_NAMES
            return False if is_missing else None
    if call.args:
        return None
    return _name_verdict(module.find_dotted_name(call.func).rpartition(".")[2])


def _flag_verdict(module: ParsedModule, node: ast.Name | ast.Attribute, depth: int) -> bool | None:
    if isinstance(node, ast.Name):
        value = module.find_only_value(node)
        if value is not None and not isinstance(value, (ast.Name, ast.Constant)):
            verdict = windows_verdict(module, value, depth + 1)
            return verdict if verdict is not None else _name_verdict(node.id)
        return _name_verdict(node.id)
    return _name_verdict(node.attr)


def _name_verdict(name: str) -> bool | None:
    """Return the value on Windows of a flag such as `is_windows` or `ON_LINUX`; None for other names."""
    if _WINDOWS_FLAG.match(name):
        return True
    return False if _OTHER_FLAG.match(name) else None


def runs_on_windows(module: ParsedModule, node: ast.AST) -> bool:
    """Return whether a node can run on Windows, judged by platform checks.

    The checks around the node count, and for a node in a top-level function, the checks around all places
    that use the function.
    """
    if not _is_reachable(module, node):
        return False
    function = module.find_function(node)
    if function is None or module.functions.get(function.name) is not function:
        return True
    return module.ask_once(_is_used_on_windows, function.name)


def _is_used_on_windows(module: ParsedModule, function: str) -> bool:
    """Return whether a place that uses a function can run on Windows, or no place uses it."""
    uses = module.uses.get(function, ())
    return not uses or any(_is_reachable(module, name) for name in uses)


def _is_reachable(module: ParsedModule, node: ast.AST) -> bool:
    """Return whether no platform check around a node keeps it from running on Windows."""
    return module.ask_around(_keeps_away, node) is None


def _keeps_away(module: ParsedModule, parent: ast.AST, child: ast.AST) -> bool | None:
    """Return True if a node, or what stands before its child in a block, keeps the child from running."""
    runs = _may_run_child(module, parent, child) and child not in module.ask_once(_find_unreached, parent)
    return None if runs else True


def _may_run_child(module: ParsedModule, parent: ast.AST, child: ast.AST) -> bool:
    """Return whether a node's condition, operator, pattern or decorators let its child run on Windows."""
    match parent:
        case ast.If(test=test, body=body) if child is not test:
            verdict = windows_verdict(module, test)
            return verdict is None or verdict is (child in body)
        case ast.IfExp(test=test, body=value) if child is not test:
            verdict = windows_verdict(module, test)
            return verdict is None or verdict is (child is value)
        case ast.BoolOp(op=operator, values=values):
            earlier = values[: values.index(child)] if isinstance(child, ast.expr) else []
            return not any(
                windows_verdict(module, value) is isinstance(operator, ast.Or) for value in earlier
            )
        case ast.Match(subject=subject, cases=cases) if child in cases:
            return _may_run_case(module, subject, child)
        case ast.FunctionDef(decorator_list=decorators) | ast.ClassDef(decorator_list=decorators):
            return child in decorators or not any(
                _skips_windows(module, decorator) for decorator in decorators
            )
    return True


def _may_run_case(module: ParsedModule, subject: ast.expr, case: ast.AST) -> bool:
    platform = _find_platform_string(module, subject)
    if platform is None or not isinstance(case, ast.match_case):
        return True
    values = [node.value for node in ast.walk(case.pattern) if isinstance(node, ast.Constant)]
    return not values or platform in [str(value).lower() for value in values]


def _skips_windows(module: ParsedModule, decorator: ast.expr) -> bool:
    """Return whether a decorator such as `unittest.skipIf` skips a test on Windows."""
    if not isinstance(decorator, ast.Call) or not decorator.args:
        return False
    name, verdict = (
        module.find_dotted_name(decorator.func).lower(),
        windows_verdict(module, decorator.args[0]),
    )
    return (name.endswith("skipif") and verdict is True) or (name.endswith("skipunless") and verdict is False)


def _find_unreached(module: ParsedModule, parent: ast.AST) -> Set[ast.AST]:
    """Return the statements of a node's blocks that follow one which leaves the block on Windows."""
    unreached: set[ast.AST] = set()
    for name in ("body", "orelse", "finalbody"):
        block = getattr(parent, name, None)
        has_left = False
        for statement in block if isinstance(block, list) else ():
            if has_left:
                unreached.add(statement)
            has_left = has_left or _leaves_on_windows(module, statement)
    return unreached


def _leaves_on_windows(module: ParsedModule, statement: ast.stmt) -> bool:
    match statement:
        case ast.If(test=test, body=body, orelse=orelse):
            verdict = windows_verdict(module, test)
            return (verdict is True and leaves_block(body)) or (verdict is False and leaves_block(orelse))
        case ast.Assert(test=test):
            return windows_verdict(module, test) is False
    return False
