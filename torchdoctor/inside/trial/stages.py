"""Runs the stages of a trial: load, build, pickle, sample, and load with a worker or measure.

Each stage is written before it begins, so that the answer of a process that dies or hangs names the stage.
"""

from __future__ import annotations

import faulthandler
import json
import multiprocessing
import os
import sys
import time
from multiprocessing.reduction import ForkingPickler

from ..answers import read_message, write_answer
from ..cutting import cut_end
from ..limits import PIPE_LIMIT_BYTES
from ..tracebacks import format_traceback
from . import loading, pickles
from .kinds import name_type
from .places import find_raising_place
from .sharding import shares_samples
from .target import TargetError, build, load, read_length

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEFAULT_BATCH = 32
SAMPLES = 64
SAMPLING_SECONDS = 1.0
# An iterable dataset is read again to find out how workers share it, unless its first sample takes this long.
SHARING_SECONDS = 2.0
# A batch is loaded again to find the sample that fails, unless it takes longer than this.
SEARCHING_SECONDS = 5.0
# Parts of messages of exceptions that were raised in, or are about, a worker.
WORKER_SIGNS = ("in DataLoader worker process", "DataLoader timed out", "exited unexpectedly")


class Trial:
    """The answer so far, and the file it is written to."""

    def __init__(self, answer_file: str, request: dict[str, Any]) -> None:
        self.request = request
        # The folders of the standard library and of this code, whose files are not the user's.
        library = [os.path.dirname(os.__file__), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
        self.answer: dict[str, Any] = {"stage": "load", "progress": 0, "library": library}
        self._file = answer_file
        self._stacks = open(request["stacks"], "w", encoding="utf-8")  # noqa: SIM115 (it stays open)

    def enter(self, stage: str, text: str = "") -> None:
        """Begin a stage, and start its time limit."""
        self.update(stage=stage, doing=text, progress=self.answer["progress"] + 1)
        self._stacks.seek(0)
        self._stacks.truncate()
        faulthandler.dump_traceback_later(self.request["stage_seconds"], exit=False, file=self._stacks)

    def update(self, **values: object) -> None:
        """Add values to the answer, and write it."""
        self.answer.update(values)
        write_answer(self._file, self.answer)

    def fail(self, error: BaseException) -> None:
        """Add an exception to the answer."""
        self.update(
            outcome="raised",
            in_worker=is_about_worker(error),
            # A TargetError is raised by this code, not by the user's.
            exception_type=None if isinstance(error, TargetError) else type(error).__name__,
            message=read_message(error)[:20000],
            place=find_raising_place(error),
            exit_code=getattr(error, "exit_code", None),
            traceback=format_traceback(error),
        )


def main(answer_file: str, request: str) -> None:
    """Run the trial of a request (JSON), and write its answer even if a stage fails.

    The request has `mode` ("try" or "measure"), `target`, `arguments`, `stacks` (a file for the stack of a
    stage that hangs), `stage_seconds` and `worker_seconds`. With "measure", it also has `limit`,
    `start_up_seconds` and `collate_lists`.
    """
    # Windows has only spawn. The user's code can still set a start method.
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
    # The answer is complete, and threads, atexit functions and destructors of the user's code may hang.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def run_stages(trial: Trial) -> None:
    """Run the stages of a request; an exception ends the trial."""
    request = trial.request
    trial.enter("load", f"importing {request['target'].rpartition(':')[0]}")
    value = load(request["target"])
    trial.enter("torch", "importing torch")
    import torch.utils.data  # noqa: F401 (a child may import torch; the next stages use it)

    plan = build_dataset(trial, value)
    if request["mode"] == "measure":
        plan.collate = list if request["collate_lists"] else None
        measure(trial, plan)
    else:
        try_dataset(trial, plan)


def build_dataset(trial: Trial, value: object) -> loading.LoadPlan:
    """Build the dataset or loader, and add its properties to the answer.

    Raises:
        TargetError: no DataLoader can load from it.
    """
    from torch.utils.data import DataLoader, IterableDataset

    trial.enter("build", "building the dataset")
    start_time = time.perf_counter()
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
        build_seconds=time.perf_counter() - start_time,
    )
    if plan.length is None and not is_iterable and not is_loader:
        raise TargetError("no DataLoader can draw from it: no __len__ gives the number of samples")
    return plan


