"""The texts that a module makes from the time of day, and the paths that contain them."""

import ast
import re
import string
from collections.abc import Iterable, Iterator, Sequence

from torchdoctor.source.module.arguments import find_called_function, find_given_parameter
from torchdoctor.source.module.branches import Branch, find_branch, may_take
from torchdoctor.source.module.command_options import find_option_name
from torchdoctor.source.module.constants import find_possible_values
from torchdoctor.source.module.nodes import Function, find_keyword
from torchdoctor.source.module.parsed import ParsedModule

_MAX_DEPTH = 4
# How many uses of a name are followed; generated code may have thousands.
_MAX_USES = 50
# A strftime format that writes a colon.
_COLON_FORMAT = re.compile(r":|%[XTcRr]")
# A strftime format that writes the time of day.
_CLOCK_FORMAT = re.compile(r"%[HIMSXTcRrpf]")
_NOW_CALLS = frozenset(
    {
        "datetime.datetime.now",
        "datetime.datetime.utcnow",
        "datetime.datetime.today",
        "datetime.now",
        "datetime.utcnow",
        "pandas.Timestamp.now",
    }
)
# Functions and methods that make a text of a time, by the last part of their name.
_TIME_CALLS = frozenset({"strftime", "isoformat", "ctime", "asctime", "str", "format"})
# Functions and methods whose result contains the text that they get.
_TEXT_CALLS = frozenset(
    {
        "str",
        "format",
        "strip",
        "lower",
        "upper",
        "join",
        "rstrip",
        "lstrip",
        "split",
        "rsplit",
        "Path",
        "add",
        "replace",
    }
)
# Functions, methods and classes that take a path, by the last part of their name.
_PATH_CALLS = re.compile(
    r"^(open|mkdir|makedirs|makedir|mkdirs|mkdir_or_exist|SummaryWriter|FileHandler|RotatingFileHandler|savefig|imwrite|"
    r"save|savez|savetxt|to_csv|to_json|to_excel|to_pickle|copy|copy2|copyfile|copytree|move|rename|touch|"
    r"ensure_dir|create_dir|CSVLogger|TensorBoardLogger|Logger|VideoWriter|write_video|writer|save_pretrained|save_weights|"
    r"save_image|Path|PurePath|joinpath|TensorboardLogger|FileWriter|ModelCheckpoint|create_exp_dir|get_logger|setup_logger)$"
)
# Loggers of Lightning that create folders named after their name and version.
_FOLDER_LOGGERS = ("TensorBoardLogger", "CSVLogger")
# Names of parameters that take a path.
_PATH_KEYWORD = re.compile(
    r"^(file_?name|file|log_?dir|logdir|dir|dirpath|path|save_dir|output_dir|out_dir|comment|filepath|fname)$"
)
# Names of variables and attributes that hold a path.
_PATH_NAME = re.compile(r"(path|dir|directory|folder|file|filename|ckpt|logdir|outdir)s?\d*$", re.IGNORECASE)
# Text that occurs in paths: a file extension or a slash.
_PATH_TEXT = re.compile(
    r"\.(log|txt|csv|json|png|jpg|pth|pt|pkl|ckpt|npy|npz|mp4|h5|hdf5|yaml|yml|onnx|tar|zip|md|html)\b|\w/"
)
# What a log says of speed: 3.2 it/s, images/sec.
_RATE = re.compile(r"\b[A-Za-z]{1,12}/(?:s|sec|second|step|iter|it|epoch|min|h|batch|image|sample)s?\b|, ")


def find_time_texts(module: ParsedModule) -> Iterator[tuple[ast.expr, str]]:
    """Yield the expressions that write the time of day with colons, each with a description."""
    for call in module.find_calls(_TIME_CALLS.__contains__):
        name = module.find_dotted_name(call.func)
        attribute = call.func.attr if isinstance(call.func, ast.Attribute) else name.rpartition(".")[2]
        if attribute == "strftime":
            formats = map(str, _find_formats(module, call))
            pattern = next((text for text in formats if _COLON_FORMAT.search(text)), None)
            if pattern is not None and _CLOCK_FORMAT.search(pattern):
                yield call, f'strftime("{pattern}")'
        elif (
            attribute == "isoformat"
            and _is_current_time_method(module, call.func)
            and not _omits_minutes(call)
        ):
            yield call, "isoformat()"
        elif name in ("time.ctime", "time.asctime"):
            yield call, f"{name}()"
        elif name == "str" and any(_is_current_time(module, value) for value in call.args):
            yield call, "str() of the time"
        elif attribute == "format" and any(
            _writes_colons(call, value) for value in call.args if _is_current_time(module, value)
        ):
            yield call, "format() of the time"
    for node in module.nodes.get(ast.FormattedValue, ()):
        if isinstance(node, ast.FormattedValue) and _is_current_time(module, node.value):
            pattern = ast.unparse(node.format_spec)[2:-1] if node.format_spec is not None else ":"
            if _COLON_FORMAT.search(pattern):
                yield node, "the time in an f-string"


