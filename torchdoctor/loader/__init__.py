"""The safe DataLoader: the plan and what applies it.

The functions need torch and are loaded when they are first used; `torchdoctor.loader.plan` does not.
"""

from importlib import import_module

# No module is called as a function of its own: importing it would hide the function.
_HOMES = {
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
    if name in _HOMES:
        return getattr(import_module(f"torchdoctor.loader.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
