"""Runs in the examined interpreter: builds a dataset, pickles it, and loads from it as a spawned worker does.

Standard library only, Python 3.8 syntax; the user's own code and torch are what it tries. Each stage is
recorded before it begins, so that a process that dies or hangs has told where.
"""

import faulthandler
import json
import multiprocessing
import os
import sys
import time
import traceback

from torchdoctor.probes import inside_loading, inside_pickling
from torchdoctor.probes.inside_kinds import name_type, read_message
from torchdoctor.probes.inside_places import find_raising_place
from torchdoctor.probes.inside_sharding import shares_out
from torchdoctor.probes.inside_target import TargetError, build, load, read_length

DEFAULT_BATCH = 32
SAMPLES = 64
SAMPLING_SECONDS = 1.0
# An iterable dataset whose first sample takes longer is not read again to see how workers share it.
SHARING_SECONDS = 2.0
# A batch that takes longer is not loaded again to find the sample that fails.
SEARCHING_SECONDS = 5.0


class Trial:
    """The answer so far, and where it is written."""

    def __init__(self, request):
        self.request = request
        self.result = {"stage": "load", "progress": 0, "library": os.path.dirname(os.__file__)}
        self.stacks = open(request["stacks"], "w", encoding="utf-8")  # noqa: SIM115 (open to the end)

    def enter(self, stage, text=""):
        """Begin a stage: from now on its time limit runs."""
        self.result.update(stage=stage, doing=text, progress=self.result["progress"] + 1)
        self.record()
        self.stacks.seek(0)
        self.stacks.truncate()
        faulthandler.dump_traceback_later(self.request["stage_seconds"], exit=False, file=self.stacks)

    def record(self, **values):
        """Write the answer so far."""
        self.result.update(values)
        with open(self.request["result"], "w", encoding="utf-8") as file:
            json.dump(self.result, file)

    def fail(self, error, in_worker=False):
        """Record what was raised."""
        self.record(
            outcome="raised",
            in_worker=in_worker,
            # The words of the doctor are no exception of the user's.
            exception_type=None if isinstance(error, TargetError) else type(error).__name__,
            message=read_message(error)[:20000],
            place=find_raising_place(error),
            exit_code=getattr(error, "exit_code", None),
            traceback="".join(traceback.format_exception(type(error), error, error.__traceback__))[-20000:],
        )


def pickle_parts(trial, plan):
    """Pickle each part as for a worker; give the pickle of the dataset while it is small."""
    given = plan.loader
    parts = [("dataset", plan.dataset, True)]
    if given is not None:
        parts += [("collate_fn", given.collate_fn, True), ("worker_init_fn", given.worker_init_fn, True)]
        if not type(given.sampler).__module__.startswith("torch.utils.data"):
            parts += [("sampler", given.sampler, False)]
    answers, kept = [], None
    for name, value, sent in parts:
        if value is None:
            continue
        answer, data = inside_pickling.examine(value, name)
        answer["sent"] = sent
        answers.append(answer)
        if name == "dataset":
            kept = data
    trial.record(parts=answers)
    return kept, [answer for answer in answers if answer["sent"]]


