"""Where paths of the system come from: functions of Python, and annotations of pathlib."""

import ast

from torchdoctor.source.idioms.paths.path_forms import ENTRY, NAME, OBJECT, OTHER, PATH, WHOLE, Shape
from torchdoctor.source.module.nodes import find_keyword
from torchdoctor.source.module.parsed import ParsedModule

RESULTS: dict[str, Shape] = {
    **dict.fromkeys(("os.getcwd", "os.path.abspath", "os.path.realpath", "os.path.normpath"), WHOLE),
    **dict.fromkeys(("os.path.relpath", "tempfile.mkdtemp", "tempfile.gettempdir"), WHOLE),
    **dict.fromkeys(("pathlib.Path.cwd", "pathlib.Path.home"), OBJECT),
    **dict.fromkeys(("pathlib.Path", "pathlib.PurePath"), OBJECT),
    "os.path.basename": NAME,
    "os.listdir": NAME.listed,
    "os.scandir": ENTRY.listed,
    # The text of a number has no separator.
    **dict.fromkeys(("int", "len", "random.randint", "os.getpid"), NAME),
    "range": NAME.listed,
}
# What stands at each place of what `os.walk` yields.
WALKED: dict[tuple[int, ...], Shape] = {(0,): PATH, (1,): NAME.listed, (2,): NAME.listed}
GLOBS = frozenset({"glob.glob", "glob.iglob"})
# Functions that return the items that they are given.
PASSING_LISTS = frozenset(
    {
        *("sorted", "list", "tuple", "reversed", "set", "frozenset", "iter", "natsort.natsorted"),
        *("tqdm.tqdm", "tqdm", "tqdm.auto.tqdm", "rich.progress.track"),
        *("numpy.array", "numpy.asarray", "numpy.sort", "numpy.unique", "random.sample", "copy.copy"),
    }
)
# Functions that return one of the items that they are given.
CHOOSING = frozenset({"next", "random.choice", "min", "max"})
_PATHLIB_CLASSES = frozenset(f"pathlib.{each}" for each in ("Path", "PurePath", "PosixPath", "WindowsPath"))
PATHLIB_LISTS = frozenset({"glob", "rglob", "iterdir"})
PATHLIB_METHODS = frozenset(
    {
        *("absolute", "resolve", "expanduser", "relative_to", "with_suffix", "with_name", "with_stem"),
        *("joinpath", "readlink", "rename", "replace"),
    }
)
_LISTS_IN_ANNOTATIONS = frozenset(
    {"list", "List", "Sequence", "Iterable", "Iterator", "Collection", "set", "Set"}
)


def describe_glob(call: ast.Call) -> Shape:
    """Return the shape of what is found for a pattern: names only, if the pattern has no folder."""
    match call.args:
        case [ast.Constant(value=str() as pattern), *_] if "/" not in pattern and "\\" not in pattern:
            return PATH.listed if find_keyword(call, "recursive") is not None else NAME.listed
    return PATH.listed


def find_place(target: ast.expr, name: str) -> tuple[int, ...] | None:
    """Return the indexes that lead to a name in a target that is unpacked; () if it is the target."""
    if isinstance(target, (ast.Name, ast.Attribute)):
        found = target.id if isinstance(target, ast.Name) else target.attr
        return () if found == name else None
    if isinstance(target, (ast.Tuple, ast.List)):
        for index, each in enumerate(target.elts):
            if isinstance(each, ast.Starred):
                return None
            if (place := find_place(each, name)) is not None:
                return (index, *place)
    return None


def read_annotation(module: ParsedModule, node: ast.expr | None) -> Shape:
    """Return the shape that an annotation of a path of pathlib, or of a list of such, promises."""
    match node:
        case ast.Name(id="int"):
            return NAME
        case ast.Name() | ast.Attribute():
            return OBJECT if module.find_dotted_name(node) in _PATHLIB_CLASSES else OTHER
        case ast.BinOp(left=inner, op=ast.BitOr(), right=ast.Constant(value=None)):
            return read_annotation(module, inner)
        case ast.Subscript(value=outer, slice=inner):
            last = module.find_dotted_name(outer).rpartition(".")[2]
            shape = read_annotation(module, inner)
            return shape if last == "Optional" else shape.listed if last in _LISTS_IN_ANNOTATIONS else OTHER
    return OTHER


def read_declaration(module: ParsedModule, owner: ast.ClassDef, name: str) -> Shape:
    """Return the shape that the annotation of an attribute in the body of a class promises."""
    for statement in owner.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=declared), annotation=annotation) if declared == name:
                return read_annotation(module, annotation)
    return OTHER