def _find_formats(module: ParsedModule, call: ast.Call) -> Iterator[object]:
    """Yield the constants that the arguments of a call can be or contain."""
    for value in [*call.args[:2], *(each.value for each in call.keywords)]:
        # Sorted, so that the message is the same in every run.
        yield from sorted(find_possible_values(module, value), key=str)
        # A format in several parts: `prefix + "%H:%M:%S.pth"`.
        if isinstance(value, (ast.BinOp, ast.JoinedStr)):
            yield from (node.value for node in ast.walk(value) if isinstance(node, ast.Constant))


def _writes_colons(call: ast.Call, value: ast.expr) -> bool:
    """Return whether the field for a time in `"{}".format(value)` has no format, or one with colons."""
    match call.func:
        case ast.Attribute(value=ast.Constant(value=str() as text)):
            pass
        case _:
            return False
    try:
        fields = [
            (name, spec or "") for _, name, spec, _ in string.Formatter().parse(text) if name is not None
        ]
    except ValueError:
        return False
    index = call.args.index(value)
    specs = [spec for number, (name, spec) in enumerate(fields) if (name or str(number)) == str(index)]
    return any(not spec or _COLON_FORMAT.search(spec) for spec in specs)


def _is_current_time_method(module: ParsedModule, func: ast.expr) -> bool:
    return isinstance(func, ast.Attribute) and _is_current_time(module, func.value)


def _omits_minutes(call: ast.Call) -> bool:
    """Return whether an `isoformat()` call ends its text at the hours."""
    precision = find_keyword(call, "timespec")
    return isinstance(precision, ast.Constant) and precision.value == "hours"


def _is_current_time(module: ParsedModule, node: ast.expr, depth: int = 0) -> bool:
    """Return whether a value is the current time as a datetime, not only a date."""
    if depth > _MAX_DEPTH:
        return False
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="replace" | "astimezone" | "time" | "timetz")):
            return _is_current_time(module, inner, depth + 1)
        case ast.Call(func=func):
            return module.find_dotted_name(func) in _NOW_CALLS
        case ast.Name():
            bindings = module.find_bindings(node)
            return (
                len(bindings) == 1
                and isinstance(bindings[0].value, ast.Call)
                and _is_current_time(module, bindings[0].value, depth + 1)
            )
    return False


def find_path_use(
    module: ParsedModule, node: ast.AST, depth: int = 0, branch: Branch | None = None
) -> ast.AST | None:
    """Return the place where a text becomes a path or part of one, or None if there is none in this file.

    `branch` is the one in which the text is made, where it was made in another place.
    """
    if branch is None:
        branch = find_branch(module, node)
    child = node
    for parent in module.ancestors(node):
        match parent:
            case ast.Call():
                if child is parent.func:
                    if _removes_colons(parent):
                        return None
                    child = parent
                    continue
                if _takes_path(module, parent, child):
                    return parent
                if not _passes_text_on(parent):
                    return _follow_argument(module, parent, child, depth)
            case (
                ast.keyword()
                | ast.Starred()
                | ast.Attribute()
                | ast.FormattedValue()
                | ast.IfExp()
                | ast.BoolOp()
                | ast.Tuple()
                | ast.List()
            ):
                pass
            case ast.BinOp(op=ast.Div()):
                return parent
            case ast.JoinedStr() | ast.BinOp(op=ast.Add() | ast.Mod()):
                if _has_path_text(parent):
                    return parent
            case ast.Subscript(value=value) if value is child:
                if _removes_time(parent):
                    return None
            case ast.Dict(keys=keys, values=values) if child in values:
                return _follow_dictionary(module, parent, keys[values.index(child)], depth, branch)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name() as name, slice=key)]):
                return _follow_item(module, name, key, depth, branch)
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
                return _follow_target(module, target, depth, branch)
            case ast.Return():
                return _follow_calls(module, parent, depth, branch)
            case _:
                return None
        child = parent
    return None


