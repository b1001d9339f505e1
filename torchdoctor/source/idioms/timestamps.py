"""Texts made from the time of day, and where they go in a module."""

import ast
import re
import string
from collections.abc import Iterator

from torchdoctor.source.module.constants import option_name, possible_values
from torchdoctor.source.module.parsed import ParsedModule, keyword

_DEEPEST = 4
_COLON = re.compile(r":|%[XTcRr]")
_CLOCK = re.compile(r"%[HIMSXTcRrpf]")
_NOW = frozenset(
    {
        "datetime.datetime.now",
        "datetime.datetime.utcnow",
        "datetime.datetime.today",
        "datetime.now",
        "datetime.utcnow",
        "pandas.Timestamp.now",
    }
)
# Calls and methods through which a text goes unharmed.
_CARRIES = frozenset(
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
# Calls whose argument is a path, by their last name; the second is what the argument is called.
_OPENS = re.compile(
    r"^(open|mkdir|makedirs|makedir|mkdirs|mkdir_or_exist|SummaryWriter|FileHandler|RotatingFileHandler|savefig|imwrite|"
    r"save|savez|savetxt|to_csv|to_json|to_excel|to_pickle|copy|copy2|copyfile|copytree|move|rename|touch|"
    r"ensure_dir|create_dir|CSVLogger|TensorBoardLogger|Logger|VideoWriter|write_video|writer|save_pretrained|save_weights|"
    r"save_image|Path|PurePath|joinpath|TensorboardLogger|FileWriter|ModelCheckpoint|create_exp_dir|get_logger|setup_logger)$"
)
# Loggers of Lightning that make folders of their name and version.
_FOLDER_LOGGERS = ("TensorBoardLogger", "CSVLogger")
_PATH_KEYWORD = re.compile(
    r"^(file_?name|file|log_?dir|logdir|dir|dirpath|path|save_dir|output_dir|out_dir|comment|filepath|fname)$"
)
_PATH_NAME = re.compile(r"(path|dir|directory|folder|file|filename|ckpt|logdir|outdir)s?\d*$", re.IGNORECASE)
_PATH_TEXT = re.compile(
    r"\.(log|txt|csv|json|png|jpg|pth|pt|pkl|ckpt|npy|npz|mp4|h5|hdf5|yaml|yml|onnx|tar|zip|md|html)\b|\w/"
)


def find_clock_texts(module: ParsedModule) -> Iterator[tuple[ast.expr, str]]:
    """Find expressions whose text holds a time of day with colons, each with how it is written."""
    for call in module.calls:
        name = module.canonical(call.func)
        attribute = call.func.attr if isinstance(call.func, ast.Attribute) else name.rpartition(".")[2]
        if attribute == "strftime":
            pattern = next((each for each in map(str, _formats(module, call)) if _COLON.search(each)), None)
            if pattern is not None and _CLOCK.search(pattern):
                yield call, f'strftime("{pattern}")'
        elif attribute == "isoformat" and _is_now(module, call.func) and not _is_short(call):
            yield call, "isoformat()"
        elif name in ("time.ctime", "time.asctime"):
            yield call, f"{name}()"
        elif name == "str" and any(_is_moment(module, each) for each in call.args):
            yield call, "str() of the time"
        elif attribute == "format" and any(
            _formats_colons(call, each) for each in call.args if _is_moment(module, each)
        ):
            yield call, "format() of the time"
    for node in module.nodes.get(ast.FormattedValue, ()):
        if isinstance(node, ast.FormattedValue) and _is_moment(module, node.value):
            pattern = ast.unparse(node.format_spec)[2:-1] if node.format_spec is not None else ":"
            if _COLON.search(pattern):
                yield node, "the time in an f-string"


def _formats(module: ParsedModule, call: ast.Call) -> Iterator[object]:
    for value in [*call.args[:2], *(each.value for each in call.keywords)]:
        yield from possible_values(module, value)
        # A format that is put together: `prefix + "%H:%M:%S.pth"`.
        if isinstance(value, (ast.BinOp, ast.JoinedStr)):
            yield from (each.value for each in ast.walk(value) if isinstance(each, ast.Constant))


def _formats_colons(call: ast.Call, value: ast.expr) -> bool:
    """Tell whether `"{}".format(value)` writes a moment with colons: without a pattern, or by its pattern."""
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
    own = [spec for place, (name, spec) in enumerate(fields) if (name or str(place)) == str(index)]
    return any(not spec or _COLON.search(spec) for spec in own)


def _is_now(module: ParsedModule, func: ast.expr) -> bool:
    return isinstance(func, ast.Attribute) and _is_moment(module, func.value)


def _is_short(call: ast.Call) -> bool:
    precision = keyword(call, "timespec")
    return isinstance(precision, ast.Constant) and precision.value == "hours"


def _is_moment(module: ParsedModule, node: ast.expr, depth: int = 0) -> bool:
    """Tell whether a value is the present moment as a datetime, not a date alone."""
    if depth > _DEEPEST:
        return False
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="replace" | "astimezone" | "time" | "timetz")):
            return _is_moment(module, inner, depth + 1)
        case ast.Call(func=func):
            return module.canonical(func) in _NOW
        case ast.Name():
            bindings = module.find_bindings(node)
            return (
                len(bindings) == 1
                and isinstance(bindings[0].value, ast.Call)
                and _is_moment(module, bindings[0].value, depth + 1)
            )
    return False


