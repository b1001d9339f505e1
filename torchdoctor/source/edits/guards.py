"""The edit that puts the work of a script under `if __name__ == "__main__":`."""

import ast
import builtins
import re
from collections.abc import Mapping, Sequence

from torchdoctor.check import Edit, Replacement
from torchdoctor.source.edits.blocks import indent_lines
from torchdoctor.source.edits.changes import apply_replacements, find_line_end
from torchdoctor.source.idioms.process_starts import find_starts
from torchdoctor.source.lines import split_lines
from torchdoctor.source.module.main_tests import main_verdict
from torchdoctor.source.module.names import find_bound_names
from torchdoctor.source.module.nodes import FUNCTIONS, find_keyword, is_constant_statement, parameter_names
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.source_file import SourceFile

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*_FUNCTIONS, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
# Calls that make a class, which has to be where workers can import it.
_CLASS_MAKERS = frozenset((
    "collections.namedtuple", "typing.NamedTuple", "typing.TypedDict", "dataclasses.make_dataclass",
    "enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag", "type",
))  # fmt: skip
# Each worker would repeat these: files vanish, runs are logged twice, questions are asked.
_UNIQUE_CALLS = frozenset((
    "shutil.rmtree", "shutil.move", "os.remove", "os.unlink", "os.rmdir", "os.removedirs", "os.rename",
    "os.renames", "os.replace", "os.system", "os.popen", "subprocess.run", "subprocess.call",
    "subprocess.check_call", "subprocess.Popen", "input", "multiprocessing.set_start_method",
    "torch.multiprocessing.set_start_method", "torch.distributed.init_process_group", "wandb.init",
))  # fmt: skip
_UNIQUE_METHODS = frozenset(("rmtree", "unlink", "SummaryWriter", "init_process_group", "set_start_method"))
# Calls that change how a library works, in the process that makes them.
_BUILT_IN = frozenset(dir(builtins))
_SETTER = re.compile(
    r"^(?:set_?[a-z]|set[A-Z]|register|filterwarnings|simplefilter|basicConfig|field_size_limit|getcontext|setattr|globals"
    r"|exec|enable|disable|use\b)"
)
# The main process alone needs these, or workers set them themselves.
_OWN_SETTINGS = ("seed", "seed_everything", "set_device", "set_start_method", "set_default_tensor_type")
# What the description of such an edit has.
GUARDED = "under a main guard"
_GUARD = 'if __name__ == "__main__":'


def make_guard_edit(source: SourceFile, first: ast.stmt) -> Edit | None:
    """Return the edit that guards the work of a script, or None if that is not safe.

    `first` is the first statement of the module that starts processes. What workers may need stays above the
    guard: imports, classes, functions that are passed on, and the names that they use. There is no function
    around the work: its names stay those of the module, whatever reads them.
    """
    module, body = source.module, source.tree.body
    index = _find_work_start(module, body.index(first))
    if not all(_is_movable(module, statement) for statement in body[body.index(first) :]):
        return None
    if any(_must_happen_once(module, statement) for statement in body[:index]):
        return None
    if "__name__" in module.bound_names:
        return None
    tail = body[index:]
    if tail[0].col_offset or (index and body[index - 1].end_lineno == tail[0].lineno):
        return None
    replacements = _wrap(source, tail)
    if replacements is None:
        return None
    after = apply_replacements(source.text, replacements)
    try:
        guarded = ast.parse(after)
    except SyntaxError:
        return None
    if find_starts(ParsedModule(guarded, source.module.place)):
        return None
    return Edit(source.path, f"run lines {tail[0].lineno} to the end {GUARDED}", tuple(replacements))


def _find_work_start(module: ParsedModule, first: int) -> int:
    """Return the index of the first statement of the work that ends with the module.

    All statements from there on may be guarded. It begins with one that does something, and never in the
    middle of a line.
    """
    body = module.tree.body
    used = _find_first_definitions(body)
    index = first
    while index > 0 and _may_be_guarded(module, body[index - 1], index - 1, used):
        index -= 1
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
    return isinstance(statement, (*_IMPORTS, *_FUNCTIONS)) or is_constant_statement(statement)


