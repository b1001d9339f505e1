"""Runs the probes that are wanted and gathers what they observed."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from torchdoctor.engine.plugins import Broken
from torchdoctor.engine.stopwatch import Examination, Stopwatch, Watcher
from torchdoctor.facts import Absent, CudaTrial, Facts, subject_of
from torchdoctor.probes.active import find_active_python
from torchdoctor.probes.examined import Description, Examined
from torchdoctor.probes.interpreter import describe_interpreter
from torchdoctor.probes.table import PROBES

T = TypeVar("T")


class Examiner:
    """Examines this machine and an interpreter, the active one by default."""

    def __init__(self, python: str | None = None, *, runs_trials: bool = True) -> None:
        """Take the interpreter, and whether torch is imported in a child of it."""
        self.executable = python or find_active_python()
        self._runs_trials = runs_trials
        self._description: Future[Description] | None = None

    def describe_ahead(self) -> None:
        """Start asking the interpreter to describe itself; `examine` waits for the answer if it needs it."""
        if self._description is None:
            pool = ThreadPoolExecutor(max_workers=1)
            self._description = pool.submit(describe_interpreter, self.executable)
            pool.shutdown(wait=False)

    def examine(self, wanted: Iterable[type], watcher: Watcher | None = None) -> Examination:
        """Observe the wanted facts; the watcher is called when each probe starts and ends.

        Raises:
            InterpreterError: the interpreter cannot be examined.
        """
        types = set(wanted)
        facts = [fact for fact in PROBES if fact in types]
        round_ = _Round(watcher)
        # Most probes wait for a child or a disk, so there may be more of them than cores.
        with ThreadPoolExecutor(max_workers=8) as pool:
            started = {
                fact: pool.submit(round_.run, fact, ())
                for fact in facts
                if not PROBES[fact].needs_interpreter
            }
            inner = [fact for fact in facts if PROBES[fact].needs_interpreter]
            if inner:
                examined = Examined(
                    self.executable,
                    round_.time("describe_interpreter", self._read_description),
                    runs_trials=self._runs_trials,
                    uses_cuda=CudaTrial in inner,
                )
                started |= {fact: pool.submit(round_.run, fact, (examined,)) for fact in inner}
            observed = Facts({fact: future.result() for fact, future in started.items()})
        return Examination(observed, round_.list_broken(), round_.seconds)

    def _read_description(self) -> Description:
        if self._description is None:
            return describe_interpreter(self.executable)
        return self._description.result()


class _Round:
    """The probes of one examination: what failed, how long each took, and who watches."""

    def __init__(self, watcher: Watcher | None) -> None:
        self._broken: list[Broken] = []
        self._stopwatch = Stopwatch()
        self._watchers = [self._stopwatch.watch, *([watcher] if watcher else [])]

    @property
    def seconds(self) -> Mapping[str, float]:
        """How long each probe took."""
        return self._stopwatch.seconds

    def list_broken(self) -> tuple[Broken, ...]:
        """List the probes that raised, by name."""
        return tuple(sorted(self._broken, key=lambda item: item.name))

    def run(self, fact: type, arguments: tuple[Examined, ...]) -> object:
        """Run a probe; one that raises is the doctor's defect, and costs one fact, not the report."""
        subject = subject_of(fact)
        try:
            return self.time(subject, lambda: PROBES[fact].load()(*arguments))
        except Exception as error:
            reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
            self._broken.append(Broken(f"probe {subject}", reason))
            return Absent(f"the probe failed: {reason}")

    def time(self, subject: str, call: Callable[[], T]) -> T:
        """Make a call while the watchers are told; what it raises passes through."""
        for watch in self._watchers:
            watch(subject, True)
        try:
            return call()
        finally:
            for watch in self._watchers:
                watch(subject, False)