def find_path_use(module: ParsedModule, node: ast.AST, depth: int = 0) -> ast.AST | None:
    """Follow a text to the place where it becomes a path or part of one; None when none is seen."""
    child = node
    for parent in module.ancestors(node):
        match parent:
            case ast.Call():
                if child is parent.func:
                    if _cleans(parent):
                        return None
                    child = parent
                    continue
                if _takes_path(module, parent, child):
                    return parent
                if not _carries(parent, child):
                    return None
            case (
                ast.keyword()
                | ast.Starred()
                | ast.Attribute()
                | ast.FormattedValue()
                | ast.IfExp()
                | ast.Tuple()
                | ast.List()
            ):
                pass
            case ast.BinOp(op=ast.Div()):
                return parent
            case ast.JoinedStr() | ast.BinOp(op=ast.Add() | ast.Mod()):
                if _reads_like_path(parent):
                    return parent
            case ast.Subscript(value=value) if value is child:
                if _cuts(parent):
                    return None
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
                return _follow_target(module, target, depth)
            case ast.Return():
                return _follow_calls(module, parent, depth)
            case _:
                return None
        child = parent
    return None


def _carries(call: ast.Call, child: ast.AST) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    if name == "add_argument":
        return False
    return name in _CARRIES and name != "replace" and child is not call.func


def _cleans(call: ast.Call) -> bool:
    """Tell whether a method takes the colons out: `.replace(":", "-")`, `.translate(...)`, `.split(":")`."""
    match call.func:
        case ast.Attribute(attr="replace") if call.args:
            return not (isinstance(call.args[0], ast.Constant) and ":" not in str(call.args[0].value))
        case ast.Attribute(attr="split" | "rsplit"):
            return (
                bool(call.args) and isinstance(call.args[0], ast.Constant) and ":" in str(call.args[0].value)
            )
        case ast.Attribute(attr=name):
            return name not in _CARRIES
    return False


def _cuts(subscript: ast.Subscript) -> bool:
    """Tell whether a slice may leave the date alone: `[:10]`."""
    match subscript.slice:
        case ast.Slice(lower=None, upper=ast.Constant(value=int() as end)):
            return end <= 13
    return False


