"""The names that a module's imports bind, as the dotted names of what they stand for."""

import ast
import re
from collections.abc import Iterable, Mapping

# Different ways to one thing: what begins with the left is treated as beginning with the right.
_SAME = (
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
_SAME_EXACTLY = {
    "torch.multiprocessing": "multiprocessing",
    "multiprocess": "multiprocessing",
    "pathos.multiprocessing": "multiprocessing",
    "pytorch_lightning": "lightning",
    "lightning.pytorch": "lightning",
    "gymnasium": "gym",
    "multiprocessing.pool.Pool": "multiprocessing.Pool",
    "torch.utils.data.sampler": "torch.utils.data",
}
_HEADS = tuple({name.partition(".")[0] for name in [*(start for start, _ in _SAME), *_SAME_EXACTLY]})
_STAR_NAMES = {
    "torch.utils.data": ("DataLoader", "Dataset", "IterableDataset"),
    "multiprocessing": ("Process", "Pool", "Queue", "Manager", "set_start_method", "get_context"),
    "datetime": ("datetime", "date"),
    "time": ("strftime", "time"),
}


def simplify(dotted: str) -> str:
    """Give the one name under which this package knows an object that has several."""
    if not dotted.startswith(_HEADS):
        return dotted
    for start, other in _SAME:
        if dotted.startswith(start):
            dotted = other + dotted[len(start) :]
    dotted = _SAME_EXACTLY.get(dotted, dotted)
    if not dotted.startswith("lightning."):
        return dotted
    return re.sub(r"^lightning\.(?:\w+\.)*(?=[A-Z])", "lightning.", dotted)


def read_imports(nodes: Iterable[ast.Import | ast.ImportFrom]) -> Mapping[str, str]:
    """Give the dotted name for each name that the import statements bind."""
    names: dict[str, str] = {}
    for node in nodes:
        for name, dotted in _bound_by(node):
            names.setdefault(name, simplify(dotted))
    return names


def _bound_by(node: ast.Import | ast.ImportFrom) -> Iterable[tuple[str, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (top, top)
        return
    module = "." * node.level + (node.module or "")
    for alias in node.names:
        if alias.name == "*":
            yield from ((name, f"{module}.{name}") for name in _STAR_NAMES.get(simplify(module), ()))
        else:
            joined = f"{module}{alias.name}" if module.endswith(".") else f"{module}.{alias.name}"
            yield alias.asname or alias.name, joined