def _passes_text_on(call: ast.Call) -> bool:
    """Return whether the result of a call contains its arguments."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    return name in _TEXT_CALLS and name != "replace"


def _removes_colons(call: ast.Call) -> bool:
    """Return whether a method may remove colons: `.replace(":", "-")`, `.translate(...)`, `.split(":")`."""
    match call.func:
        case ast.Attribute(attr="replace") if call.args:
            return not (isinstance(call.args[0], ast.Constant) and ":" not in str(call.args[0].value))
        case ast.Attribute(attr="split" | "rsplit"):
            return (
                bool(call.args) and isinstance(call.args[0], ast.Constant) and ":" in str(call.args[0].value)
            )
        case ast.Attribute(attr=name):
            return name not in _TEXT_CALLS
    return False


def _removes_time(subscript: ast.Subscript) -> bool:
    """Return whether a slice may keep only the date: `[:10]`."""
    match subscript.slice:
        case ast.Slice(lower=None, upper=ast.Constant(value=int() as end)):
            return end <= 13
    return False


def _takes_path(module: ParsedModule, call: ast.Call, child: ast.AST) -> bool:
    """Return whether a call uses this argument as a path or part of one."""
    name = module.find_dotted_name(call.func)
    if name in ("os.path.join", "osp.join"):
        return True
    last = name.rpartition(".")[2] or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
    if last == "init_trackers":
        # TensorBoard's tracker writes below a folder of that name (`accelerate/tracking.py`).
        return (child in call.args[:1] or _is_argument(child, "project_name")) and module.ask_once(
            _logs_to_tensorboard
        )
    if last == "option" or name.startswith(("wandb.", "mlflow.", "logging.info", "print")):
        return False
    if last in _FOLDER_LOGGERS and (child in call.args[:3] or _is_folder_argument(child)):
        return True
    if isinstance(child, ast.keyword):
        if last in ("basicConfig", "FileHandler") and child.arg == "filename":
            return True
        return (
            child.arg is not None
            and bool(_PATH_KEYWORD.match(child.arg))
            and (bool(_PATH_CALLS.match(last)) or "dir" in child.arg)
        )
    if name in ("os.path.exists", "os.path.isdir", "shutil.copy"):
        return True
    if last in ("Path", "PurePath", "joinpath"):
        return child in call.args
    has_second_path = last in ("save", "copy", "copy2", "copyfile", "move", "rename", "save_image")
    return bool(_PATH_CALLS.match(last)) and child in call.args[: 2 if has_second_path else 1]


def _is_folder_argument(child: ast.AST) -> bool:
    return _is_argument(child, "name", "version", "sub_dir")


def _is_argument(child: ast.AST, *names: str) -> bool:
    return isinstance(child, ast.keyword) and child.arg in names


def _logs_to_tensorboard(module: ParsedModule) -> bool:
    """Return whether an Accelerator of this module is known to log with TensorBoard."""
    calls = module.calls_by_name.get("Accelerator", ())
    values = (find_possible_values(module, find_keyword(call, "log_with")) for call in calls)
    return any("tensorboard" in each or "all" in each for each in values)


def _has_path_text(node: ast.expr) -> bool:
    """Return whether a constant part of a formatted or concatenated string looks like a path."""
    parts = node.values if isinstance(node, ast.JoinedStr) else ast.walk(node)
    texts = [part.value for part in parts if isinstance(part, ast.Constant)]
    return any(
        isinstance(text, str) and " " not in text.strip() and _PATH_TEXT.search(text) for text in texts
    ) and not any(isinstance(text, str) and _RATE.search(text) for text in texts)


def _follow_argument(module: ParsedModule, call: ast.Call, argument: ast.AST, depth: int) -> ast.AST | None:
    """Return the place where the function of the project that is given a text makes it a path, or None.

    In another file, the place is the call.
    """
    found = find_called_function(module, call) if depth <= _MAX_DEPTH else None
    name = find_given_parameter(*found, call, argument) if found is not None else None
    if found is None or name is None:
        return None
    owner, function = found
    use = owner.ask_once(_find_use_of_parameter, function, name, depth + 1)
    return use if owner is module or use is None else call


def _find_use_of_parameter(module: ParsedModule, function: Function, name: str, depth: int) -> ast.AST | None:
    """Return the place where a function makes a parameter a path, before it is given another value."""
    changes = [_find_line(each.statement) for each in module.bindings.get((function, name), ())]
    end = min(changes, default=function.end_lineno or 0)
    uses = [
        each
        for each in module.uses.get(name, ())[:_MAX_USES]
        if isinstance(each.ctx, ast.Load) and each.lineno <= end and module.find_parameter(each) is function
    ]
    return _find_first_path_use(module, uses, depth)


def _find_line(node: ast.AST) -> int:
    line: int = getattr(node, "lineno", 0)
    return line


def _follow_target(
    module: ParsedModule, target: ast.expr, depth: int, branch: Branch | None
) -> ast.AST | None:
    """Return the place where the value of an assigned name or attribute becomes a path, or None."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(target, ast.Name):
        if _PATH_NAME.search(target.id):
            return target
        uses: Sequence[ast.AST] = [
            node
            for node in module.uses.get(target.id, ())[:_MAX_USES]
            if isinstance(node.ctx, ast.Load)
            and _is_same_variable(module, target, node)
            and not _is_cleaned_before(module, target, node)
        ]
    elif isinstance(target, ast.Attribute):
        if _PATH_NAME.search(target.attr):
            return target
        uses = module.attribute_reads.get(target.attr, ())[:_MAX_USES]
    else:
        return None
    return _find_first_path_use(module, uses, depth + 1, branch)


