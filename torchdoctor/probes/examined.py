"""The interpreter that is examined, as the probes need it."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

from torchdoctor.core.record import record
from torchdoctor.facts import Absent, Distributions, Interpreter

T = TypeVar("T")


@record
class Description:
    """What the interpreter says about itself.

    `torch_folder` is where `import torch` would look, `torch_origin` the file that it would run: None
    for a folder without `__init__.py`.
    """

    interpreter: Interpreter
    distributions: Distributions
    torch_folder: str | Absent | None
    torch_origin: str | None = None


class _Cell:
    """A value that is read once; callers that come meanwhile wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: list[Any] = []

    def read(self, call: Callable[[], Any]) -> Any:
        with self._lock:
            if not self._values:
                self._values.append(call())
            return self._values[0]


class Examined:
    """An interpreter that is examined: its description, and what several probes read of it."""

    def __init__(
        self, executable: str, description: Description, *, runs_trials: bool = True, uses_cuda: bool = False
    ) -> None:
        """Take the program that starts it, and whether torch is imported and CUDA used in a child of it."""
        self.executable = executable
        self.description = description
        self.runs_trials = runs_trials
        self.uses_cuda = uses_cuda
        self._lock = threading.Lock()
        self._cells: dict[object, _Cell] = {}

    @property
    def interpreter(self) -> Interpreter:
        """The interpreter as a fact."""
        return self.description.interpreter

    @property
    def distributions(self) -> Distributions:
        """The distributions installed for it."""
        return self.description.distributions

    def once(self, read: "Callable[[Examined], T]") -> T:
        """Return what a function reads of this interpreter; the function is called once."""
        with self._lock:
            cell = self._cells.setdefault(read, _Cell())
        return cast("T", cell.read(lambda: read(self)))
