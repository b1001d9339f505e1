"""Run the probes of the requested facts and collect what they observe."""

import functools
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import Future, wait
from contextlib import nullcontext
from typing import TypeVar

from torchdoctor.core.failures import verify_current_folder
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.apart import divert_output
from torchdoctor.engine.plugin_facts import PluginProbe, load_plugin_facts
from torchdoctor.engine.plugins import Broken, describe_exception
from torchdoctor.engine.stopwatch import Examination, Stopwatch, Watcher
from torchdoctor.engine.threads import DaemonThreads
from torchdoctor.facts import SUBJECTS, Absent, CudaTrial, Facts, subject_of
from torchdoctor.probes.examined import Description, Examined
from torchdoctor.probes.interpreter import DESCRIBE_SECONDS, InterpreterError, describe_interpreter
from torchdoctor.probes.project_python import find_python
from torchdoctor.probes.python_choice import ChosenPython
from torchdoctor.probes.table import PROBES, Probe
from torchdoctor.probes.torch_trials import read_time_limit
from torchdoctor.processes.child import POLL_SECONDS, stopped_children

T = TypeVar("T")
# How long an interrupted examination waits for its threads.
_STOP_SECONDS = 5.0
# How the reason begins that a fact of a probe which raised, or did not end, is absent.
PROBE_FAILED = "the probe failed: "


class Examiner:
    """A runner of probes, for this machine and one interpreter (by default that of the project).

    It is a context manager: an exception, such as that of Ctrl-C, ends the children that probes wait for.
    """

    def __init__(self, python: str | None = None, *, runs_trials: bool = True) -> None:
        """Set the interpreter, and whether to run trials, which import torch in a child process.

        Raises:
            UsageError: the path of the interpreter is empty.
        """
        if python == "":
            raise UsageError("the path of the Python to examine is empty")
        self._given_python = python
        self._runs_trials = runs_trials
        # Most probes wait for a child process or a disk, so more threads than cores are useful.
        self._threads = DaemonThreads(8)
        self._description: Future[Description] | None = None

    @functools.cached_property
    def python(self) -> ChosenPython:
        """The interpreter to examine; saved facts are examined without looking for one.

        Raises:
            UsageError: the current folder was deleted; that a child cannot be started says nothing of torch.
        """
        verify_current_folder()
        return find_python(self._given_python)

    def __enter__(self) -> "Examiner":
        return self

    def __exit__(self, exception_type: type[BaseException] | None, *_: object) -> None:
        if exception_type is not None:
            with stopped_children():
                self._threads.stop(_STOP_SECONDS)

    def describe_ahead(self) -> Future[Description]:
        """Start reading the interpreter's description in a thread; `examine` waits for it if it needs it."""
        if self._description is None:
            self._description = self._threads.submit(describe_interpreter, self.python)
        return self._description

    def examine(self, wanted: Iterable[type], watcher: Watcher | None = None) -> Examination:
        """Observe the requested facts; the watcher is called at the start and the end of each probe.

        Raises:
            InterpreterError: the interpreter cannot be examined.
        """
        wanted_facts = set(wanted)
        probe_run = _ProbeRun(watcher, wanted_facts)
        # A third party's probe may print, and standard output belongs to the report.
        with divert_output() if probe_run.probes is not PROBES else nullcontext():
            return self._observe(wanted_facts, probe_run)

    def _describe(self) -> Description:
        limit = find_limit() + 2 * DESCRIBE_SECONDS
        try:
            return _wait_for(self.describe_ahead(), time.monotonic() + limit)
        except TimeoutError:
            # Its thread is gone: where memory is short, one can end before it says so.
            raise InterpreterError(
                f"{self.python.executable}, {self.python.reason}, did not answer within {limit:.0f} s"
            ) from None

    def _observe(self, wanted_facts: set[type], probe_run: "_ProbeRun") -> Examination:
        probes = probe_run.probes
        facts = [fact for fact in probes if fact in wanted_facts]
        interpreter_facts = [fact for fact in facts if probes[fact].needs_interpreter]
        if interpreter_facts:
            self.describe_ahead()
        futures = {
            fact: self._threads.submit(probe_run.run_probe, fact, ())
            for fact in facts
            if not probes[fact].needs_interpreter
        }
        if interpreter_facts:
            examined = Examined(
                self.python.executable,
                probe_run.time_call("describe_interpreter", self._describe),
                runs_trials=self._runs_trials,
                uses_cuda=CudaTrial in interpreter_facts,
            )
            futures |= {
                fact: self._threads.submit(probe_run.run_probe, fact, (examined,))
                for fact in interpreter_facts
            }
        limit = find_limit()
        deadline = time.monotonic() + limit
        observed: dict[type, object] = {}
        for fact, future in futures.items():
            try:
                observed[fact] = _wait_for(future, deadline)
            except TimeoutError:
                observed[fact] = probe_run.give_up(fact, limit)
        return Examination(Facts(observed), probe_run.list_broken(), probe_run.seconds)


def find_limit() -> float:
    """Return how long probes may take, in seconds: the trials, which have their own limits, and a minute."""
    return 60 + 4 * read_time_limit()


def _wait_for(future: Future[T], deadline: float) -> T:
    """Wait for a result in short turns, between which Ctrl-C is seen.

    Raises:
        TimeoutError: there is none at the deadline, a time of the monotonic clock.
    """
    while not wait((future,), POLL_SECONDS).done:
        if time.monotonic() > deadline:
            raise TimeoutError
    return future.result()


class _ProbeRun:
    """One run of the probes: the probes that raised, the time of each probe, and the watchers."""

    def __init__(self, watcher: Watcher | None, wanted: Collection[type]) -> None:
        self._broken: list[Broken] = []
        self.probes: Mapping[type, Probe | PluginProbe] = PROBES
        if not set(wanted) <= {*PROBES, *SUBJECTS}:
            others = load_plugin_facts()
            self.probes = {**PROBES, **others.probes}
            self._broken += others.broken
        self._stopwatch = Stopwatch()
        self._watchers = [self._stopwatch.watch, *([watcher] if watcher else [])]

    @property
    def seconds(self) -> Mapping[str, float]:
        """The time that each probe took."""
        return self._stopwatch.seconds

    def list_broken(self) -> tuple[Broken, ...]:
        """Return the probes that raised, sorted by name."""
        return tuple(sorted(self._broken, key=lambda broken: broken.name))

    def give_up(self, fact: type, seconds: float) -> Absent:
        """Return that a probe hangs, and list it."""
        reason = f"it did not end within {seconds:.0f} s"
        self._broken.append(Broken(f"probe {subject_of(fact)}", reason))
        return Absent(f"{PROBE_FAILED}{reason}")

    def run_probe(self, fact: type, arguments: tuple[Examined, ...]) -> object:
        """Run a probe; if it raises, which is a bug in torchdoctor, only this fact is absent."""
        subject = subject_of(fact)
        try:
            observed = self.time_call(subject, lambda: self.probes[fact].load()(*arguments))
            if fact not in PROBES and not isinstance(observed, (fact, Absent)):
                raise TypeError(f"the probe returned a value of the type {type(observed).__name__}")
            return observed
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            reason = describe_exception(error)
            self._broken.append(Broken(f"probe {subject}", reason))
            return Absent(f"{PROBE_FAILED}{reason}")

    def time_call(self, subject: str, call: Callable[[], T]) -> T:
        """Call a function, and call the watchers before and after it; exceptions pass through."""
        for watch in self._watchers:
            watch(subject, True)
        try:
            return call()
        finally:
            for watch in self._watchers:
                watch(subject, False)