def take_samples(trial, plan, dataset):
    """Take samples in this process; tell how long one takes, how large a batch is, and what is on a GPU."""
    from torch.utils.data import IterableDataset  # noqa: TID251 (this child may)

    is_iterable = isinstance(dataset, IterableDataset)
    iterator = iter(dataset) if is_iterable else None
    length = SAMPLES if plan.length is None else plan.length
    samples, times = [], []
    begun = time.perf_counter()
    while len(samples) < min(length, SAMPLES) and time.perf_counter() - begun < SAMPLING_SECONDS:
        index = len(samples) * max(1, length // SAMPLES)
        # Not written down each time: that would slow down what is measured.
        trial.result["sample"] = index
        started = time.perf_counter()
        try:
            samples.append(next(iterator) if iterator is not None else dataset[index])
        except StopIteration:
            break
        times.append(time.perf_counter() - started)
    trial.record(sample=None)
    if not samples:
        raise TargetError("the dataset is empty")
    # The first one opens files and warms caches.
    typical = times[1:] or times
    answer, _ = inside_pickling.examine(samples[0], "sample")
    size = (answer["pickled_bytes"] or 0) + answer["shared_bytes"]
    trial.record(
        sample_seconds=sum(typical) / len(typical),
        batch_bytes=size * plan.samples_a_batch,
        sample_on_device=answer["on_device"],
    )
    if is_iterable:
        trial.record(shards_itself=shares_out(plan.dataset) if times[0] < SHARING_SECONDS else None)
    if answer["on_device"]:
        return
    came = samples[0] if plan.batch_size is None else collate_samples(trial, plan, samples, typical)
    if answer["unpicklable"]:
        # The collate_fn may have left it out: a worker sends batches.
        answer, _ = inside_pickling.examine(came, "sample" if plan.batch_size is None else "batch")
        trial.record(sample_unpicklable=answer["unpicklable"])


def collate_samples(trial, plan, samples, typical):
    """Make a batch, and tell how long a sample takes with its share of that; where torch cannot, a list."""
    from torch.utils.data import default_collate  # noqa: TID251 (this child may)

    collate = plan.loader.collate_fn if plan.loader is not None else default_collate
    started = time.perf_counter()
    try:
        batch = collate(samples)
    except Exception as error:
        if plan.loader is not None:
            raise
        plan.collate = list
        trial.record(
            collate_error="%s: %s" % (type(error).__name__, " ".join(read_message(error).split())[:300]),
        )
        return samples
    share = (time.perf_counter() - started) / len(samples)
    trial.record(sample_seconds=sum(typical) / len(typical) + share)
    return batch


def run_worker(trial, plan):
    """Start one spawned worker and load from it."""
    trial.enter("worker", "starting one worker")
    try:
        found = inside_loading.run(plan, 1, trial.request["worker_seconds"], most_seconds=3.0)
    except Exception as error:
        if "Caught " in read_message(error):
            find_failing_sample(trial, plan)
        raise
    trial.record(
        worker={
            "start_up_seconds": found["start_up_seconds"],
            "private_bytes": found["private_bytes"],
            "samples": found["samples"],
            "samples_per_second": found["steady_samples_per_second"] if found["is_steady"] else None,
        }
    )


def find_failing_sample(trial, plan):
    """Raise here what a sample of the batch raises that failed in the worker; return where none does."""
    if trial.result["sample_seconds"] * plan.samples_a_batch > SEARCHING_SECONDS:
        return
    trial.enter("sample", "looking for the sample that failed")
    for index in plan.find_next_indices():
        trial.record(sample=index if isinstance(index, int) else None)
        plan.dataset[index]
    trial.enter("worker")
    trial.record(sample=None)


def measure(trial, plan):
    """Try worker counts and record each."""
    done = []

    def measure_one(count):
        trial.enter("measure", "trying %d worker%s" % (count, "" if count == 1 else "s"))
        done.append(inside_loading.run(plan, count, trial.request["worker_seconds"]))
        trial.record(measurements=done)
        return done[-1]

    _, stopped = inside_loading.search(trial.request["limit"], measure_one, trial.request["start_up_seconds"])
    trial.record(stopped=stopped)


def run_stages(trial):
    """Go through the stages until one fails."""
    request, result = trial.request, trial.result
    trial.enter("load", "importing %s" % request["target"].rpartition(":")[0])
    value = load(request["target"])
    trial.enter("torch", "importing torch")
    import torch.utils.data as data  # noqa: TID251 (this child may)

    trial.enter("build", "building the dataset")
    started = time.perf_counter()
    kind, source = build(value, request["arguments"])
    is_loader = isinstance(source, data.DataLoader)
    dataset = source.dataset if is_loader else source
    is_iterable = isinstance(dataset, data.IterableDataset)
    plan = inside_loading.Plan(source, DEFAULT_BATCH, read_length(dataset), None)
    trial.record(
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
    if request["mode"] == "measure":
        plan.collate = list if request["collate_lists"] else None
        measure(trial, plan)
        return
    trial.enter("pickle", "pickling it as for a worker")
    kept, answers = pickle_parts(trial, plan)
    blocked = any(answer["unpicklable"] or answer["on_device"] for answer in answers)
    if kept is None or blocked:
        sample(trial, plan, dataset)
    else:
        # A copy is what a worker sees; taking samples of the original could open files in it.
        trial.enter("unpickle", "reading the pickle back")
        sample(trial, plan, multiprocessing.reduction.ForkingPickler.loads(kept))
    if not blocked and not result["sample_on_device"] and not result.get("sample_unpicklable"):
        run_worker(trial, plan)


def sample(trial, plan, dataset):
    """Take samples in this process."""
    trial.enter("sample", "taking samples")
    take_samples(trial, plan, dataset)


def main(request):
    """Answer one request; its result file has the answer, however far it came."""
    # Only spawn exists on Windows; the user may still set a method.
    context = multiprocessing.context._default_context
    context._default_context = multiprocessing.get_context("spawn")
    context._actual_context = None
    trial = Trial(request)
    try:
        run_stages(trial)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        trial.fail(error, in_worker=is_of_worker(error))
    else:
        trial.record(outcome="completed")
    faulthandler.cancel_dump_traceback_later()
    # Threads, atexit functions and destructors of the user's code may hang; the answer is there.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def is_of_worker(error):
    """Tell whether an exception reports what happened in a worker."""
    text = read_message(error)
    return isinstance(error, inside_loading.WorkerEnded) or any(
        sign in text
        for sign in ("in DataLoader worker process", "DataLoader timed out", "exited unexpectedly")
    )
