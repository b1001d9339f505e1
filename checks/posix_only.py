"""The code uses features that only POSIX systems have: signals, process groups, modules, shell commands."""

import ast
import re
from collections.abc import Iterable, Iterator

from torchdoctor.check import Finding, Location, Severity, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.commands import find_command_texts, find_texts
from torchdoctor.source.module.handled_errors import is_error_handled
from torchdoctor.source.module.nodes import find_keyword
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.places import locate, name_other_lines

# Functions that training code uses and that the Python documentation marks "Availability: Unix".
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
_LAST_NAMES = frozenset(name.partition(".")[2] for name in (*_FUNCTIONS, *_SIGNALS))
_TIMERS = ("signal.alarm", "signal.setitimer")
_PROCESS_FUNCTIONS = frozenset({"os.setsid", "os.setpgrp", "os.setpgid", "os.killpg"})
_MODULES = frozenset({"resource", "fcntl", "termios", "pwd", "grp", "pty", "tty"})
_MODULE_WORDS = b"|".join(name.encode() for name in sorted(_MODULES))
# The programs of a shell command, which stand at its start or behind ; & | and assignments. {} is not known.
_SHELL_COMMAND = re.compile(
    r"(?:^|[;&|]|\$\()\s*(?:sudo\s+)?(?:[A-Za-z_]\w*=\S*\s+)*(rm|cp|mv|ls|cat|chmod|touch|ln|kill|pkill|killall|tail|head|grep"
    r"|egrep|awk|sed|wc|cut|tee|xargs|which|free|df|du|ps|lscpu|bash|sh|env|wget|unzip|export|source|nohup|stty)\s+\S"
)
# What only a POSIX shell understands, with its name in a message.
_SHELL_SYNTAX = (
    ("the path /dev/null", re.compile(r"/dev/null\b")),
    ("the assignment {}= before a command", re.compile(r"(?:^|[;&|])\s*([A-Za-z_]\w*)=\S*\s+\w")),
    ("the quoting with single quotes", re.compile(r"(?<=[\s=])'[^'\n]*'(?=\s|$)")),
)
# Python raises an error for these, other than for a name that is missing.
_REFUSED_ARGUMENTS = ("preexec_fn", "pass_fds")
_REFUSED_STEPS = ("arguments", "format")
# Without a leading zero, an extension of the C library of Linux.
_UNPADDED = re.compile(r"%-[dmHIMSjUWy]")
_COMMAND_RUNNERS = frozenset(
    {
        "os.system",
        "os.popen",
        "subprocess.getoutput",
        "subprocess.getstatusoutput",
        "subprocess.run",
        "subprocess.call",
        "subprocess.check_call",
        "subprocess.check_output",
        "subprocess.Popen",
    }
)
_ARGUMENT_CALLS = frozenset((*(name.rpartition(".")[2] for name in _COMMAND_RUNNERS), "strftime"))
_COMMAND_CALLS = frozenset((*_ARGUMENT_CALLS, "open"))
_EXPECTED_ERRORS = (
    "AttributeError",
    "ImportError",
    "ModuleNotFoundError",
    "OSError",
    "FileNotFoundError",
    "CalledProcessError",
    "ValueError",
    "NotImplementedError",
)


def _list_words(module: str, names: Iterable[str]) -> tuple[bytes, ...]:
    """Return the names of a module without it."""
    return tuple(name.partition(".")[2].encode() for name in sorted(names) if name.startswith(f"{module}."))


_OS_WORDS = b"|".join(_list_words("os", _FUNCTIONS))
_SIGNAL_WORDS = b"|".join(
    (*_list_words("signal", _SIGNALS), *(word + rb"\(" for word in _list_words("signal", _FUNCTIONS)))
)
_COMMAND_WORDS = (
    b"rm -",
    b"cp -",
    b"'rm'",
    b'"rm"',
    b"'cp'",
    b'"cp"',
    b"shell=True",
    b"getoutput(",
    b"getstatusoutput(",
    b"preexec_fn=",
    b"pass_fds=",
)
_WORDS = (
    (b"os.", (re.compile(rb"os\.(?:%s|system\(|popen\()" % _OS_WORDS),)),
    (b"from os import", (re.compile(_OS_WORDS),)),
    (b"subprocess", _COMMAND_WORDS),
    (b"/dev/null", (b"open(",)),
    (b"strftime", (b"%-",)),
    (b"signal", (re.compile(_SIGNAL_WORDS),)),
    (re.compile(rb"import (?:%s)\b" % _MODULE_WORDS), ()),
    (re.compile(rb"from (?:%s) import" % _MODULE_WORDS), ()),
)


