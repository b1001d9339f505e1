"""The fact of torch's files: which one would be imported, and what it was built for."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent


@record
class TorchInstall:
    """The torch that `import torch` would find, read from its files without importing it.

    `version` is the full one with its local part ("2.8.0+cu128"). `cuda` is the CUDA version that
    the build was made with ("12.8"), None for a build without CUDA. `library_folder` contains its DLLs or
    shared libraries, None if the package has no such folder. `extension_tags` are the interpreters that its
    extension module `_C` was built for, from the names of its files ("cp311-win_amd64"). If `has_init` is
    False, Python imports the folder as an empty package.
    """

    subject: ClassVar[str] = "torch_install"
    version: str | Absent
    package_folder: str
    library_folder: str | None
    cuda: str | None = None
    extension_tags: tuple[str, ...] | Absent = Absent("the names of its extension modules were not read")
    has_init: bool = True

    @property
    def local_tag(self) -> str | None:
        """The local part of the version ("cpu", "cu128"), None without one."""
        if isinstance(self.version, Absent) or "+" not in self.version:
            return None
        return self.version.partition("+")[2]
