"""The random numbers in a loader's workers do not follow the script's seeds."""

import ast
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.idioms.loading.datasets import (
    find_constructor_methods,
    find_datasets,
    find_loader_datasets,
    find_stored_values,
    find_worker_methods,
)
from torchdoctor.source.idioms.loading.loaders import find_loaders
from torchdoctor.source.module.nodes import find_argument, find_keyword
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.places import locate

_GENERATORS = frozenset({"numpy.random.default_rng", "numpy.random.RandomState", "random.Random"})
_SEEDS = frozenset({"numpy.random.seed", "random.seed"})
# Calls that seed torch's generator, from which workers and shuffling get their seeds.
_TORCH_SEEDS = (
    "manual_seed",
    "seed_everything",
    "set_seed",
    "seed_all",
    "set_random_seed",
    "fix_seed",
    "setup_seed",
)
# What the names of loaders end in.
_LOADERS = (b"Loader", b"Sampler")
_WORDS = (
    (b"Loader", (b"workers=",)),
    (b"num_workers", (b"Loader",)),
    (b"Dataset)", (b"np.random",), _LOADERS),
    (b"__getitem__", (b"np.random",), _LOADERS),
)


@check(words=_WORDS)
def unseeded_loader(source: SourceFile) -> Iterator[Finding]:
    """Find generators that are copied to every worker, and seeds that do not reach a dataset that draws."""
    module = source.module
    loaders = [loader for loader in find_loaders(module) if loader.has_workers]
    if not loaders or _mentions_worker_init(module):
        return
    for node, message in _find_copied_generators(module):
        yield Finding(message, locate(source, node))
    # Without an argument, or with None, they seed from the clock, which nobody expects to repeat.
    seeds = [
        call
        for call in module.calls
        if module.find_dotted_name(call.func) in _SEEDS and not _is_none(find_argument(call, "seed", 0))
    ]
    if not seeds or any(_seeds_torch(call) for call in module.calls):
        return
    seeder = ast.unparse(seeds[0].func)
    for loader in loaders:
        drawing = [each for each in find_loader_datasets(module, loader) if _draws(module, each)]
        if drawing and _is_none(find_keyword(loader.call, "generator")):
            message = (
                f"{seeder}() does not reach the workers, in which {drawing[0].name} draws random numbers, "
                "and torch is not seeded"
            )
            yield Finding(message, locate(source, loader.call))


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _mentions_worker_init(module: ParsedModule) -> bool:
    """Return whether the file mentions `worker_init_fn`: as a keyword, a function or a dictionary key."""
    strings = [node.value for node in module.nodes.get(ast.Constant, ()) if isinstance(node, ast.Constant)]
    keywords = [node.arg for node in module.nodes.get(ast.keyword, ()) if isinstance(node, ast.keyword)]
    return "worker_init_fn" in strings or "worker_init_fn" in keywords or "worker_init_fn" in module.functions


def _seeds_torch(call: ast.Call) -> bool:
    if ast.unparse(call.func).startswith("torch.cuda."):
        # It seeds the GPUs alone; the loader takes its seeds from the processor's generator.
        return False
    name = ast.unparse(call.func).rpartition(".")[2].lower()
    return any(seed in name for seed in _TORCH_SEEDS) or (name.startswith("seed") and name != "seed")


def _draws(module: ParsedModule, dataset: ast.ClassDef) -> bool:
    """Return whether the code of a dataset that runs in workers draws numbers of `random` or NumPy."""
    pending: list[ast.AST] = list(find_worker_methods(module, dataset))
    seen: set[ast.AST] = set()
    while pending:
        function = pending.pop()
        seen.add(function)
        for node in ast.walk(function):
            name = module.find_dotted_name(node.func) if isinstance(node, ast.Call) else ""
            if name.startswith(("numpy.random.", "random.")) and name not in _SEEDS | _GENERATORS:
                return True
            called = module.functions.get(name)
            if called is not None and called not in seen:
                pending.append(called)
    return False


def _find_copied_generators(module: ParsedModule) -> Iterator[tuple[ast.AST, str]]:
    for dataset in find_datasets(module):
        if any("Iterable" in base for base in module.find_base_names(dataset)):
            continue
        attributes = {
            node.attr
            for method in find_worker_methods(module, dataset)
            for node in ast.walk(method)
            if isinstance(node, ast.Attribute)
        }
        for name, value in find_stored_values(find_constructor_methods(module, dataset)):
            if (
                name in attributes
                and isinstance(value, ast.Call)
                and module.find_dotted_name(value.func) in _GENERATORS
                and value.args
            ):
                yield value, f"each worker draws the same numbers from its copy of {dataset.name}.{name}"
