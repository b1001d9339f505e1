"""The examined interpreter, as the probes use it."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

from torchdoctor.core.record import record
from torchdoctor.facts import Absent, Distributions, Interpreter

T = TypeVar("T")


@record
class Description:
    """The description of an interpreter, observed from inside.

    `torch_folder` is where `import torch` would look, None if torch is not installed. `torch_origin` is the
    file that it would run, None for a folder without `__init__.py`.
    """

    interpreter: Interpreter
    distributions: Distributions
    torch_folder: str | Absent | None
    torch_origin: str | None = None


class _Cell:
    """A value that is computed once; other threads that need it meanwhile wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: list[Any] = []

    def read(self, compute: Callable[[], Any]) -> Any:
        with self._lock:
            if not self._values:
                self._values.append(compute())
            return self._values[0]


class Examined:
    """The examined interpreter: its description, and the values that several probes read from it."""

    def __init__(
        self, executable: str, description: Description, *, runs_trials: bool = True, uses_cuda: bool = False
    ) -> None:
        """Store the program that starts it, and whether a child of it may import torch and use CUDA."""
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

    def call_once(self, function: "Callable[[Examined], T]") -> T:
        """Return the result of `function(self)`. The function is called only the first time."""
        with self._lock:
            cell = self._cells.setdefault(function, _Cell())
        return cast("T", cell.read(lambda: function(self)))
