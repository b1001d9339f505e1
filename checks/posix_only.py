"""Code uses what only POSIX systems have: signals, process groups, modules, shell commands."""

import ast
import re
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.facts import SourceFile
from torchdoctor.source.attempts import is_tried
from torchdoctor.source.places import locate
from torchdoctor.source.platforms import runs_on_windows
from torchdoctor.source.view import View

# "Availability: Unix" in the Python documentation, and used in training code.
_FUNCTIONS = frozenset(
    {
        "os.setpgrp",
        "os.setpgid",
        "os.setsid",
        "os.fork",
        "os.killpg",
        "os.getpgid",
        "os.getpgrp",
        "os.getuid",
        "os.geteuid",
        "os.nice",
        "os.mkfifo",
        "os.uname",
        "os.sched_setaffinity",
        "signal.alarm",
        "signal.setitimer",
        "signal.pause",
        "signal.sigwait",
        "signal.pthread_kill",
    }
)
_SIGNALS = frozenset(
    {
        "signal.SIGKILL",
        "signal.SIGALRM",
        "signal.SIGHUP",
        "signal.SIGUSR1",
        "signal.SIGUSR2",
        "signal.SIGQUIT",
        "signal.SIGCONT",
        "signal.SIGSTOP",
        "signal.SIGTSTP",
    }
)
_MODULES = frozenset({"resource", "fcntl", "termios", "pwd", "grp", "pty", "tty"})
_SHELL = re.compile(
    r"^\s*(?:sudo\s+)?(rm|cp|mv|ls|cat|chmod|touch|ln|kill|pkill|killall|tail|head|grep|wget|unzip|export|nohup|stty)\s+\S"
)
_RUNNERS = frozenset({"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"})
_SPAWNERS = frozenset(
    {
        "subprocess.run",
        "subprocess.call",
        "subprocess.check_call",
        "subprocess.check_output",
        "subprocess.Popen",
    }
)
_FAILURES = (
    "AttributeError",
    "ImportError",
    "ModuleNotFoundError",
    "OSError",
    "ValueError",
    "NotImplementedError",
)


@check
def posix_only(source: SourceFile) -> Iterator[Finding]:
    """Find POSIX functions, signals, modules and commands where Windows gets to them, each once."""
    view = source.view
    reported: set[str] = set()
    found = [*_imports(view), *_attributes(view), *_commands(view)]
    # What a function tries, it also undoes, in its `finally` or where it knows that the trial went well.
    tried = {(what, view.enclosing_function(node)) for node, what in found if _is_tried(view, node)}
    for node, what in found:
        if (
            what in reported
            or (what, view.enclosing_function(node)) in tried
            or not runs_on_windows(view, node)
        ):
            continue
        reported.add(what)
        yield Finding(f"{what} does not exist on Windows", locate(source, node))


def _is_tried(view: View, node: ast.AST) -> bool:
    return is_tried(view, node, _FAILURES, may_raise=True)


def _imports(view: View) -> Iterator[tuple[ast.AST, str]]:
    for node in [*view.nodes.get(ast.Import, ()), *view.nodes.get(ast.ImportFrom, ())]:
        match node:
            case ast.Import(names=names):
                for name in (each.name for each in names if each.name in _MODULES):
                    yield node, f"the module {name}"
            case ast.ImportFrom(module="os" | "signal" as module, names=names, level=0):
                for each in names:
                    if f"{module}.{each.name}" in _FUNCTIONS | _SIGNALS:
                        yield node, f"{module}.{each.name}"
            case ast.ImportFrom(module=str() as module, level=0) if module in _MODULES:
                yield node, f"the module {module}"


def _attributes(view: View) -> Iterator[tuple[ast.AST, str]]:
    for node in view.nodes.get(ast.Attribute, ()):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = view.canonical(node)
            if name in _FUNCTIONS or name in _SIGNALS:
                yield node, name


def _commands(view: View) -> Iterator[tuple[ast.AST, str]]:
    for call in view.calls:
        name = view.canonical(call.func)
        if not call.args or (name not in _RUNNERS and name not in _SPAWNERS):
            continue
        command = _SHELL.match(_leading_text(view, call.args[0]) + "x")
        if command is not None:
            yield call, f'the command "{command[1]}"'


def _leading_text(view: View, node: ast.expr) -> str:
    """Give the constant text with which a command begins."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=[ast.Constant(value=str() as text), *_]):
            return text
        case ast.BinOp(left=left):
            return _leading_text(view, left)
        case ast.Call(func=ast.Attribute(value=value, attr="format" | "split")):
            return _leading_text(view, value)
        case ast.List(elts=[ast.Constant(value=str() as first), _, *_]):
            return f"{first} "
        case ast.Name():
            bindings = view.find_bindings(node)
            bound = bindings[0].value if len(bindings) == 1 else None
            return _leading_text(view, bound) if isinstance(bound, (ast.Constant, ast.JoinedStr)) else ""
    return ""
