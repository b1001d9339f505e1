"""Facts about files that are imported in place of torch or of a module that torch imports."""

from typing import ClassVar

from torchdoctor.core.record import record


@record
class Shadow:
    """A file or folder that is imported in place of a module that torch needs.

    `source` is "current folder", "PYTHONPATH" or "import path". `hides` is what it hides: "torch",
    "package" (NumPy and others) or "standard library". `failure` is the exception of `import torch` in a
    program that starts in the current folder, None if it is not known that it raises one.
    """

    module: str
    path: str
    source: str
    hides: str
    failure: str | None = None


@record
class ImportShadows:
    """Modules that hide torch or what torch imports; `folders` are the folders that were searched."""

    subject: ClassVar[str] = "import_shadows"
    shadows: tuple[Shadow, ...]
    folders: tuple[str, ...]
