"""What a module builds with torch's data loading: loaders, their workers, and datasets."""

import ast
from collections.abc import Iterator

from torchdoctor.core.record import record
from torchdoctor.source.module.constants import possible_values
from torchdoctor.source.module.parsed import FUNCTIONS, ParsedModule, argument, keyword
from torchdoctor.source.module.platforms import runs_on_windows

_DATASET_BASES = frozenset(
    {
        "torch.utils.data.Dataset",
        "torch.utils.data.IterableDataset",
        "torch.utils.data.TensorDataset",
        "torch.utils.data.Subset",
        "torch.utils.data.ConcatDataset",
        "torch.utils.data.MapDataPipe",
        "torch.utils.data.IterDataPipe",
        "torch_geometric.data.Dataset",
        "torch_geometric.data.InMemoryDataset",
        "Dataset",
        "IterableDataset",
    }
)
# Libraries whose loaders run threads, fork by themselves or are no torch loaders.
_OTHER_LIBRARIES = (
    "paddle.",
    "mxnet.",
    "tensorflow.",
    "keras.",
    "jittor.",
    "mindspore.",
    "ffcv.",
    "nvidia.",
    "langchain",
    "llama_index.",
    "chainer.",
    "oneflow.",
    "dgl.graphbolt.",
)
# Classes derived from torch's DataLoader that keep `num_workers` as a keyword.
_GRAPH_LOADERS = ("torch_geometric.loader.", "torch_geometric.data.")
# Where torch's DataLoader takes num_workers by position, counting from 0.
_POSITION = 5


@record
class Workers:
    """The workers that a loader is given: the expression as written, and what it can be."""

    node: ast.expr
    written: str
    most: int | None

    @property
    def shown(self) -> str:
        """The setting as a reader wrote it, with the value where that is not plain."""
        if self.most is None or self.written == str(self.most):
            return f"num_workers={self.written}"
        return f"num_workers={self.written} ({self.most})"


@record
class Loader:
    """A call that builds a torch DataLoader, or a class derived from it."""

    call: ast.Call
    name: str
    workers: Workers | None

    @property
    def has_workers(self) -> bool:
        """Tell whether it is known to start worker processes."""
        return self.workers is not None and (self.workers.most or 0) > 0

    @property
    def may_have_workers(self) -> bool:
        """Tell whether workers are set to something that is not known to be 0."""
        return self.workers is not None and (self.workers.most is None or self.workers.most > 0)


def is_loader_name(module: ParsedModule, name: str) -> bool:
    """Tell whether a dotted name is a torch DataLoader's."""
    if not name or name.startswith(_OTHER_LIBRARIES):
        return False
    local = module.classes.get(name)
    if local is not None:
        return any(is_loader_name(module, base) for base in module.bases(local) if base not in module.classes)
    last = name.rpartition(".")[2]
    if name.startswith(_GRAPH_LOADERS):
        return last.endswith(("Loader", "Sampler"))
    return last.endswith("DataLoader") or last in ("WebLoader", "DataLoaderX")


def find_loaders(module: ParsedModule) -> Iterator[Loader]:
    """Find the calls that build loaders and can be reached on Windows."""
    for call in module.calls:
        if (loader := read_loader(module, call)) is not None and runs_on_windows(module, call):
            yield loader


def read_loader(module: ParsedModule, call: ast.Call) -> Loader | None:
    """Read a call that builds a loader; None for other calls."""
    name = module.canonical(call.func)
    if (prepared := _find_partial(module, call.func)) is not None:
        workers = read_workers(module, call) or read_workers(module, prepared)
        return Loader(call, module.canonical(prepared.args[0]), workers)
    if is_loader_name(module, name):
        position = None if name.startswith(_GRAPH_LOADERS) else _POSITION
        return Loader(call, name, read_workers(module, call, position))
    if _is_partial(module, call):
        return Loader(call, module.canonical(call.args[0]), read_workers(module, call))
    return None


