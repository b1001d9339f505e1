"""Which branches of a module run on Windows."""

import ast
import re

from torchdoctor.source.module.conditions import leaves
from torchdoctor.source.module.parsed import ParsedModule

_WINDOWS_FLAG = re.compile(
    r"^_?(?:(?:is|on|running_on)_?)?(?:win|windows|win32|nt)(?:_?os)?(?:_?(?:platform|system))?$", re.I
)
_OTHER_FLAG = re.compile(
    r"^_?(?:(?:is|on|in|running_on|running_in)_?)?(?:linux|unix|posix|darwin|mac|macos|osx|macosx|colab|wsl)(?:_?(?:platform|system))?$",
    re.I,
)
# What `os`, `signal`, `socket` lack on Windows, so that hasattr() is a platform check.
_ONLY_ELSEWHERE = frozenset(
    {
        "fork",
        "forkpty",
        "setsid",
        "setpgrp",
        "setpgid",
        "getpgid",
        "killpg",
        "getuid",
        "geteuid",
        "getgid",
        "uname",
        "nice",
        "sched_getaffinity",
        "sched_setaffinity",
        "SIGALRM",
        "SIGKILL",
        "SIGHUP",
        "SIGUSR1",
        "SIGUSR2",
        "SIGCHLD",
        "SIGQUIT",
        "SIGCONT",
        "SIGSTOP",
        "alarm",
        "setitimer",
        "AF_UNIX",
        "mkfifo",
        "chown",
    }
)
_PLATFORM_STRINGS = {
    "os.name": "nt",
    "sys.platform": "win32",
    "platform.system": "windows",
    "platform.uname.system": "windows",
    "platform.platform": "windows-10",
    "sysconfig.get_platform": "win-amd64",
}
_READ_VARIABLE = ("os.environ.get", "os.getenv")
_DEEPEST = 4


def windows_verdict(module: ParsedModule, test: ast.expr, depth: int = 0) -> bool | None:
    """Tell what a condition is on Windows; None when that depends on something else."""
    if depth > _DEEPEST:
        return None
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = windows_verdict(module, operand, depth)
            return None if inner is None else not inner
        case ast.BoolOp(op=operator, values=values):
            decided = isinstance(operator, ast.Or)
            verdicts = [windows_verdict(module, value, depth) for value in values]
            if decided in verdicts:
                return decided
            return None if None in verdicts else not decided
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compare(module, left, operator, right)
        case ast.Call():
            return _call_verdict(module, test)
        case ast.Name() | ast.Attribute():
            return _flag_verdict(module, test, depth)
        case ast.Constant(value=bool() as value):
            return value
    return None


def _platform_string(module: ParsedModule, node: ast.expr, depth: int = 0) -> str | None:
    if depth > _DEEPEST:
        return None
    match node:
        # Windows sets the variable OS for every program.
        case ast.Call(func=func, args=[ast.Constant(value="OS"), *_]) if (
            module.canonical(func) in _READ_VARIABLE
        ):
            return "windows_nt"
        case ast.Subscript(value=value, slice=ast.Constant(value="OS")):
            return "windows_nt" if module.canonical(value) == "os.environ" else None
        case ast.Call(func=ast.Attribute(value=inner, attr="lower" | "upper" | "strip"), args=[]):
            return _platform_string(module, inner, depth + 1)
        case ast.Call(func=func, args=[]):
            return _PLATFORM_STRINGS.get(module.canonical(func))
        case ast.Subscript(value=ast.Call(func=func), slice=ast.Constant(value=0)):
            return "windows" if module.canonical(func) in ("platform.uname",) else None
        case ast.Attribute(value=ast.Call(func=func), attr="system" | "sysname"):
            return "windows" if module.canonical(func) in ("platform.uname", "os.uname") else None
        case ast.Name():
            bindings = module.find_bindings(node)
            if len(bindings) == 1 and bindings[0].value is not None and bindings[0].index is None:
                return _platform_string(module, bindings[0].value, depth + 1)
    return (
        _PLATFORM_STRINGS.get(module.canonical(node)) if isinstance(node, (ast.Attribute, ast.Name)) else None
    )


