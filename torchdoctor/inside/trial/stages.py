"""Go through the stages of a trial: load, build, pickle, sample, load with a worker, or measure.

Each stage is written down before it begins, so that a process that dies or hangs has said how far it got.
"""

from __future__ import annotations

import faulthandler
import json
import multiprocessing
import os
import sys
import time
import traceback
from multiprocessing.reduction import ForkingPickler

from ..answers import write_answer
from . import loading, pickles
from .kinds import name_type, read_message
from .places import find_raising_place
from .sharding import shares_samples
from .target import TargetError, build, load, read_length

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEFAULT_BATCH = 32
SAMPLES = 64
SAMPLING_SECONDS = 1.0
# An iterable dataset whose first sample takes longer is not read again to see how workers share it.
SHARING_SECONDS = 2.0
# A batch that takes longer is not loaded again to find the sample that fails.
SEARCHING_SECONDS = 5.0
# How a message shows that an exception is about a worker.
WORKER_SIGNS = ("in DataLoader worker process", "DataLoader timed out", "exited unexpectedly")


class Trial:
    """The answer so far, and where it is written."""

    def __init__(self, answer_file: str, request: dict[str, Any]) -> None:
        self.request = request
        # The folders whose files are not the user's: the standard library, and this code.
        library = [os.path.dirname(os.__file__), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
        self.answer: dict[str, Any] = {"stage": "load", "progress": 0, "library": library}
        self._file = answer_file
        self._stacks = open(request["stacks"], "w", encoding="utf-8")  # noqa: SIM115 (open to the end)

    def enter(self, stage: str, text: str = "") -> None:
        """Begin a stage: its time limit starts now."""
        self.update(stage=stage, doing=text, progress=self.answer["progress"] + 1)
        self._stacks.seek(0)
        self._stacks.truncate()
        faulthandler.dump_traceback_later(self.request["stage_seconds"], exit=False, file=self._stacks)

    def update(self, **values: object) -> None:
        """Add to the answer, and write it."""
        self.answer.update(values)
        write_answer(self._file, self.answer)

    def fail(self, error: BaseException) -> None:
        """Add what was raised."""
        self.update(
            outcome="raised",
            in_worker=is_of_worker(error),
            # A TargetError is the doctor's own, not the user's.
            exception_type=None if isinstance(error, TargetError) else type(error).__name__,
            message=read_message(error)[:20000],
            place=find_raising_place(error),
            exit_code=getattr(error, "exit_code", None),
            traceback="".join(traceback.format_exception(type(error), error, error.__traceback__))[-20000:],
        )


def main(answer_file: str, request: str) -> None:
    """Answer a request (JSON), however far the trial gets.

    The request has `mode` ("try" or "measure"), `target`, `arguments`, `stacks` (a file for the stack of a
    stage that hangs), `stage_seconds` and `worker_seconds`; "measure" has `limit`, `start_up_seconds` and
    `collate_lists` too.
    """
    # Only spawn exists on Windows; the user may still set a method.
    context: Any = multiprocessing.context._default_context
    context._default_context = multiprocessing.get_context("spawn")
    context._actual_context = None
    trial = Trial(answer_file, json.loads(request))
    try:
        run_stages(trial)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        trial.fail(error)
    else:
        trial.update(outcome="completed")
    faulthandler.cancel_dump_traceback_later()
    # Threads, atexit functions and destructors of the user's code may hang; the answer is there.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def run_stages(trial: Trial) -> None:
    """Go through the stages until one fails."""
    request = trial.request
    trial.enter("load", f"importing {request['target'].rpartition(':')[0]}")
    value = load(request["target"])
    trial.enter("torch", "importing torch")
    import torch.utils.data  # noqa: F401 (this child may; what follows imports parts of it)

    plan = build_dataset(trial, value)
    if request["mode"] == "measure":
        plan.collate = list if request["collate_lists"] else None
        measure(trial, plan)
    else:
        try_dataset(trial, plan)


def build_dataset(trial: Trial, value: object) -> loading.LoadPlan:
    """Build the dataset or loader, and describe it.

    Raises:
        TargetError: no loader can draw from it.
    """
    from torch.utils.data import DataLoader, IterableDataset

    trial.enter("build", "building the dataset")
    started = time.perf_counter()
    kind, source = build(value, trial.request["arguments"])
    is_loader = isinstance(source, DataLoader)
    dataset = source.dataset if is_loader else source
    is_iterable = isinstance(dataset, IterableDataset)
    plan = loading.LoadPlan(source, DEFAULT_BATCH, read_length(dataset))
    trial.update(
        kind=kind,
        type_name=name_type(dataset),
        is_loader=is_loader,
        is_iterable=is_iterable,
        has_worker_init_fn=is_loader and source.worker_init_fn is not None,
        batch_size=plan.batch_size,
        length=plan.length,
        build_seconds=time.perf_counter() - started,
    )
    if plan.length is None and not is_iterable and not is_loader:
        raise TargetError("no DataLoader can draw from it: no __len__ gives the number of samples")
    return plan


def try_dataset(trial: Trial, plan: loading.LoadPlan) -> None:
    """Pickle the dataset, take samples, and load with one worker where nothing forbids that."""
    trial.enter("pickle", "pickling it as for a worker")
    pickled, is_blocked = pickle_parts(trial, plan)
    dataset = plan.dataset
    if pickled is not None and not is_blocked:
        # A copy is what a worker sees; taking samples of the original could open files in it.
        trial.enter("unpickle", "reading the pickle back")
        dataset = ForkingPickler.loads(pickled)
    trial.enter("sample", "taking samples")
    take_samples(trial, plan, dataset)
    answer = trial.answer
    if not is_blocked and not answer["sample_on_device"] and not answer.get("sample_unpicklable"):
        run_worker(trial, plan)


def pickle_parts(trial: Trial, plan: loading.LoadPlan) -> tuple[bytes | None, bool]:
    """Pickle each part as for a worker; return the dataset's pickle while it is small, and if it is blocked.

    It is blocked where a part that workers are sent cannot be sent.
    """
    parts = [("dataset", plan.dataset, True)]
    loader = plan.loader
    if loader is not None:
        parts += [("collate_fn", loader.collate_fn, True), ("worker_init_fn", loader.worker_init_fn, True)]
        if not type(loader.sampler).__module__.startswith("torch.utils.data"):
            parts += [("sampler", loader.sampler, False)]
    answers: list[dict[str, Any]] = []
    pickled = None
    for name, value, is_sent in parts:
        if value is None:
            continue
        answer, data = pickles.examine(value, name)
        answer["sent"] = is_sent
        answers.append(answer)
        if name == "dataset":
            pickled = data
    trial.update(parts=answers)
    return pickled, any(each["sent"] and (each["unpicklable"] or each["on_device"]) for each in answers)


def take_samples(trial: Trial, plan: loading.LoadPlan, dataset: Any) -> None:
    """Take samples in this process: how long one takes, how large a batch is, and what is on a GPU.

    Raises:
        TargetError: the dataset is empty.
    """
    samples, times = draw_samples(trial, plan, dataset)
    if not samples:
        raise TargetError("the dataset is empty")
    # The first one opens files and warms caches.
    typical = times[1:] or times
    answer, _ = pickles.examine(samples[0], "sample")
    size = (answer["pickled_bytes"] or 0) + answer["shared_bytes"]
    trial.update(
        sample_seconds=sum(typical) / len(typical),
        batch_bytes=size * plan.samples_per_batch,
        sample_on_device=answer["on_device"],
    )
    if trial.answer["is_iterable"]:
        trial.update(shards_itself=shares_samples(plan.dataset) if times[0] < SHARING_SECONDS else None)
    if answer["on_device"]:
        return
    batch = samples[0] if plan.batch_size is None else collate_samples(trial, plan, samples, typical)
    if answer["unpicklable"]:
        # The collate_fn may have left it out: a worker sends batches.
        answer, _ = pickles.examine(batch, "sample" if plan.batch_size is None else "batch")
        trial.update(sample_unpicklable=answer["unpicklable"])


def draw_samples(trial: Trial, plan: loading.LoadPlan, dataset: Any) -> tuple[list[Any], list[float]]:
    """Return samples from all over the dataset, and the seconds that each took."""
    iterator = iter(dataset) if trial.answer["is_iterable"] else None
    length = SAMPLES if plan.length is None else plan.length
    samples: list[Any] = []
    times: list[float] = []
    begun = time.perf_counter()
    while len(samples) < min(length, SAMPLES) and time.perf_counter() - begun < SAMPLING_SECONDS:
        index = len(samples) * max(1, length // SAMPLES)
        # Not written each time: that would slow down what is measured.
        trial.answer["sample"] = index
        started = time.perf_counter()
        try:
            samples.append(next(iterator) if iterator is not None else dataset[index])
        except StopIteration:
            break
        times.append(time.perf_counter() - started)
    trial.update(sample=None)
    return samples, times


def collate_samples(trial: Trial, plan: loading.LoadPlan, samples: list[Any], typical: list[float]) -> Any:
    """Return a batch of the samples, and add its share to the time of a sample; a list where torch cannot."""
    from torch.utils.data import default_collate

    collate = plan.loader.collate_fn if plan.loader is not None else default_collate
    started = time.perf_counter()
    try:
        batch = collate(samples)
    except Exception as error:
        if plan.loader is not None:
            raise
        plan.collate = list
        message = " ".join(read_message(error).split())[:300]
        trial.update(collate_error=f"{type(error).__name__}: {message}")
        return samples
    share = (time.perf_counter() - started) / len(samples)
    trial.update(sample_seconds=sum(typical) / len(typical) + share)
    return batch


def run_worker(trial: Trial, plan: loading.LoadPlan) -> None:
    """Start one spawned worker and load from it."""
    trial.enter("worker", "starting one worker")
    try:
        measured = loading.run(plan, 1, trial.request["worker_seconds"], max_seconds=3.0)
    except Exception as error:
        if "Caught " in read_message(error):
            find_failing_sample(trial, plan)
        raise
    trial.update(
        worker={
            "start_up_seconds": measured["start_up_seconds"],
            "private_bytes": measured["private_bytes"],
            "samples": measured["samples"],
            "samples_per_second": measured["steady_samples_per_second"] if measured["is_steady"] else None,
        }
    )


def find_failing_sample(trial: Trial, plan: loading.LoadPlan) -> None:
    """Raise here what a sample of the batch that failed in the worker raises; return where none does."""
    if trial.answer["sample_seconds"] * plan.samples_per_batch > SEARCHING_SECONDS:
        return
    trial.enter("sample", "looking for the sample that failed")
    for index in plan.find_next_indices():
        trial.update(sample=index if isinstance(index, int) else None)
        plan.dataset[index]
    trial.enter("worker")
    trial.update(sample=None)


def measure(trial: Trial, plan: loading.LoadPlan) -> None:
    """Try worker counts and add each measurement."""
    done: list[loading.Measured] = []

    def measure_one(count: int) -> loading.Measured:
        trial.enter("measure", f"trying {count} worker{'' if count == 1 else 's'}")
        done.append(loading.run(plan, count, trial.request["worker_seconds"]))
        trial.update(measurements=done)
        return done[-1]

    _, stopped = loading.search(trial.request["limit"], measure_one, trial.request["start_up_seconds"])
    trial.update(stopped=stopped)


def is_of_worker(error: BaseException) -> bool:
    """Return whether an exception is about something in a worker."""
    text = read_message(error)
    return isinstance(error, loading.WorkerEnded) or any(sign in text for sign in WORKER_SIGNS)
