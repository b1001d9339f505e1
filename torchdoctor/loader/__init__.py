"""Functions for training programs: a DataLoader that is safe on this machine, and repeatable runs.

They need torch, so their modules are imported on first use. `torchdoctor.loader.plan` works without torch.
"""

from importlib import import_module

# The module of each public name. No module has the name of a function: importing it would hide the function.
_MODULES = {
    "create_dataloader": "create",
    "recommended_num_workers": "create",
    "describe": "describing",
    "precompute": "precomputing",
    "PrecomputedDataset": "precomputing",
    "seed_everything": "reproducibility",
    "verify_reproducibility": "reproducibility",
    "Reproducibility": "reproducibility",
    "SeededDataset": "seeding",
}

__all__ = [
    "PrecomputedDataset",
    "Reproducibility",
    "SeededDataset",
    "create_dataloader",
    "describe",
    "precompute",
    "recommended_num_workers",
    "seed_everything",
    "verify_reproducibility",
]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return getattr(import_module(f"torchdoctor.loader.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
