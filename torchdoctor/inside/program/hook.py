"""Changes modules of the program, such as torch's DataLoader, at the moment the program imports them."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any


def install(changes: dict[str, Callable[[ModuleType], None]]) -> None:
    """Install an import hook that calls a function with each of these modules once it is imported.

    A module that was imported before is changed at once.
    """
    for name in [name for name in changes if name in sys.modules]:
        changes.pop(name)(sys.modules[name])
    if changes:
        sys.meta_path.insert(0, _Finder(changes))


class _Finder:
    """Finder that finds the modules through the other finders, and wraps their loaders."""

    def __init__(self, changes: dict[str, Callable[[ModuleType], None]]) -> None:
        self._changes = changes

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        change = self._changes.get(name)
        if change is None:
            return None
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(spec.loader, change)  # type: ignore[assignment]
                return spec
        return None


class _Loader:
    """Loader that runs the module's own loader, then changes the module."""

    def __init__(self, loader: Any, change: Callable[[ModuleType], None]) -> None:
        self._loader, self._change = loader, change

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        try:
            self._change(module)
        except Exception as error:
            # The program runs as it would without torchdoctor.
            print(f"torchdoctor: {module.__name__} is left as it is: {error!r}", file=sys.stderr)
