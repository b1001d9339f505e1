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
from torchdoctor.probes.inside_kinds import name_type
from torchdoctor.probes.inside_places import find_raising_place
from torchdoctor.probes.inside_target import TargetError, build, load, mentions_sharding, read_length

DEFAULT_BATCH = 32
SAMPLES = 64
SAMPLING_SECONDS = 1.0


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
            exception_type=type(error).__name__,
            message=str(error)[:20000],
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
    from torch.utils.data import IterableDataset, default_collate  # noqa: TID251 (this child may)

    iterator = iter(dataset) if isinstance(dataset, IterableDataset) else None
    length = plan.length or SAMPLES
    samples, times = [], []
    begun = time.perf_counter()
    while len(samples) < min(length, SAMPLES) and time.perf_counter() - begun < SAMPLING_SECONDS:
        started = time.perf_counter()
        try:
            index = len(samples) * max(1, length // SAMPLES)
            samples.append(next(iterator) if iterator is not None else dataset[index])
        except StopIteration:
            break
        times.append(time.perf_counter() - started)
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
    if answer["on_device"] or plan.batch_size is None:
        return
    collate = plan.loader.collate_fn if plan.loader is not None else default_collate
    started = time.perf_counter()
    try:
        collate(samples)
    except Exception as error:
        if plan.loader is not None:
            raise
        plan.collate = list
        trial.record(
            collate_error="%s: %s" % (type(error).__name__, " ".join(str(error).split())[:300]),
        )
        return
    share = (time.perf_counter() - started) / len(samples)
    trial.record(sample_seconds=sum(typical) / len(typical) + share)


def run_worker(trial, plan):
    """Start one spawned worker and load from it."""
    trial.enter("worker", "starting one worker")
    found = inside_loading.run(plan, 1, trial.request["worker_seconds"], most_seconds=3.0)
    trial.record(
        worker={
            "start_up_seconds": found["start_up_seconds"],
            "private_bytes": found["private_bytes"],
            "samples": found["samples"],
            "samples_per_second": found["steady_samples_per_second"] if found["is_steady"] else None,
        }
    )


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
        shards_itself=mentions_sharding(dataset) if is_iterable else None,
    )
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
    if not blocked and not result["sample_on_device"]:
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
    text = str(error)
    return isinstance(error, inside_loading.WorkerEnded) or any(
        sign in text
        for sign in ("in DataLoader worker process", "DataLoader timed out", "exited unexpectedly")
    )
