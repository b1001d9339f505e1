"""Statements: what a text says of an environment, each with the line that says it."""

import enum
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from torchdoctor.core.record import record
from torchdoctor.domain.gpu_names import CARD_WORDS, leave_out_behind_card
from torchdoctor.redaction.words.public_words import NO_NAMES, is_public, leave_out_private

# The lines of a text, each with its number from 1.
Lines = Sequence[tuple[int, str]]


class Topic(enum.Enum):
    """What a statement is about, and in which words a report says so."""

    SYSTEM = "system"
    WINDOWS_BUILD = "build of Windows"
    SYSTEM_VERSION = "version of the system"
    MACHINE = "processor"
    PYTHON = "Python"
    PYTHON_BITS = "bits of Python"
    PYTHON_MACHINE = "machine that Python is built for"
    PYTHON_IMPLEMENTATION = "kind of Python"
    PYTHON_EXECUTABLE = "path of Python"
    PYTHON_ORIGIN = "origin of Python"
    BASE_PREFIX = "folder of the base Python"
    SITE_PACKAGES = "folder of the packages"
    CONDA_PREFIX = "conda environment"
    TORCH = "torch"
    TORCH_CUDA = "CUDA of torch"
    CUDA_AVAILABLE = "torch.cuda.is_available()"
    ARCHITECTURES = "architectures of torch"
    TORCH_WARNING = "warning of torch"
    GPU = "GPU"
    GPU_MEMORY = "memory of the GPU"
    GPU_CAPABILITY = "compute capability"
    GPU_MODEL = "driver model"
    DRIVER = "NVIDIA driver"
    DRIVER_CUDA = "CUDA of the driver"
    DRIVER_STATE = "state of the driver"
    TOOLKIT = "CUDA toolkit"
    TOOLKIT_FOLDER = "folder of the CUDA toolkit"
    PACKAGE = "package"
    CONDA_PACKAGE = "package of conda"
    REQUIRED_TORCH = "torch that is required by"
    COMPLETE_LIST = "list of all packages"
    MEMORY = "physical memory"


# Formats that name single packages in sentences, and in what pip says of some.
_NO_LISTS = frozenset({"inventories", "mentions", "paths", "pip-output", "prose", "told-installs"})
# There may be several values of these, one for each subject.
NAMED_TOPICS = frozenset(
    {
        Topic.GPU,
        Topic.GPU_MEMORY,
        Topic.GPU_CAPABILITY,
        Topic.GPU_MODEL,
        Topic.PACKAGE,
        Topic.CONDA_PACKAGE,
        Topic.REQUIRED_TORCH,
        Topic.COMPLETE_LIST,
        Topic.TORCH_WARNING,
    }
)


@record
class Statement:
    """One thing that a text says of an environment.

    `subject` is the name of a package, the number of a GPU ("0") or the installer of a list; it is empty for
    a topic that an environment has once. `reader` is the format that the line is part of. `is_printed` is
    whether a program printed it; what people write from memory is weaker.
    """

    topic: Topic
    value: str
    line: int
    reader: str = ""
    is_printed: bool = True
    subject: str = ""

    @property
    def label(self) -> str:
        """The topic in words, with the name of the package or the number of the GPU."""
        if self.topic in (Topic.PACKAGE, Topic.CONDA_PACKAGE):
            return self.subject
        return f"{self.topic.value} {self.subject}".strip() if self.subject else self.topic.value


def keep_public(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the statements without the words that are not public.

    A list of packages defines their names. Elsewhere, what is called like no package that is known may be
    none, and no check asks for it.
    """
    for statement in statements:
        own = CARD_WORDS if statement.topic is Topic.GPU else NO_NAMES
        is_package = statement.topic in (Topic.PACKAGE, Topic.CONDA_PACKAGE, Topic.REQUIRED_TORCH)
        if is_package and statement.reader not in _NO_LISTS:
            own = frozenset({statement.subject.lower()})
        if not is_package or is_public(statement.subject, own):
            value = leave_out_private(statement.value, own if statement.topic is Topic.GPU else NO_NAMES)
            if statement.topic is Topic.GPU:
                value = leave_out_behind_card(value)
            yield statement if value == statement.value else replace(statement, value=value)


def agree(one: Statement, other: Statement) -> bool:
    """Return whether two statements can both be true: one value may have fewer parts than the other."""
    if one.topic is Topic.SITE_PACKAGES or one.topic is Topic.PYTHON_EXECUTABLE:
        return one.value.lower().replace("/", "\\") == other.value.lower().replace("/", "\\")
    short, long = sorted((one.value.lower(), other.value.lower()), key=len)
    return (
        short == long
        or (long.startswith(short) and long[len(short)] in ".+ -")
        or _is_prerelease(short, long)
    )


def _is_prerelease(short: str, long: str) -> bool:
    # "2.9.0" for "2.9.0a0+git1234".
    return long.startswith(short) and long[len(short)] in "ad"
