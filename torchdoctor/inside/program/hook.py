"""Makes torch's DataLoader safe at the moment the program imports it."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

_MODULE = "torch.utils.data.dataloader"


def install() -> None:
    """Install an import hook for the DataLoader's module, without importing torch."""
    sys.meta_path.insert(0, _Finder())


class _Finder:
    """Finder that finds the DataLoader's module through the other finders, and wraps its loader."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != _MODULE:
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if hasattr(finder, "find_spec") else None
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(spec.loader)  # type: ignore[assignment]
                return spec
        return None


class _Loader:
    """Loader that runs the module's own loader, then installs the safe loader in the module."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        from . import messages, safe_loader

        try:
            safe_loader.install(module)
        except Exception as error:
            messages.print_once(f"DataLoaders are left as they are: {error!r}")
