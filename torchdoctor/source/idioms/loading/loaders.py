"""The loaders and datasets of a module that uses torch's data loading, and the workers of its loaders."""

import ast
import re
from collections.abc import Iterator, Sequence

from torchdoctor.core.record import record
from torchdoctor.source.idioms.worker_numbers.processor_counts import PROCESSORS, find_processors
from torchdoctor.source.module.arguments import find_calls_of
from torchdoctor.source.module.constants import find_possible_values
from torchdoctor.source.module.nodes import FUNCTIONS, find_argument, find_items, find_keyword
from torchdoctor.source.module.parsed import ParsedModule
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
# What a file has in which a class is a dataset: by its bases, by its name, or because a loader is given it.
DATASET_WORDS = (
    *(b"Dataset", b"DataPipe", b"Subset", b"torchvision", b"Loader", b"torch_geometric"),
    re.compile(rb"class \w*(?i:dataset)"),
)
# Libraries whose loaders use threads, fork by themselves, or are not loaders of torch.
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
# How the last part of the name of a loader's class, or of `functools.partial`, ends.
_LAST_NAMES = ("Loader", "DataLoaderX", "Sampler", "partial")
# The positions of arguments of torch's DataLoader, counting from 0.
_POSITIONS = {"dataset": 0, "num_workers": 5, "collate_fn": 6, "worker_init_fn": 10}


@record
class Workers:
    """The number of workers that a loader is given.

    `written` is the source of the expression `node`; `most` is its largest possible value, None if unknown.
    `source` is what a name stands for if that depends on the machine.
    """

    node: ast.expr
    written: str
    most: int | None
    source: str | None = None

    @property
    def description(self) -> str:
        """The setting as written, followed by its value if that is not obvious."""
        if self.most is None or self.written == str(self.most) or PROCESSORS.search(self.written):
            return f"num_workers={self.written}"
        return f"num_workers={self.written} ({self.source or self.most})"


@record
class Loader:
    """A call that builds a DataLoader or an instance of a derived class; `name` is the dotted class name."""

    call: ast.Call
    name: str
    workers: Workers | None

    @property
    def has_workers(self) -> bool:
        """Whether the loader is known to start worker processes."""
        return self.workers is not None and (self.workers.most or 0) > 0

    @property
    def may_have_workers(self) -> bool:
        """Whether the number of workers is set and not known to be 0."""
        return self.workers is not None and (self.workers.most is None or self.workers.most > 0)


def is_loader_name(module: ParsedModule, name: str) -> bool:
    """Return whether a dotted name refers to torch's DataLoader or a class derived from it."""
    if not name or name.startswith(_OTHER_LIBRARIES):
        return False
    local = module.classes.get(name)
    if local is not None:
        return any(
            is_loader_name(module, base)
            for base in module.find_base_names(local)
            if base not in module.classes
        )
    last = name.rpartition(".")[2]
    if name.startswith(_GRAPH_LOADERS):
        return last.endswith(("Loader", "Sampler"))
    return last.endswith("DataLoader") or last in ("WebLoader", "DataLoaderX")


def find_loaders(module: ParsedModule) -> Sequence[Loader]:
    """Return the loaders of a module that can be built on Windows."""
    return module.ask_once(_find_loaders)


def _find_loaders(module: ParsedModule) -> Sequence[Loader]:
    calls = module.find_calls(lambda name: name.endswith(_LAST_NAMES) or name in module.classes)
    loaders = [loader for call in calls if (loader := read_loader(module, call)) is not None]
    loaders += _find_base_calls(module)
    return [loader for loader in loaders if runs_on_windows(module, loader.call)]


def _find_base_calls(module: ParsedModule) -> Iterator[Loader]:
    """Yield the calls by which a class derived from a loader passes its arguments on to its base."""
    for call in module.find_calls(lambda name: name == "__init__"):
        match call.func:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"))):
                owner = module.find_class(call)
                if owner is not None and is_loader_name(module, owner.name):
                    yield Loader(call, owner.name, read_workers(module, call, _POSITIONS["num_workers"]))


def find_loader_argument(module: ParsedModule, loader: Loader, name: str) -> ast.expr | None:
    """Return an argument of a loader, also one in a `**` dictionary built in this file, or None.

    By position, it is read as one of torch's DataLoader.
    """
    given = find_argument(loader.call, name, _POSITIONS[name])
    return given if given is not None else find_setting(module, loader.call, name)


def _may_build_loader(module: ParsedModule, function: ast.expr) -> bool:
    """Return whether a called expression may be a class of loaders or a `partial` of one, by its name."""
    match function:
        case ast.Name(id=name):
            name = module.aliases.get(name, name)
            if name in module.bound_names:
                return True
        case ast.Attribute(attr=name):
            pass
        case _:
            return False
    last = name.rpartition(".")[2]
    return last.endswith(_LAST_NAMES) or last in module.classes or name in module.classes


def read_loader(module: ParsedModule, call: ast.Call) -> Loader | None:
    """Return the loader that a call builds, or None for other calls."""
    if not _may_build_loader(module, call.func):
        return None
    name = module.find_dotted_name(call.func)
    if (prepared := _find_partial(module, call.func)) is not None:
        workers = read_workers(module, call) or read_workers(module, prepared)
        return Loader(call, module.find_dotted_name(prepared.args[0]), workers)
    if is_loader_name(module, name):
        position = None if name.startswith(_GRAPH_LOADERS) else _POSITIONS["num_workers"]
        return Loader(call, name, read_workers(module, call, position))
    if _is_partial(module, call):
        return Loader(call, module.find_dotted_name(call.args[0]), read_workers(module, call))
    return None