def _takes_path(module: ParsedModule, call: ast.Call, child: ast.AST) -> bool:
    name = module.canonical(call.func)
    if name in ("os.path.join", "osp.join"):
        return True
    last = name.rpartition(".")[2] or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
    if last == "option" or name.startswith(("wandb.", "mlflow.", "logging.info", "print")):
        return False
    if last in _FOLDER_LOGGERS and (child in call.args[:3] or _names_folder(child)):
        return True
    if isinstance(child, ast.keyword):
        if last in ("basicConfig", "FileHandler") and child.arg == "filename":
            return True
        return (
            child.arg is not None
            and bool(_PATH_KEYWORD.match(child.arg))
            and (bool(_OPENS.match(last)) or "dir" in child.arg)
        )
    if name in ("os.path.exists", "os.path.isdir", "shutil.copy"):
        return True
    if last in ("Path", "PurePath", "joinpath"):
        return child in call.args
    first = (
        [*call.args[:2]]
        if last in ("save", "copy", "copy2", "copyfile", "move", "rename", "save_image")
        else call.args[:1]
    )
    return bool(_OPENS.match(last)) and child in first


def _names_folder(child: ast.AST) -> bool:
    return isinstance(child, ast.keyword) and child.arg in ("name", "version", "sub_dir")


def _reads_like_path(node: ast.expr) -> bool:
    if isinstance(node, ast.JoinedStr):
        texts = [each.value for each in node.values if isinstance(each, ast.Constant)]
    else:
        texts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
    return any(
        isinstance(text, str) and " " not in text.strip() and _PATH_TEXT.search(text) for text in texts
    )


def _follow_target(module: ParsedModule, target: ast.expr, depth: int) -> ast.AST | None:
    if depth > _DEEPEST:
        return None
    if isinstance(target, ast.Name):
        if _PATH_NAME.search(target.id):
            return target
        uses: list[ast.AST] = [
            node
            for node in module.nodes.get(ast.Name, ())
            if isinstance(node, ast.Name) and node.id == target.id and isinstance(node.ctx, ast.Load)
            and _same_scope(module, target, node) and not _is_cleaned(module, target, node)
        ]  # fmt: skip
    elif isinstance(target, ast.Attribute):
        if _PATH_NAME.search(target.attr):
            return target
        uses = _attribute_uses(module, target.attr)
    else:
        return None
    return next((found for use in uses if (found := find_path_use(module, use, depth + 1)) is not None), None)


def _is_cleaned(module: ParsedModule, target: ast.Name, use: ast.Name) -> bool:
    """Tell whether `stamp = stamp.replace(":", "-")` stands between a name's binding and its use."""
    return any(
        isinstance(each.value, ast.Call)
        and target.lineno < each.value.lineno < use.lineno
        and any(_cleans(call) for call in ast.walk(each.value) if isinstance(call, ast.Call))
        and target.id in {name.id for name in ast.walk(each.value) if isinstance(name, ast.Name)}
        for each in module.find_bindings(target)
    )


def _same_scope(module: ParsedModule, target: ast.Name, use: ast.Name) -> bool:
    owner = module.owner(target)
    return owner is module.scope(use) or (
        owner is module.tree and not module.bindings.get((module.scope(use), use.id))
    )


def _attribute_uses(module: ParsedModule, name: str) -> list[ast.AST]:
    return [
        node
        for node in module.nodes.get(ast.Attribute, ())
        if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load)
    ]


def _follow_calls(module: ParsedModule, statement: ast.AST, depth: int) -> ast.AST | None:
    function = module.enclosing_function(statement)
    if function is None or depth > _DEEPEST:
        return None
    calls = [call for call in module.calls if module.canonical(call.func).rpartition(".")[2] == function.name]
    return next(
        (found for call in calls if (found := find_path_use(module, call, depth + 1)) is not None), None
    )


def follow_option(module: ParsedModule, node: ast.AST) -> ast.AST | None:
    """Follow the default of a command-line option to where the option's value becomes a path."""
    for parent in module.ancestors(node):
        if isinstance(parent, ast.Call) and (name := option_name(parent)) is not None:
            uses = _attribute_uses(module, name)
            return next((found for use in uses if (found := find_path_use(module, use, 1)) is not None), None)
        if isinstance(parent, ast.stmt):
            return None
    return None