@check(words=_WORDS)
def posix_only(source: SourceFile) -> Iterator[Finding]:
    """Find POSIX functions, signals, modules and commands in code that runs on Windows, each once."""
    module = source.module
    uses = [
        *_find_imports(module),
        *_find_attributes(module),
        *_find_commands(module),
        *_find_arguments(module),
    ]
    # A function that tries a call often makes it again outside of `try`, to undo it.
    tried_uses = {(what, module.find_function(node)) for node, what in uses if _is_expected(module, node)}
    places: dict[str, list[Location]] = {}
    for node, what in uses:
        if (what, module.find_function(node)) not in tried_uses and runs_on_windows(module, node):
            places.setdefault(what, []).append(locate(source, node))
    if "signal.SIGALRM" in places:
        # The timer is the other half of the same use.
        places = {what: found for what, found in places.items() if what not in _TIMERS}
    for what, (first, *others) in places.items():
        evidence: dict[str, object] = (
            {"module": what.rpartition(" ")[2]} if what.startswith("the module ") else {}
        )
        step = _choose_step(what)
        # Notebooks and kernels of Kaggle prepare the machine that they were written for.
        is_elsewhere = source.is_notebook or source.words[b"/kaggle/"]
        severity = Severity.NOTE if is_elsewhere and step in ("shell", "syntax") else None
        message = f"{what} {'is refused' if step in _REFUSED_STEPS else 'does not exist'} on Windows"
        message += name_other_lines(first, others)
        yield Finding(message, first, evidence, step=step, severity=severity)


def _is_expected(module: ParsedModule, node: ast.AST) -> bool:
    return is_error_handled(module, node, _EXPECTED_ERRORS, may_raise=True)


def _choose_step(what: str) -> str:
    """Return the tag of the step that cures a use."""
    if what.startswith("the module"):
        return "module"
    if what.startswith("the command") and "env" not in what:
        return "shell"
    if what.startswith("the format"):
        return "format"
    if what.removesuffix(" of subprocess") in _REFUSED_ARGUMENTS:
        return "arguments"
    if what.startswith("the "):
        return "syntax"
    if what in _PROCESS_FUNCTIONS:
        return "process"
    if what == "os.uname":
        return "uname"
    return "signals" if what.startswith("signal.") else "exists"


def _find_imports(module: ParsedModule) -> Iterator[tuple[ast.AST, str]]:
    for node in [*module.nodes.get(ast.Import, ()), *module.nodes.get(ast.ImportFrom, ())]:
        match node:
            case ast.Import(names=names):
                for name in (alias.name for alias in names if alias.name in _MODULES):
                    yield node, f"the module {name}"
            case ast.ImportFrom(module="os" | "signal" as origin, names=names, level=0):
                for alias in names:
                    if f"{origin}.{alias.name}" in _FUNCTIONS | _SIGNALS:
                        yield node, f"{origin}.{alias.name}"
            case ast.ImportFrom(module=str() as origin, level=0) if origin in _MODULES:
                yield node, f"the module {origin}"


def _find_attributes(module: ParsedModule) -> Iterator[tuple[ast.AST, str]]:
    for node in module.nodes.get(ast.Attribute, ()):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in _LAST_NAMES:
            name = module.find_dotted_name(node)
            if name in _FUNCTIONS or name in _SIGNALS:
                yield node, name


def _find_commands(module: ParsedModule) -> Iterator[tuple[ast.AST, str]]:
    for call in module.find_calls(_COMMAND_CALLS.__contains__):
        name = module.find_dotted_name(call.func)
        if not call.args:
            continue
        if name in ("open", "io.open") and "/dev/null" in find_texts(module, call.args[0]):
            yield call, "the path /dev/null"
        elif name in _COMMAND_RUNNERS and find_keyword(call, "executable") is None:
            runs_shell = _runs_shell(call, name)
            told: set[ast.AST] = set()
            for node, text in find_command_texts(module, call):
                what = _find_posix_part(text, runs_shell) if node not in told else None
                if what is not None and (node is call or not _is_expected(module, call)):
                    told.add(node)
                    yield node, what


def _find_posix_part(command: str, runs_shell: bool) -> str | None:
    """Return what a command has that Windows lacks: a program, or the syntax of a shell."""
    program = _SHELL_COMMAND.search(f"{command}x")
    if program is not None:
        return f'the command "{program[1]}"'
    return next(_find_shell_syntax(command), None) if runs_shell else None


def _find_arguments(module: ParsedModule) -> Iterator[tuple[ast.AST, str]]:
    """Yield the arguments of subprocess, and the formats of a time, that are refused on Windows."""
    for call in module.find_calls(_ARGUMENT_CALLS.__contains__):
        name = module.find_dotted_name(call.func)
        if name in _COMMAND_RUNNERS:
            for argument in _REFUSED_ARGUMENTS:
                value = find_keyword(call, argument)
                # What is None on some systems was chosen by one, and os.setsid is reported itself.
                match value:
                    case None | ast.Constant() | ast.IfExp() | ast.Tuple(elts=[]):
                        continue
                if module.find_dotted_name(value) not in _FUNCTIONS:
                    yield value, f"{argument} of subprocess"
        elif name.rpartition(".")[2] == "strftime" or getattr(call.func, "attr", "") == "strftime":
            for value in call.args[:2]:
                found = map(_UNPADDED.search, find_texts(module, value))
                if (match := next(filter(None, found), None)) is not None:
                    yield value, f'the format "{match[0]}" of strftime'


def _runs_shell(call: ast.Call, name: str) -> bool:
    shell = find_keyword(call, "shell")
    return not name.startswith("subprocess.") or (isinstance(shell, ast.Constant) and bool(shell.value))


def _find_shell_syntax(command: str) -> Iterator[str]:
    """Yield what a command has that only a POSIX shell understands; at most one, because one is enough."""
    for name, pattern in _SHELL_SYNTAX:
        if (match := pattern.search(command)) is not None:
            yield name.format(*match.groups())
            return