def _find_partial(module: ParsedModule, func: ast.expr) -> ast.Call | None:
    """Find the `partial(DataLoader, ...)` that a called name stands for."""
    bindings = module.find_bindings(func) if isinstance(func, ast.Name) else ()
    value = bindings[0].value if len(bindings) == 1 else None
    return value if isinstance(value, ast.Call) and _is_partial(module, value) else None


def _is_partial(module: ParsedModule, call: ast.Call) -> bool:
    name = module.canonical(call.func)
    return (
        name in ("functools.partial", "partial")
        and bool(call.args)
        and is_loader_name(module, module.canonical(call.args[0]))
    )


def read_workers(module: ParsedModule, call: ast.Call, position: int | None = None) -> Workers | None:
    """Read `num_workers` of a call, also out of `**kwargs` that were built in this file.

    `position` is where it may be passed by position, None where it is a keyword only.
    """
    node = keyword(call, "num_workers")
    if node is None and position is not None:
        node = argument(call, "num_workers", position)
    if node is None:
        return next((_workers(module, each) for each in _splatted(module, call, "num_workers")), None)
    return _workers(module, node)


def _workers(module: ParsedModule, node: ast.expr) -> Workers:
    numbers = [int(each) for each in possible_values(module, node) if isinstance(each, (int, float))]
    most, written = max(numbers, default=None), ast.unparse(node)
    # `config.get("num_workers", 0)`: the configuration may well say something else.
    return Workers(node, written, None if most == 0 and ".get(" in written else most)


def _splatted(module: ParsedModule, call: ast.Call, key: str) -> Iterator[ast.expr]:
    for each in call.keywords:
        if each.arg is None:
            yield from _entries(module, each.value, key, 0)


def _entries(module: ParsedModule, node: ast.expr, key: str, depth: int) -> Iterator[ast.expr]:
    match node:
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            yield from (
                value for each, value in pairs if isinstance(each, ast.Constant) and each.value == key
            )
        case ast.Call(func=ast.Name(id="dict")) as call if (value := keyword(call, key)) is not None:
            yield value
        case ast.IfExp(body=body, orelse=orelse):
            yield from _entries(module, body, key, depth)
            yield from _entries(module, orelse, key, depth)
        case ast.Name() if depth < 4:
            for binding in module.find_bindings(node):
                if binding.value is not None and runs_on_windows(module, binding.statement):
                    yield from _entries(module, binding.value, key, depth + 1)
            yield from _later_entries(module, node, key)


def _later_entries(module: ParsedModule, name: ast.Name, key: str) -> Iterator[ast.expr]:
    for statement in module.nodes.get(ast.Assign, ()):
        match statement:
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=found), slice=ast.Constant(value=each))], value=value
            ):
                if found == name.id and each == key and runs_on_windows(module, statement):
                    yield value
    for call in module.calls:
        match call.func:
            case ast.Attribute(value=ast.Name(id=found), attr="update") if found == name.id:
                if (passed := keyword(call, key)) is not None:
                    yield passed
                elif call.args:
                    yield from _entries(module, call.args[0], key, 3)


def find_datasets(module: ParsedModule) -> Iterator[ast.ClassDef]:
    """Find the classes that are torch datasets, by their bases or by how they are written."""
    for node in module.classes.values():
        if is_dataset(module, node):
            yield node


def is_dataset(module: ParsedModule, node: ast.ClassDef) -> bool:
    """Tell whether a class is a dataset that a loader indexes or iterates."""
    bases = module.bases(node)
    if any(base in _DATASET_BASES or base.startswith("torchvision.datasets.") for base in bases):
        return True
    methods = {each.name for each in node.body if isinstance(each, FUNCTIONS)}
    if any(base.rpartition(".")[2].endswith("Dataset") for base in bases):
        return bool(methods & {"__getitem__", "__iter__", "__init__"})
    indexes = {"__getitem__", "__len__"} <= methods
    return (
        indexes
        and "dataset" in node.name.lower()
        and "torch" in {each.partition(".")[0] for each in module.aliases.values()}
    )