def find_words(node: ast.expr) -> tuple[str, ...] | None:
    """Give the strings of a literal in lower case, None where it is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (node.value.lower(),)
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        values = [each.value for each in node.elts if isinstance(each, ast.Constant)]
        return tuple(str(value).lower() for value in values)
    return None


def _compare(module: ParsedModule, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool | None:
    if isinstance(operator, (ast.In, ast.NotIn)) and "get_all_start_methods" in ast.unparse(right):
        return (find_words(left) == ("spawn",)) == isinstance(operator, ast.In)
    flipped = _platform_string(module, right)
    platform, words = _platform_string(module, left), find_words(right)
    if platform is None and flipped is not None:
        platform, words = flipped, find_words(left)
        if isinstance(operator, (ast.In, ast.NotIn)) and words:
            return (words[0] in platform) == isinstance(operator, ast.In)
    if platform is None or not words:
        return None
    if isinstance(operator, (ast.Eq, ast.In)):
        return platform in words
    if isinstance(operator, (ast.NotEq, ast.NotIn)):
        return platform not in words
    return None


def _call_verdict(module: ParsedModule, call: ast.Call) -> bool | None:
    match call:
        case ast.Call(func=ast.Attribute(value=value, attr="startswith"), args=[prefix]):
            platform, words = _platform_string(module, value), find_words(prefix)
            return platform.startswith(words) if platform is not None and words else None
        case ast.Call(func=ast.Name(id="hasattr"), args=[_, ast.Constant(value=str() as name)]):
            return False if name in _ONLY_ELSEWHERE else None
        case ast.Call(func=ast.Name(id="any"), args=[ast.GeneratorExp()]):
            return None
    if call.args:
        return None
    return _named_flag(module.canonical(call.func).rpartition(".")[2])


def _flag_verdict(module: ParsedModule, node: ast.Name | ast.Attribute, depth: int) -> bool | None:
    if isinstance(node, ast.Name):
        bindings = module.find_bindings(node)
        if len(bindings) == 1 and bindings[0].value is not None and bindings[0].index is None:
            value = bindings[0].value
            if not isinstance(value, (ast.Name, ast.Constant)):
                verdict = windows_verdict(module, value, depth + 1)
                return verdict if verdict is not None else _named_flag(node.id)
        return _named_flag(node.id)
    return _named_flag(node.attr)


def _named_flag(name: str) -> bool | None:
    if _WINDOWS_FLAG.match(name):
        return True
    return False if _OTHER_FLAG.match(name) else None


def runs_on_windows(module: ParsedModule, node: ast.AST) -> bool:
    """Tell whether the node can be reached on Windows, as far as platform checks around it say."""
    if not _branch_runs(module, node):
        return False
    function = module.enclosing_function(node)
    if function is None or module.functions.get(function.name) is not function:
        return True
    uses = [
        name
        for name in module.nodes.get(ast.Name, ())
        if isinstance(name, ast.Name) and name.id == function.name
    ]
    return not uses or any(_branch_runs(module, name) for name in uses)


def _branch_runs(module: ParsedModule, node: ast.AST) -> bool:
    child = node
    for parent in module.ancestors(node):
        if not _side_runs(module, parent, child) or not _reached(module, parent, child):
            return False
        child = parent
    return True


def _side_runs(module: ParsedModule, parent: ast.AST, child: ast.AST) -> bool:
    match parent:
        case ast.If(test=test, body=body) if child is not test:
            return windows_verdict(module, test) is not (child not in body)
        case ast.IfExp(test=test, body=body_expression) if child is not test:
            return windows_verdict(module, test) is not (child is not body_expression)
        case ast.BoolOp(op=operator, values=values):
            earlier = values[: values.index(child)] if isinstance(child, ast.expr) else []
            return not any(
                windows_verdict(module, value) is isinstance(operator, ast.Or) for value in earlier
            )
        case ast.Match(subject=subject, cases=cases) if child in cases:
            return _case_runs(module, subject, child)
        case ast.FunctionDef(decorator_list=decorators) | ast.ClassDef(decorator_list=decorators):
            return child in decorators or not any(_skips_windows(module, each) for each in decorators)
    return True


def _case_runs(module: ParsedModule, subject: ast.expr, case: ast.AST) -> bool:
    platform = _platform_string(module, subject)
    if platform is None or not isinstance(case, ast.match_case):
        return True
    values = [each.value for each in ast.walk(case.pattern) if isinstance(each, ast.Constant)]
    return not values or platform in [str(value).lower() for value in values]


def _skips_windows(module: ParsedModule, decorator: ast.expr) -> bool:
    if not isinstance(decorator, ast.Call) or not decorator.args:
        return False
    name, verdict = module.canonical(decorator.func).lower(), windows_verdict(module, decorator.args[0])
    return (name.endswith("skipif") and verdict is True) or (name.endswith("skipunless") and verdict is False)


def _reached(module: ParsedModule, parent: ast.AST, child: ast.AST) -> bool:
    """Tell whether no earlier statement of the same block has left it on Windows."""
    if not isinstance(child, ast.stmt):
        return True
    for name in ("body", "orelse", "finalbody"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and child in block:
            return not any(_leaves_on_windows(module, each) for each in block[: block.index(child)])
    return True


def _leaves_on_windows(module: ParsedModule, statement: ast.stmt) -> bool:
    match statement:
        case ast.If(test=test, body=body, orelse=orelse):
            verdict = windows_verdict(module, test)
            return (verdict is True and leaves(body)) or (verdict is False and leaves(orelse))
        case ast.Assert(test=test):
            return windows_verdict(module, test) is False
    return False