def try_dataset(trial: Trial, plan: loading.LoadPlan) -> None:
    """Pickle the dataset, take samples, and load with one worker unless that is known to fail."""
    trial.enter("pickle", "pickling it as for a worker")
    pickled_dataset, is_blocked = pickle_parts(trial, plan)
    dataset = plan.dataset
    if pickled_dataset is not None and not is_blocked:
        # A worker gets a copy. Taking samples from the original could open files in it.
        trial.enter("unpickle", "reading the pickle back")
        dataset = ForkingPickler.loads(pickled_dataset)
    trial.enter("sample", "taking samples")
    take_samples(trial, plan, dataset)
    answer = trial.answer
    if not is_blocked and not answer["sample_on_device"] and not answer.get("sample_unpicklable"):
        run_worker(trial, plan)


def pickle_parts(trial: Trial, plan: loading.LoadPlan) -> tuple[bytes | None, bool]:
    """Pickle each part as for a worker; return the dataset's pickle, and whether a worker cannot be started.

    The pickle is None if it is too large or pickling fails.
    """
    parts = [("dataset", plan.dataset, True)]
    loader = plan.loader
    if loader is not None:
        parts += [("collate_fn", loader.collate_fn, True), ("worker_init_fn", loader.worker_init_fn, True)]
        if not type(loader.sampler).__module__.startswith("torch.utils.data"):
            parts += [("sampler", loader.sampler, False)]
    answers: list[dict[str, Any]] = []
    pickled_dataset = None
    for name, value, is_sent in parts:
        if value is None:
            continue
        answer, data = pickles.examine(value, name)
        answer["sent"] = is_sent
        answers.append(answer)
        if name == "dataset":
            pickled_dataset = data
    trial.update(parts=answers)
    sent_parts = [part for part in answers if part["sent"]]
    is_blocked = any(part["unpicklable"] or part["on_device"] for part in sent_parts)
    # On Windows, sending it fails; elsewhere, it would take long and as much memory again.
    is_blocked |= sum(part["pickled_bytes"] or 0 for part in sent_parts) >= PIPE_LIMIT_BYTES
    return pickled_dataset, is_blocked


def take_samples(trial: Trial, plan: loading.LoadPlan, dataset: Any) -> None:
    """Take samples in this process; add their time, the size of a batch and values on a GPU to the answer.

    Raises:
        TargetError: the dataset is empty.
    """
    samples, sample_seconds = draw_samples(trial, plan, dataset)
    if not samples:
        raise TargetError("the dataset is empty")
    # The first sample takes longer, because it opens files and fills caches.
    typical_seconds = sample_seconds[1:] or sample_seconds
    answer, _ = pickles.examine(samples[0], "sample")
    size = (answer["pickled_bytes"] or 0) + answer["shared_bytes"]
    trial.update(
        sample_seconds=sum(typical_seconds) / len(typical_seconds),
        batch_bytes=size * plan.samples_per_batch,
        sample_on_device=answer["on_device"],
    )
    if trial.answer["is_iterable"]:
        is_fast = sample_seconds[0] < SHARING_SECONDS
        trial.update(shards_itself=shares_samples(plan.dataset) if is_fast else None)
    if answer["on_device"]:
        return
    is_batched = plan.batch_size is not None
    batch = collate_samples(trial, plan, samples, typical_seconds) if is_batched else samples[0]
    if answer["unpicklable"]:
        # A worker sends batches, and the collate_fn may leave out what cannot be pickled.
        answer, _ = pickles.examine(batch, "batch" if is_batched else "sample")
        trial.update(sample_unpicklable=answer["unpicklable"])