def _may_be_guarded(module: ParsedModule, statement: ast.stmt, index: int, used: Mapping[str, int]) -> bool:
    """Return whether workers can do without a statement before the work, and without all that follow."""
    if isinstance(statement, _FUNCTIONS):
        names = {statement.name, *_find_globals(statement)}
    else:
        # What only mentions a list that workers read may fill it.
        names = _bound_names(statement) | (_mentioned_names(module, statement) - module.top_level_names)
        if _sets_anywhere(module, statement):
            return False
    # Every function may print.
    names = {name for name in names if name not in _BUILT_IN or name in module.bound_names}
    return _is_movable(module, statement) and all(used.get(name, index) >= index for name in names)


def _mentioned_names(module: ParsedModule, statement: ast.stmt) -> set[str]:
    """Return the names in a statement, and those that functions and classes in it may change."""
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    followed: set[str] = set()
    waiting = list(names)
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


def _find_own_names(definition: ast.AST) -> set[str]:
    """Return the names that belong to the functions in a definition: their parameters and variables."""
    functions = [node for node in ast.walk(definition) if isinstance(node, FUNCTIONS)]
    inner = {node for function in functions for node in ast.walk(function)}
    own = {name for node in inner for name in find_bound_names(node)}
    own.update(name for function in functions for name in parameter_names(function))
    return own - {name for node in inner if isinstance(node, ast.Global) for name in node.names}


def _sets_anywhere(module: ParsedModule, statement: ast.stmt) -> bool:
    """Return whether a statement changes a setting of a library or class, which workers then lack.

    They inherit the environment and the paths of imports.
    """
    for node in ast.walk(statement):
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del(), value=ast.Name(id=name)):
                if name in module.top_level_names:
                    return True
            case ast.Subscript(ctx=ast.Store() | ast.Del(), value=value):
                name = module.find_dotted_name(value)
                if name != "os.environ" and name.partition(".")[0] in module.top_level_names:
                    return True
            case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=name), *_]):
                if name in module.top_level_names:
                    return True
            case ast.Call(func=func):
                last = module.find_dotted_name(func).rpartition(".")[2]
                if _SETTER.match(last) and not last.endswith(_OWN_SETTINGS):
                    return True
            case ast.Global():
                return True
    return False


def _is_movable(module: ParsedModule, statement: ast.stmt) -> bool:
    """Return whether a statement makes nothing that has to be where workers can import it."""
    if isinstance(statement, _FUNCTIONS):
        return not statement.decorator_list and _is_only_called(module, statement.name)
    return not (
        any(isinstance(node, _DEFINITIONS) for node in ast.walk(statement))
        or _makes_class(module, statement)
        or _is_lasting_import(statement)
        or (isinstance(statement, ast.If) and main_verdict(module, statement.test) is not None)
    )


def _is_only_called(module: ParsedModule, name: str) -> bool:
    """Return whether each use of a function is a call; one that is passed on can be sent to a worker."""
    uses = module.uses.get(name, ())
    return bool(uses) and all(
        isinstance(call := module.parents[use], ast.Call) and call.func is use for use in uses
    )


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


def _find_first_definitions(body: Sequence[ast.stmt]) -> Mapping[str, int]:
    """Return the names in functions, classes and lambdas, each with the index of the first such statement."""
    first: dict[str, int] = {}
    for index, statement in enumerate(body):
        # The names of a function itself, and of those around it, are none of the module.
        nodes: list[tuple[ast.AST, bool, frozenset[str]]] = [(statement, False, frozenset())]
        while nodes:
            node, is_inside, own = nodes.pop()
            if is_inside and isinstance(node, ast.Name) and node.id not in own:
                first.setdefault(node.id, index)
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
    return first


def _bound_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds; parameters are those of a lambda."""
    nodes = (node for node in ast.walk(statement) if not isinstance(node, ast.arg))
    return {name for node in nodes for name in find_bound_names(node)}


def _wrap(source: SourceFile, tail: Sequence[ast.stmt]) -> list[Replacement] | None:
    """Return the replacements that put the work under a guard, or None if the text cannot be tokenized."""
    lines, first, line_end = split_lines(source.text), tail[0].lineno, find_line_end(source.text)
    indented = indent_lines(source, first, len(lines))
    if not indented:
        return None
    head = f"{_GUARD}{line_end}{indented[0].text}"
    return [Replacement(indented[0].start, indented[0].end, head), *indented[1:]]
