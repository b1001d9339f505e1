"""The code uses features that only POSIX systems have: signals, process groups, modules, shell commands."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchdoctor.check import Finding, Location, Severity, Words, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.shell.commands import find_command_texts, find_texts
from torchdoctor.source.idioms.shell.posix_programs import (
    PROGRAM_STEPS,
    QUOTED_COMMAND,
    QUOTED_PROGRAM,
    describe_missing_part,
)
from torchdoctor.source.module.conditions import is_conditional
from torchdoctor.source.module.handled_errors import is_error_handled
from torchdoctor.source.module.nodes import find_keyword
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.platforms import runs_on_windows
from torchdoctor.source.module.posix_names import POSIX_MODULES, POSIX_NAMES
from torchdoctor.source.places import locate, name_other_lines

_TIMERS = ("signal.alarm", "signal.setitimer", "signal.getitimer")
# The steps for names of a module; others are told apart by how they are written.
_STEPS_OF_NAMES = {
    "process": ("os.setsid", "os.setpgrp", "os.setpgid", "os.killpg"),
    "uname": ("os.uname",),
    "cpu-count": ("os.sched_getaffinity",),
    "psutil": ("os.sched_setaffinity", "os.nice", "os.getloadavg", "os.getpriority", "os.setpriority"),
    "number": ("os.getuid", "os.geteuid", "os.getgid", "os.getegid"),
    "disk-space": ("os.statvfs", "os.fstatvfs"),
    "signal-end": ("signal.SIGKILL",),
    "signal-limit": ("signal.SIGALRM", "signal.SIGVTALRM", "signal.SIGPROF", *_TIMERS),
}
_STEP_OF_NAME = {name: step for step, names in _STEPS_OF_NAMES.items() for name in names}
_STEPS_OF_PATTERNS = (
    ("start", re.compile(r"os\.(?:fork|posix_spawn|spawn|wait|W[A-Z])")),
    ("memory-map", re.compile(r"mmap\.")),
    ("select", re.compile(r"select\.e?poll")),
    ("clock", re.compile(r"time\.clock_")),
    ("signals", re.compile(r"signal\.SIG")),
    ("socket", re.compile(r"socket\.")),
    ("constant", re.compile(r"\w+\.[A-Z][A-Z_0-9]+$")),
)
# Python raises an error for these, other than for a name that is missing.
_REFUSED_ARGUMENTS = ("preexec_fn", "pass_fds")
# What happens there, by the step; what is of other steps does not exist.
_FAILURES = {"arguments": "is refused", "format": "is refused", "import-name": "fails"}
_IMPORT = "the import of "
# What a package for Windows brings: pyreadline3.
_MODULES_OF_PACKAGES = ("the module readline",)
# Without a leading zero, an extension of the C library of Linux.
_UNPADDED = re.compile(r"%-[dmHIMSjUWy]")
_LOOKS_FOR_PROGRAM = re.compile(r"\b(?:which|find_executable)\(")
_INFINIBAND = re.compile(r"/sys/class/infiniband|\bib(?:dev2netdev|stat|v_devinfo)\b")
_STEPS_OF_COMMANDS = frozenset({*PROGRAM_STEPS.values(), "syntax", "find", "sort"})
_LAST_NAMES = frozenset(name.partition(".")[2] for name in POSIX_NAMES)
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


def _list_names(module: str, prefix: str = "") -> str:
    """Return the names of a module that begin with a prefix, without it, as alternatives of a pattern."""
    start = f"{module}.{prefix}"
    return "|".join(name.removeprefix(start) for name in sorted(POSIX_NAMES) if name.startswith(start))


# A pattern that begins with a text is searched faster than one that does not.
_USES = {
    module: re.compile(rf"{module}\.(?:{_list_names(module)})\b".encode())
    for module in ("os", "signal", "time", "select", "mmap", "socket")
}
_IMPORTS = "|".join(
    (
        *(rf"{module} import (?:\([^)]*?|[^\n(]*?)\b(?:{_list_names(module)})\b" for module in _USES),
        rf"(?:{'|'.join(sorted(POSIX_MODULES))}) import",
        r"os import (?:\([^)]*?|[^\n(]*?)\b(?:system|popen)\b",
    )
)
# With a module of another name, as in `import signal as sig`.
_SIGNALS = re.compile(rf"SIG(?:{_list_names('signal', 'SIG')})\b".encode())
_COMMAND_WORDS = (
    b"shell=True",
    b"getoutput(",
    b"getstatusoutput(",
    b"preexec_fn=",
    b"pass_fds=",
    QUOTED_PROGRAM,
)
_WORDS: tuple[Words, ...] = (
    *((f"{module}.".encode(), (pattern,)) for module, pattern in _USES.items()),
    (re.compile(f"from (?:{_IMPORTS})".encode()), ()),
    (b"os.", (b"os.system(", b"os.popen(")),
    (b"subprocess", _COMMAND_WORDS),
    (b"subprocess", (b"split(",), (QUOTED_COMMAND,)),
    (b"/dev/null", (b"open(",)),
    (b"strftime", (b"%-",)),
    (b"signal", (_SIGNALS,)),
    (re.compile(rf"import (?:{'|'.join(sorted(POSIX_MODULES))})\b".encode()), ()),
)


@dataclass(frozen=True, slots=True)
class _Use:
    """What Windows lacks, and where it is used; `is_probe` is true of a command that asks for InfiniBand."""

    node: ast.AST
    what: str
    is_probe: bool = False


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
    tried_uses = {
        (use.what, module.find_function(use.node)) for use in uses if _is_expected(module, use.node)
    }
    places: dict[tuple[str, bool], list[Location]] = {}
    failing_imports: set[str] = set()
    for use in uses:
        is_tried = (use.what, module.find_function(use.node)) in tried_uses
        if not is_tried and runs_on_windows(module, use.node):
            places.setdefault((use.what, use.is_probe), []).append(locate(source, use.node))
            if _stops_module(source, use):
                failing_imports.add(use.what)
    if ("signal.SIGALRM", False) in places:
        # The timer is the other half of the same use.
        places = {key: found for key, found in places.items() if key[0] not in _TIMERS}
    for (what, is_probe), (first, *others) in places.items():
        step = _choose_step(what)
        message = f"{what} {_FAILURES.get(step, 'does not exist')} on Windows"
        message += name_other_lines(first, others)
        severity = Severity.ERROR if what in failing_imports else None
        if is_probe or _is_for_elsewhere(source, step):
            severity = Severity.NOTE
        yield Finding(message, first, _list_evidence(what), step=step, severity=severity)


def _stops_module(source: SourceFile, use: _Use) -> bool:
    """Return whether a use is an import that fails whenever the file is run or imported."""
    is_import = isinstance(use.node, (ast.Import, ast.ImportFrom)) and use.what not in _MODULES_OF_PACKAGES
    return is_import and not source.is_notebook and source.module.parents[use.node] is source.tree


def _is_for_elsewhere(source: SourceFile, step: str) -> bool:
    """Return whether the code prepares the machine that it was written for.

    Notebooks and kernels of Kaggle do so by commands, and cog runs the whole file in a container of Linux.
    """
    is_prepared = source.is_notebook or source.words[b"/kaggle/"]
    return source.words[b"from cog import"] or (is_prepared and step in _STEPS_OF_COMMANDS)


def _is_expected(module: ParsedModule, node: ast.AST) -> bool:
    return is_error_handled(module, node, _EXPECTED_ERRORS, may_raise=True)


def _list_evidence(what: str) -> dict[str, object]:
    """Return the values for the fields of the step."""
    if what.startswith("the module "):
        return {"module": what.rpartition(" ")[2]}
    # Of several names that are imported together, the first one.
    name = what.removeprefix(_IMPORT).partition(" and ")[0]
    owner, _, attribute = name.partition(".")
    return {"owner": owner, "attribute": attribute} if name in POSIX_NAMES else {}


def _choose_step(what: str) -> str:
    """Return the tag of the step that cures a use."""
    if what in POSIX_NAMES:
        found = (step for step, pattern in _STEPS_OF_PATTERNS if pattern.match(what))
        return _STEP_OF_NAME.get(what) or next(found, "exists")
    match what.split():
        case ["the", "command" | "program", name]:
            return PROGRAM_STEPS[name.strip('"')]
        case ["the", "import", *_]:
            return "import-name"
        case ["the", "option", _, "of", name]:
            return name.strip('"')
        case ["the", "module" | "format" as kind, *_]:
            return kind
        case [name, "of", "subprocess"] if name in _REFUSED_ARGUMENTS:
            return "arguments"
    return "syntax"


def _find_imports(module: ParsedModule) -> Iterator[_Use]:
    for node in [*module.nodes.get(ast.Import, ()), *module.nodes.get(ast.ImportFrom, ())]:
        match node:
            case ast.Import(names=names):
                for name in (alias.name for alias in names if alias.name in POSIX_MODULES):
                    yield _Use(node, f"the module {name}")
            case ast.ImportFrom(module=str() as origin, level=0) if origin in POSIX_MODULES:
                yield _Use(node, f"the module {origin}")
            case ast.ImportFrom(module=str() as origin, names=names, level=0):
                found = [f"{origin}.{alias.name}" for alias in names]
                if missing := [name for name in found if name in POSIX_NAMES]:
                    yield _Use(node, f"{_IMPORT}{' and '.join(missing)}")


def _find_attributes(module: ParsedModule) -> Iterator[_Use]:
    for node in module.nodes.get(ast.Attribute, ()):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in _LAST_NAMES:
            name = module.find_dotted_name(node)
            if name in POSIX_NAMES and _may_be_module(module, node.value):
                yield _Use(node, name)


def _may_be_module(module: ParsedModule, name: ast.Name) -> bool:
    """Return whether a name can stand for a module; `signal` and `time` are names of arrays as well."""
    if module.find_parameter(name) is not None:
        return False
    values = (binding.value for binding in module.find_bindings(name))
    return all(isinstance(value, (ast.Name, ast.Attribute, ast.Constant)) for value in values)


def _find_commands(module: ParsedModule) -> Iterator[_Use]:
    for call in module.find_calls(_COMMAND_CALLS.__contains__):
        name = module.find_dotted_name(call.func)
        if not call.args:
            continue
        if name in ("open", "io.open") and "/dev/null" in find_texts(module, call.args[0]):
            yield _Use(call, "the path /dev/null")
        elif name in _COMMAND_RUNNERS and find_keyword(call, "executable") is None:
            runs_shell = _runs_shell(call, name)
            told: set[ast.AST] = set()
            for node, text in find_command_texts(module, call):
                what = describe_missing_part(text, runs_shell) if node not in told else None
                is_expected = node is not call and _is_expected(module, call)
                if what is not None and not is_expected and not _is_looked_for(module, node):
                    told.add(node)
                    yield _Use(node, what, _INFINIBAND.search(text) is not None)


def _is_looked_for(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether a condition of a call looks for a program, as by `shutil.which`."""
    return is_conditional(module, call, _asks_for_program)


