"""Describe an installation of torchdoctor and its plugins, so that no answer of another one is used again."""

import hashlib
import os
import sys

from torchdoctor.core.version import __version__
from torchdoctor.engine import library, plugin_facts, plugin_readers, registry
from torchdoctor.engine.installed_files import list_files
from torchdoctor.engine.plugins import find_plugins

_GROUPS = (registry.GROUP, library.GROUP, plugin_facts.GROUP, plugin_readers.GROUP)


def describe_installation() -> str:
    """Return a text that is another one for another version, other plugins, and code that was changed."""
    digest = hashlib.sha256(__version__.encode("utf-8"))
    folders = {os.path.dirname(sys.modules["torchdoctor"].__file__ or "")}
    for group in _GROUPS:
        for plugin in find_plugins(group):
            digest.update(f"{group} {plugin.name} {plugin.package}\n".encode("utf-8", "surrogatepass"))
            try:
                folders.update(plugin.load().__path__)
            except KeyboardInterrupt:
                raise
            except BaseException:
                # Third-party code, which whoever loads it for its purpose reports.
                continue
    for folder in sorted(folders):
        try:
            files = [f"{path} {size} {time}\n" for path, size, time in list_files(folder)]
        except OSError:
            # In a zip file; the version tells.
            continue
        digest.update("".join(files).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]
