"""The names that imports bind, and the dotted names of the objects they refer to."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

# Prefixes that count as the same; the left one is replaced with the right one.
_EQUIVALENT_PREFIXES = (
    ("torch.utils.data.dataloader.", "torch.utils.data."),
    ("torch.utils.data.dataset.", "torch.utils.data."),
    ("torch.multiprocessing.spawn.", "multiprocessing."),
    ("torch.multiprocessing.", "multiprocessing."),
    ("pathos.multiprocessing.", "multiprocessing."),
    ("multiprocess.", "multiprocessing."),
    ("multiprocessing.context.", "multiprocessing."),
    ("multiprocessing.process.", "multiprocessing."),
    ("multiprocessing.managers.", "multiprocessing."),
    ("concurrent.futures.process.", "concurrent.futures."),
    ("pytorch_lightning.", "lightning."),
    ("lightning.pytorch.", "lightning."),
    ("lightning.core.", "lightning."),
    ("gymnasium.", "gym."),
    ("torch.cuda.streams.", "torch.cuda."),
)
_EQUIVALENT_NAMES = {
    "torch.multiprocessing": "multiprocessing",
    "multiprocess": "multiprocessing",
    "pathos.multiprocessing": "multiprocessing",
    "pytorch_lightning": "lightning",
    "lightning.pytorch": "lightning",
    "gymnasium": "gym",
    "multiprocessing.pool.Pool": "multiprocessing.Pool",
    "torch.utils.data.sampler": "torch.utils.data",
}
_PACKAGES = tuple(
    {prefix.partition(".")[0] for prefix, _ in _EQUIVALENT_PREFIXES}
    | {name.partition(".")[0] for name in _EQUIVALENT_NAMES}
)
# The names that `from module import *` is taken to bind.
_STAR_NAMES = {
    "torch.utils.data": ("DataLoader", "Dataset", "IterableDataset"),
    "multiprocessing": ("Process", "Pool", "Queue", "Manager", "set_start_method", "get_context"),
    "datetime": ("datetime", "date"),
    "time": ("strftime", "time"),
}


def find_bound_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node itself binds or deletes, in whatever way."""
    name: str | None = None
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            pass
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            pass
        case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
            pass
        case ast.MatchMapping(rest=name):
            pass
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            yield from ((each.asname or each.name).partition(".")[0] for each in aliases)
    if name:
        yield name


def simplify(dotted: str) -> str:
    """Return the one dotted name that this package uses for an object that has several."""
    if not dotted.startswith(_PACKAGES):
        return dotted
    for prefix, replacement in _EQUIVALENT_PREFIXES:
        if dotted.startswith(prefix):
            dotted = replacement + dotted[len(prefix) :]
    dotted = _EQUIVALENT_NAMES.get(dotted, dotted)
    if not dotted.startswith("lightning."):
        return dotted
    return re.sub(r"^lightning\.(?:\w+\.)*(?=[A-Z])", "lightning.", dotted)


def read_imports(nodes: Iterable[ast.Import | ast.ImportFrom]) -> Mapping[str, str]:
    """Return the dotted name for each name that the import statements bind."""
    names: dict[str, str] = {}
    for node in nodes:
        for name, dotted in _find_bound_names(node):
            names.setdefault(name, simplify(dotted))
    return names


def _find_bound_names(node: ast.Import | ast.ImportFrom) -> Iterable[tuple[str, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                yield alias.asname, alias.name
            else:
                top = alias.name.partition(".")[0]
                yield top, top
        return
    module = "." * node.level + (node.module or "")
    for alias in node.names:
        if alias.name == "*":
            yield from ((name, f"{module}.{name}") for name in _STAR_NAMES.get(simplify(module), ()))
        else:
            dotted = f"{module}{alias.name}" if module.endswith(".") else f"{module}.{alias.name}"
            yield alias.asname or alias.name, dotted
