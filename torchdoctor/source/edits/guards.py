"""The edit that puts the work of a script under `if __name__ == "__main__":`."""

import ast
import re
from collections.abc import Sequence

from torchdoctor.check import Edit, Replacement
from torchdoctor.source.edits.blocks import find_comment_start, find_lines_in_strings, indent_lines
from torchdoctor.source.edits.changes import apply_replacements, find_line_end
from torchdoctor.source.edits.needs import find_last_guard, is_movable, is_rebound
from torchdoctor.source.idioms.processes.process_starts import find_starts
from torchdoctor.source.lines import find_line_starts, split_lines
from torchdoctor.source.module.main_tests import main_verdict
from torchdoctor.source.module.nodes import FUNCTIONS, find_keyword, is_constant_statement
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.source_file import SourceFile

_DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
# Each worker would repeat these: files vanish, runs are logged twice, questions are asked.
_UNIQUE_CALLS = frozenset((
    "shutil.rmtree", "shutil.move", "os.remove", "os.unlink", "os.rmdir", "os.removedirs", "os.rename",
    "os.renames", "os.replace", "os.system", "os.popen", "subprocess.run", "subprocess.call",
    "subprocess.check_call", "subprocess.Popen", "input", "multiprocessing.set_start_method",
    "torch.multiprocessing.set_start_method", "torch.distributed.init_process_group", "wandb.init",
))  # fmt: skip
_UNIQUE_METHODS = frozenset(("rmtree", "unlink", "SummaryWriter", "init_process_group", "set_start_method"))
# What the description of such an edit has.
GUARDED = "under a main guard"
# What begins a cell for editors that run a script in parts.
_CELL = re.compile(r"^# ?%%", re.MULTILINE)
# What loads data or a model, by the last part of its name, and so many lines of such work are named.
_WORK = re.compile(r"^(?:load|read|from_pretrained)(?:_|$)|Dataset$|^ImageFolder$")
_MOST_NAMED = 4
# What makes a folder, and what gives it another name in each process.
_FOLDER_MAKERS = frozenset(("makedirs", "mkdir", "mkdir_or_exist"))
_NEW_NAMES = frozenset(
    ("now", "utcnow", "today", "time", "time_ns", "strftime", "ctime", "uuid1", "uuid4", "getpid")
)
# A name is seldom made of others in so many steps.
_MOST_STEPS = 30
_GUARD = 'if __name__ == "__main__":'


def make_guard_edit(source: SourceFile, first: ast.stmt) -> Edit | None:
    """Return the edit that guards the work of a script, or None if that is not safe.

    `first` is the first statement of the module that starts processes. What workers may need stays above the
    guard: imports, classes, functions that are passed on, and the names that they use. There is no function
    around the work: its names stay those of the module, whatever reads them.
    """
    module, body = source.module, source.tree.body
    index = _find_work_start(module, body.index(first))
    if not all(is_movable(module, statement) for statement in body[body.index(first) :]):
        return None
    if any(_must_happen_once(module, statement) for statement in body[:index]) or is_rebound(module, index):
        return None
    if "__name__" in module.bound_names or _CELL.search(source.text):
        return None
    tail = body[index:]
    if tail[0].col_offset or (index and body[index - 1].end_lineno == tail[0].lineno):
        return None
    # The comments above the work belong to it.
    line = find_comment_start(source, tail[0].lineno, (body[index - 1].end_lineno or 0) if index else 0)
    replacements = _wrap(source, line)
    if replacements is None:
        return None
    after = apply_replacements(source.text, replacements)
    try:
        guarded = ast.parse(after)
    except SyntaxError:
        return None
    if find_starts(ParsedModule(guarded, source.module.place)):
        return None
    rest = _describe_repeated(module, body[:index])
    return Edit(source.path, f"run lines {line} to the end {GUARDED}{rest}", tuple(replacements))


def _describe_repeated(module: ParsedModule, above: Sequence[ast.stmt]) -> str:
    """Return what an edit says of the work above a guard, which each worker repeats; "" without any."""
    calls = [
        (statement.lineno, node)
        for statement in above
        if not isinstance(statement, (*_DEFINITIONS, *_IMPORTS))
        and not (isinstance(statement, ast.If) and main_verdict(module, statement.test) is not None)
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and _is_work(module, node)
    ]
    numbers = list(dict.fromkeys(str(number) for number, _ in calls))
    if not numbers:
        return ""
    more = len(numbers) - _MOST_NAMED
    named = f"{', '.join(numbers[:_MOST_NAMED])}{f' and {more} more' if more > 0 else ''}"
    is_one = len(numbers) == 1
    lines = f"line {named} stays" if is_one else f"lines {named} stay"
    memory = ", and takes GPU memory where the script does" if any(_moves(each) for _, each in calls) else ""
    return f"; {lines} above it, and each worker repeats that work{memory}"