def _asks_for_program(module: ParsedModule, condition: ast.expr) -> bool:
    names = [node for node in ast.walk(condition) if isinstance(node, ast.Name)]
    values = [binding.value for name in names for binding in module.find_bindings(name)]
    texts = (ast.unparse(value) for value in [condition, *values] if value is not None)
    return any(_LOOKS_FOR_PROGRAM.search(text) for text in texts)


def _find_arguments(module: ParsedModule) -> Iterator[_Use]:
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
                if module.find_dotted_name(value) not in POSIX_NAMES:
                    yield _Use(value, f"{argument} of subprocess")
        elif name.rpartition(".")[2] == "strftime" or getattr(call.func, "attr", "") == "strftime":
            for value in call.args[:2]:
                found = map(_UNPADDED.search, find_texts(module, value))
                if (match := next(filter(None, found), None)) is not None:
                    yield _Use(value, f'the format "{match[0]}" of strftime')


def _runs_shell(call: ast.Call, name: str) -> bool | None:
    """Return whether a shell reads the command of a call; None if that is not known."""
    match find_keyword(call, "shell"):
        case ast.Constant(value=value):
            return bool(value)
        case None if name.startswith("subprocess.") and not name.startswith("subprocess.get"):
            return None if any(keyword.arg is None for keyword in call.keywords) else False
        case None:
            return True
    return None
