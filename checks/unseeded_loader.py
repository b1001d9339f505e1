"""The random numbers in a loader's workers do not follow the script's seeds."""

import ast
from collections.abc import Iterator

from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile
from torchdoctor.source.edits.changes import add_keyword
from torchdoctor.source.idioms.datasets import (
    find_constructor_methods,
    find_stored_values,
    find_worker_methods,
)
from torchdoctor.source.idioms.loaders import find_datasets, find_loaders
from torchdoctor.source.module.parsed import ParsedModule, find_keyword
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
_WORDS = (
    (b"Loader", (b"num_workers", b"workers=")),
    (b"Dataset)", (b"np.random",)),
    (b"__getitem__", (b"np.random",)),
)


@check(words=_WORDS)
def unseeded_loader(source: SourceFile) -> Iterator[Finding]:
    """Find random generators that are copied to every worker, and seeds that do not reach the workers."""
    module = source.module
    loaders = [loader for loader in find_loaders(module) if loader.has_workers]
    if not loaders or _mentions_worker_init(module):
        return
    for node, message in _find_copied_generators(module):
        yield Finding(message, locate(source, node))
    seeds = [call for call in module.calls if module.find_dotted_name(call.func) in _SEEDS]
    if not seeds or any(_seeds_torch(call) for call in module.calls):
        return
    for loader in loaders:
        if find_keyword(loader.call, "generator") is None:
            message = f"{ast.unparse(seeds[0].func)}() does not reach the workers, and torch is not seeded"
            is_torch_imported = module.aliases.get("torch") == "torch"
            generator = "generator=torch.Generator().manual_seed(0)"
            edit = add_keyword(source, loader.call, generator) if is_torch_imported else None
            yield Finding(message, locate(source, loader.call), edit=edit)


def _mentions_worker_init(module: ParsedModule) -> bool:
    """Return whether the file mentions `worker_init_fn`: as a keyword, a function or a dictionary key."""
    strings = [node.value for node in module.nodes.get(ast.Constant, ()) if isinstance(node, ast.Constant)]
    keywords = [node.arg for node in module.nodes.get(ast.keyword, ()) if isinstance(node, ast.keyword)]
    return "worker_init_fn" in strings or "worker_init_fn" in keywords or "worker_init_fn" in module.functions


def _seeds_torch(call: ast.Call) -> bool:
    name = ast.unparse(call.func).rpartition(".")[2].lower()
    return any(seed in name for seed in _TORCH_SEEDS) or (name.startswith("seed") and name != "seed")


def _find_copied_generators(module: ParsedModule) -> Iterator[tuple[ast.AST, str]]:
    for dataset in find_datasets(module):
        if any("Iterable" in base for base in module.find_base_names(dataset)):
            continue
        attributes = {
            node.attr
            for method in find_worker_methods(dataset)
            for node in ast.walk(method)
            if isinstance(node, ast.Attribute)
        }
        for name, value in find_stored_values(find_constructor_methods(dataset)):
            if (
                name in attributes
                and isinstance(value, ast.Call)
                and module.find_dotted_name(value.func) in _GENERATORS
                and value.args
            ):
                yield value, f"each worker draws the same numbers from its copy of {dataset.name}.{name}"