def _is_work(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether a call takes time or memory, by its name or as one of the file's own definitions."""
    name = module.find_dotted_name(call.func)
    last = call.func.attr if isinstance(call.func, ast.Attribute) else name.rpartition(".")[2]
    return (
        _moves(call)
        or (last in _FOLDER_MAKERS and _has_new_name(module, call))
        or name in module.functions
        or name in module.classes
        or _WORK.search(last) is not None
    )


def _has_new_name(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether each process makes another folder by a call, as its name has the time or a number."""
    waiting: list[ast.AST] = [call]
    for _ in range(_MOST_STEPS):
        if not waiting:
            return False
        for node in ast.walk(waiting.pop()):
            match node:
                case ast.Name(ctx=ast.Load()):
                    waiting += [each.value for each in module.find_bindings(node) if each.value is not None]
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _NEW_NAMES:
                    return True
    return False


def _moves(call: ast.Call) -> bool:
    """Return whether a call is a method that moves something to a device."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("to", "cuda")


def _find_work_start(module: ParsedModule, first: int) -> int:
    """Return the index of the first statement of the work that ends with the module.

    All statements from there on may be guarded. It begins with one that does something, and never in the
    middle of a line.
    """
    body = module.tree.body
    index = above = first
    last = len(body)
    followed: set[str] = set()
    while above > 0 and (found := find_last_guard(module, body[above - 1], followed)) is not None:
        above -= 1
        last = min(last, found)
        if above <= last:
            index = above
    while index < first and (_does_nothing(body[index]) or _continues_line(body, index)):
        index += 1
    return index


def _continues_line(body: Sequence[ast.stmt], index: int) -> bool:
    return index > 0 and body[index - 1].end_lineno == body[index].lineno


def _does_nothing(statement: ast.stmt) -> bool:
    """Return whether a statement only imports, defines, or names a constant."""
    match statement:
        case ast.Assign(value=ast.Constant()) | ast.AnnAssign(value=ast.Constant() | None):
            return True
    return isinstance(statement, (*_IMPORTS, *FUNCTIONS)) or is_constant_statement(statement)


def _must_happen_once(module: ParsedModule, statement: ast.stmt) -> bool:
    """Return whether a statement does what would do harm, or fail, in each worker."""
    if isinstance(statement, _DEFINITIONS) or (
        isinstance(statement, ast.If) and main_verdict(module, statement.test) is not None
    ):
        return False
    return any(isinstance(node, ast.Call) and _is_unique(module, node) for node in ast.walk(statement))


def _is_unique(module: ParsedModule, call: ast.Call) -> bool:
    name = module.find_dotted_name(call.func)
    if name.rpartition(".")[2] in _UNIQUE_METHODS:
        return True
    if name in ("open", "io.open"):
        mode = find_keyword(call, "mode") or (call.args[1] if len(call.args) > 1 else None)
        return isinstance(mode, ast.Constant) and any(sign in str(mode.value) for sign in "wx")
    return name in _UNIQUE_CALLS


def _wrap(source: SourceFile, first: int) -> list[Replacement] | None:
    """Return the replacements that put lines under a guard, or None if the text cannot be tokenized."""
    lines, line_end = split_lines(source.text), find_line_end(source.text)
    indented = indent_lines(source, first, len(lines))
    if not indented:
        return None
    head = f"{_GUARD}{line_end}{indented[0].text}"
    spare = _find_spare_lines(source, first, lines)
    return [Replacement(indented[0].start, indented[0].end, head), *indented[1:], *spare]


def _find_spare_lines(source: SourceFile, first: int, lines: Sequence[str]) -> list[Replacement]:
    """Return the replacements that leave one blank line where several follow each other.

    More of them are an error of style in an indented block.
    """
    in_strings, starts = find_lines_in_strings(source.text) or frozenset(), find_line_starts(source.text)
    blank = {number for number in range(first, len(lines) + 1) if not lines[number - 1].strip()} - in_strings
    last = max(set(range(first, len(lines) + 1)) - blank, default=first)
    return [
        Replacement(starts[number - 1], starts[number], "")
        for number in sorted(blank)
        if number - 1 in blank and number < last
    ]
