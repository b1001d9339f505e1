"""Facts about the packages that torch requires."""

from typing import ClassVar

from torchdoctor.core.record import record


@record
class Requirement:
    """A package that a distribution requires, from its metadata.

    `versions` is the range (">=4.10.0"), empty for any version. `required_by` is the distribution, as in
    "torch 2.13.0". `folder` is the first folder of the import path with a module of the package's name: the
    module that is imported. It is None if there is none.
    """

    name: str
    versions: str
    required_by: str
    folder: str | None


@record
class TorchRequirements:
    """What torch requires in the examined interpreter, and what its requirements require in turn.

    Extras are left out, and so are lines whose environment marker could not be evaluated.
    """

    subject: ClassVar[str] = "torch_requirements"
    required: tuple[Requirement, ...]
