"""Waits until the program imports torch's DataLoader, and makes it safe right then."""

import sys

_MODULE = "torch.utils.data.dataloader"


def install():
    """Watch for the import; nothing of torch is imported here."""
    sys.meta_path.insert(0, _Finder())


class _Finder:
    def find_spec(self, name, path=None, target=None):
        if name != _MODULE:
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if hasattr(finder, "find_spec") else None
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


class _Loader:
    def __init__(self, loader):
        self._loader = loader

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__loader__ = module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        from _torchdoctor_startup import safe_loader

        try:
            safe_loader.install(module)
        except Exception as error:
            safe_loader.say("DataLoaders are left as they are: %r" % error)