def draw_samples(trial: Trial, plan: loading.LoadPlan, dataset: Any) -> tuple[list[Any], list[float]]:
    """Return samples from the whole length of the dataset, and the seconds that each took."""
    iterator = iter(dataset) if trial.answer["is_iterable"] else None
    length = SAMPLES if plan.length is None else plan.length
    samples: list[Any] = []
    sample_seconds: list[float] = []
    first_start = time.perf_counter()
    while len(samples) < min(length, SAMPLES) and time.perf_counter() - first_start < SAMPLING_SECONDS:
        index = len(samples) * max(1, length // SAMPLES)
        # Not written to the file each time: that would slow down the measurement.
        trial.answer["sample"] = index
        start_time = time.perf_counter()
        try:
            samples.append(next(iterator) if iterator is not None else dataset[index])
        except StopIteration:
            if iterator is None:
                raise
            break
        sample_seconds.append(time.perf_counter() - start_time)
    trial.update(sample=None)
    return samples, sample_seconds


def collate_samples(
    trial: Trial, plan: loading.LoadPlan, samples: list[Any], sample_seconds: list[float]
) -> Any:
    """Return a batch of the samples, and add the time of collating to the time of a sample.

    The batch is the list of samples if torch's default collate_fn fails.
    """
    from torch.utils.data import default_collate

    collate = plan.loader.collate_fn if plan.loader is not None else default_collate
    start_time = time.perf_counter()
    try:
        batch = collate(samples)
    except Exception as error:
        if plan.loader is not None:
            raise
        plan.collate = list
        message = cut_end(" ".join(read_message(error).split()), 300)
        trial.update(collate_error=f"{type(error).__name__}: {message}")
        return samples
    collate_seconds = (time.perf_counter() - start_time) / len(samples)
    trial.update(sample_seconds=sum(sample_seconds) / len(sample_seconds) + collate_seconds)
    return batch


def run_worker(trial: Trial, plan: loading.LoadPlan) -> None:
    """Load with one spawned worker, and add its measurement to the answer."""
    trial.enter("worker", "starting one worker")
    try:
        result = loading.run(plan, 1, trial.request["worker_seconds"], max_seconds=3.0)
    except Exception as error:
        if "Caught " in read_message(error):
            find_failing_sample(trial, plan)
        raise
    trial.update(
        worker={
            "start_up_seconds": result["start_up_seconds"],
            "private_bytes": result["private_bytes"],
            "samples": result["samples"],
            "samples_per_second": result["steady_samples_per_second"] if result["is_steady"] else None,
        }
    )


def find_failing_sample(trial: Trial, plan: loading.LoadPlan) -> None:
    """Load each sample of the batch that failed in the worker, so that the failing sample raises here."""
    if trial.answer["sample_seconds"] * plan.samples_per_batch > SEARCHING_SECONDS:
        return
    trial.enter("sample", "looking for the sample that failed")
    for index in plan.find_next_indices():
        trial.update(sample=index if isinstance(index, int) else None)
        plan.dataset[index]
    trial.enter("worker")
    trial.update(sample=None)


def measure(trial: Trial, plan: loading.LoadPlan) -> None:
    """Measure worker counts, and add each measurement to the answer."""
    measurements: list[loading.Measurement] = []

    def measure_one(count: int) -> loading.Measurement:
        trial.enter("measure", f"trying {count} worker{'' if count == 1 else 's'}")
        measurements.append(loading.run(plan, count, trial.request["worker_seconds"]))
        trial.update(measurements=measurements)
        return measurements[-1]

    _, stop_reason = loading.search(trial.request["limit"], measure_one, trial.request["start_up_seconds"])
    trial.update(stopped=stop_reason)


def is_about_worker(error: BaseException) -> bool:
    """Return whether an exception was raised in, or is about, a worker."""
    text = read_message(error)
    return isinstance(error, loading.WorkerEnded) or any(sign in text for sign in WORKER_SIGNS)