def _find_partial(module: ParsedModule, func: ast.expr) -> ast.Call | None:
    """Return the `partial(DataLoader, ...)` that a called name is bound to, or None."""
    bindings = module.find_bindings(func) if isinstance(func, ast.Name) else ()
    value = bindings[0].value if len(bindings) == 1 else None
    return value if isinstance(value, ast.Call) and _is_partial(module, value) else None


def _is_partial(module: ParsedModule, call: ast.Call) -> bool:
    """Return whether a call is `partial(DataLoader, ...)`."""
    name = module.find_dotted_name(call.func)
    return (
        name in ("functools.partial", "partial")
        and bool(call.args)
        and is_loader_name(module, module.find_dotted_name(call.args[0]))
    )


def read_workers(module: ParsedModule, call: ast.Call, position: int | None = None) -> Workers | None:
    """Return the `num_workers` of a call, including one in a `**` dictionary built in this file.

    `position` is its position among the arguments, or None if it is keyword-only.
    """
    node = find_argument(call, "num_workers", position) if position is not None else None
    node = node if node is not None else find_setting(module, call, "num_workers")
    return evaluate_workers(module, node) if node is not None else None


def find_setting(module: ParsedModule, call: ast.Call, name: str) -> ast.expr | None:
    """Return a keyword argument of a call, also one in a `**` dictionary built in this file, or None."""
    given = find_keyword(call, name)
    return given if given is not None else next(_find_unpacked_values(module, call, name), None)


def evaluate_workers(module: ParsedModule, node: ast.expr) -> Workers:
    """Return the number of workers that an expression stands for."""
    numbers = [int(value) for value in find_possible_values(module, node) if isinstance(value, (int, float))]
    most, written = max(numbers, default=None), ast.unparse(node)
    # `config.get("num_workers", 0)`: 0 is only the default; the configuration may set another value.
    source = find_processors(module, node, most) if most else None
    return Workers(node, written, None if most == 0 and ".get(" in written else most, source)


def _find_unpacked_values(module: ParsedModule, call: ast.Call, key: str) -> Iterator[ast.expr]:
    """Yield the values of a key in the `**` arguments of a call."""
    for each in call.keywords:
        if each.arg is None:
            yield from _find_dict_values(module, each.value, key, 0)


def _find_dict_values(module: ParsedModule, node: ast.expr, key: str, depth: int) -> Iterator[ast.expr]:
    """Yield the values of a key in the dictionary that an expression can be."""
    match node:
        case ast.Dict():
            yield from find_items(node, key)
        case ast.Call(func=ast.Name(id="dict")) as call if (value := find_keyword(call, key)) is not None:
            yield value
        case ast.IfExp(body=body, orelse=orelse):
            yield from _find_dict_values(module, body, key, depth)
            yield from _find_dict_values(module, orelse, key, depth)
        case ast.Name() if depth < 4:
            for binding in module.find_bindings(node):
                if binding.value is not None and runs_on_windows(module, binding.statement):
                    yield from _find_dict_values(module, binding.value, key, depth + 1)
            yield from _find_forwarded_values(module, node, key)
            yield from _find_later_values(module, node, key)


def _find_forwarded_values(module: ParsedModule, name: ast.Name, key: str) -> Iterator[ast.expr]:
    """Yield what calls pass for a keyword that their function passes on with `**kwargs`."""
    function = module.find_parameter(name)
    if function is not None and function.args.kwarg is not None and function.args.kwarg.arg == name.id:
        passed = (find_keyword(call, key) for call in find_calls_of(module, function))
        yield from (value for value in passed if value is not None)


def _find_later_values(module: ParsedModule, name: ast.Name, key: str) -> Iterator[ast.expr]:
    """Yield the values that a dictionary gets for a key later: `name[key] = value`, `name.update(...)`."""
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
                if (passed := find_keyword(call, key)) is not None:
                    yield passed
                elif call.args:
                    yield from _find_dict_values(module, call.args[0], key, 3)


def _is_imported_dataset(module: ParsedModule, name: str) -> bool:
    """Return whether a dotted name is a class of another file of the project that is a dataset."""
    owner, node = module.find_imported(name) or (module, None)
    if not isinstance(node, ast.ClassDef):
        return False
    bases = owner.find_base_names(node)
    return any(base in _DATASET_BASES or base.startswith("torchvision.datasets.") for base in bases)


def has_imported_dataset_base(module: ParsedModule, node: ast.ClassDef) -> bool:
    """Return whether a base of a class is a dataset of another file of the project."""
    return any(module.ask_once(_is_imported_dataset, base) for base in sorted(module.find_base_names(node)))


def is_dataset(module: ParsedModule, node: ast.ClassDef) -> bool:
    """Return whether a class is a torch dataset, judged by its bases, or by its methods and name."""
    bases = module.find_base_names(node)
    if any(base in _DATASET_BASES or base.startswith("torchvision.datasets.") for base in bases):
        return True
    methods = {each.name for each in node.body if isinstance(each, FUNCTIONS)}
    if any(base.rpartition(".")[2].endswith("Dataset") for base in bases):
        return bool(methods & {"__getitem__", "__iter__", "__init__"})
    return (
        {"__getitem__", "__len__"} <= methods
        and "dataset" in node.name.lower()
        and "torch" in {each.partition(".")[0] for each in module.aliases.values()}
    )
