"""The one command whose output would say most of what a text leaves open."""

import enum
from collections.abc import Iterable

from torchdoctor.core.record import record
from torchdoctor.readers.environment import Environment
from torchdoctor.readers.statements import Topic


class Part(enum.Enum):
    """A part of an environment, in the words of a question."""

    SYSTEM = "the system"
    PYTHON = "the version of Python"
    TORCH = "the version and the build of torch"
    GPU = "the GPU and the version of its driver"
    PACKAGES = "the other packages"


@record
class Question:
    """What is not known, and the command whose output says it."""

    unknown: str
    command: str


# What each command prints; of those that say as much of what is asked for, the first one is chosen.
_COMMANDS = (
    ("nvidia-smi", {Part.GPU}),
    ("python -VV", {Part.PYTHON}),
    ("python -m pip list", {Part.PACKAGES}),
    ("python -m torch.utils.collect_env", set(Part)),
)
# collect_env imports torch.
_WITHOUT_TORCH = (*_COMMANDS[:2], ("python -m pip list", {Part.TORCH, Part.PACKAGES}))


def ask(
    environment: Environment | None, parts: Iterable[Part] = tuple(Part), *, imports_torch: bool = True
) -> Question | None:
    """Return the question for the parts of which an environment says nothing, or None if there are none.

    `imports_torch` is whether torch can be imported.
    """
    unknown = [part for part in parts if environment is None or not _is_known(part, environment)]
    commands = _COMMANDS if imports_torch else _WITHOUT_TORCH
    command, said = max(commands, key=lambda each: len(each[1].intersection(unknown)))
    words = [_name_unknown(part, environment) for part in unknown if part in said]
    if not words:
        return None
    return Question(" and ".join(filter(None, (", ".join(words[:-1]), words[-1]))), command)


def _name_unknown(part: Part, environment: Environment | None) -> str:
    """Return what is not known of a part, in the words of a question."""
    if environment is not None and part is Part.TORCH and environment.find(Topic.TORCH) is not None:
        return "the build of torch"
    if environment is not None and part is Part.TORCH and environment.find(Topic.TORCH_CUDA) is not None:
        return "the version of torch"
    if environment is not None and part is Part.GPU and environment.find_all(Topic.GPU):
        return "the version of the GPU's driver"
    return part.value


def _is_known(part: Part, environment: Environment) -> bool:
    if part is Part.SYSTEM:
        return environment.find(Topic.SYSTEM) is not None
    if part is Part.PYTHON:
        return environment.find(Topic.PYTHON) is not None
    if part is Part.TORCH:
        version = environment.find(Topic.TORCH)
        is_missing = version is not None and version.value == "missing"
        return is_missing or (version is not None and environment.find(Topic.TORCH_CUDA) is not None)
    if part is Part.GPU:
        return bool(environment.find_all(Topic.GPU)) and environment.find(Topic.DRIVER) is not None
    packages = environment.find_all(Topic.PACKAGE)
    return any(each.reader in ("collect-env", "pip-list", "pip-freeze", "conda-list") for each in packages)