def _follow_dictionary(
    module: ParsedModule, node: ast.Dict, key: ast.expr | None, depth: int, branch: Branch | None
) -> ast.AST | None:
    """Return the place where the item of an assigned dictionary becomes a path, or None."""
    match module.parents[node]:
        case ast.Assign(targets=[ast.Name() as name]):
            return _follow_item(module, name, key, depth, branch)
    return None


def _follow_item(
    module: ParsedModule, name: ast.Name, key: ast.expr | None, depth: int, branch: Branch | None
) -> ast.AST | None:
    """Return the place where an item of a dictionary becomes a path, or None."""
    if depth > _MAX_DEPTH or not isinstance(key, ast.Constant):
        return None
    uses = []
    for use in module.uses.get(name.id, ())[:_MAX_USES]:
        match module.parents[use]:
            case ast.Subscript(slice=ast.Constant(value=value), ctx=ast.Load()) as item:
                if value == key.value and _is_same_variable(module, name, use):
                    uses.append(item)
    return _find_first_path_use(module, uses, depth + 1, branch)


def _find_first_path_use(
    module: ParsedModule, uses: Iterable[ast.AST], depth: int, branch: Branch | None = None
) -> ast.AST | None:
    found = (module.ask_once(find_path_use, use, depth, branch) for use in uses)
    return next((place for place in found if place is not None), None)


def _is_cleaned_before(module: ParsedModule, target: ast.Name, use: ast.Name) -> bool:
    """Return whether `stamp = stamp.replace(":", "-")` comes between a name's binding and its use."""
    return any(
        isinstance(binding.value, ast.Call)
        and target.lineno < binding.value.lineno < use.lineno
        and any(_removes_colons(call) for call in ast.walk(binding.value) if isinstance(call, ast.Call))
        and target.id in {name.id for name in ast.walk(binding.value) if isinstance(name, ast.Name)}
        for binding in module.find_bindings(target)[:_MAX_USES]
    )


def _is_same_variable(module: ParsedModule, target: ast.Name, use: ast.Name) -> bool:
    """Return whether two equal names refer to the same variable."""
    owner = module.find_binding_scope(target)
    return owner is module.find_scope(use) or (
        owner is module.tree and not module.bindings.get((module.find_scope(use), use.id))
    )


def _follow_calls(
    module: ParsedModule, statement: ast.AST, depth: int, branch: Branch | None
) -> ast.AST | None:
    """Return the place where a returned value becomes a path at a call of the function, or None."""
    function = module.find_function(statement)
    if function is None or depth > _MAX_DEPTH:
        return None
    calls = [
        call
        for call in module.calls_by_name.get(function.name, ())[:_MAX_USES]
        if module.find_dotted_name(call.func).rpartition(".")[2] == function.name
        and (branch is None or branch.function is not function or may_take(module, call, branch))
    ]
    return _find_first_path_use(module, calls, depth + 1)


def find_option_path_use(module: ParsedModule, node: ast.AST) -> ast.AST | None:
    """Return the place where the command-line option with this default becomes a path, or None."""
    for parent in module.ancestors(node):
        if isinstance(parent, ast.Call) and (name := find_option_name(parent)) is not None:
            uses = module.attribute_reads.get(name, ())[:_MAX_USES]
            return _find_first_path_use(module, uses, 1)
        if isinstance(parent, ast.stmt):
            return None
    return None
