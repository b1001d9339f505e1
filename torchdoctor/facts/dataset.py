"""Facts about a dataset: what came of building it, sending it to a worker and loading from it."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent

_NOT_REACHED = Absent("the trial did not get that far")


@record
class Member:
    """Something inside what a worker is sent, or inside a sample, that does not belong there.

    `path` leads to it (`dataset.transform.transforms[2].lambd`), `kind` names it ("lambda", "open
    file", "CUDA tensor"), `defined` is the place where it was made or assigned ("augment.py:41").
    """

    path: str
    kind: str
    detail: str
    defined: str | None = None


@record
class HeavyMember:
    """A member that makes up much of a large pickle."""

    path: str
    kind: str
    pickled_bytes: int


@record
class Part:
    """One of the objects that a loader is made of: dataset, collate_fn, worker_init_fn, sampler.

    `sent` tells whether workers get it: a sampler stays in the training process. `pickled_bytes` is
    what goes through the pipe, `shared_bytes` what tensors put into shared memory instead; the
    former is absent where it cannot be pickled.
    """

    name: str
    type_name: str
    sent: bool
    pickled_bytes: int | Absent
    shared_bytes: int
    unpicklable: tuple[Member, ...] = ()
    on_device: tuple[Member, ...] = ()
    heavy: tuple[HeavyMember, ...] = ()


@record
class Failure:
    """What went wrong in the trial, at which stage.

    `stage` is "load", "torch", "build", "pickle", "sample", "worker" or "measure". `outcome` is
    "raised", "died" (the process ended without an answer) or "hung" (ended at `time_limit_seconds`).
    `place` is the line of the user's code that it came from or waited in. `in_worker` tells whether
    it was the worker process or the one that started it. `sample` is the index that was asked for.
    """

    stage: str
    outcome: str
    in_worker: bool = False
    exception_type: str | None = None
    message: str = ""
    place: str | None = None
    exit_code: int | None = None
    exit_meaning: str | None = None
    time_limit_seconds: float | None = None
    traceback: str | None = None
    sample: int | None = None

    @property
    def is_missing_guard(self) -> bool:
        """Tell whether importing the file started processes: its main guard is missing."""
        return "finished its bootstrapping phase" in " ".join(self.message.split())


@record
class WorkerRun:
    """One spawned worker that really ran: from the start to its first batch, and then on."""

    start_up_seconds: float
    private_bytes: int | Absent
    samples: int
    samples_per_second: float | Absent


@record
class Measurement:
    """A number of workers that was tried.

    `epoch_seconds` is for the whole length of the dataset, start-up included, `projected` when only a
    part was loaded. `samples_per_second` is over that epoch, `steady_samples_per_second` after the start.
    """

    workers: int
    start_up_seconds: float
    epoch_seconds: float
    samples_per_second: float
    steady_samples_per_second: float
    projected: bool
    private_bytes: int | Absent


@record
class DatasetTrial:
    """What came of loading from a dataset as a spawned worker does, in a child of the interpreter.

    `kind` is "class", "factory" or "object"; `is_loader` tells that it gave a DataLoader. `length` is
    in samples, None for one that has no length. `shards_itself` tells whether workers would share the samples
    of an iterable dataset, None where that is not known. `sample_unpicklable` cannot come out of a worker.
    `sample_seconds` is what one sample takes in the training process, its share of collating included.
    `collate_error` is why torch's default collate_fn cannot make a batch of the samples.
    `measurements` are in the order in which they were made, of a dataset of `measured_length` samples.
    """

    subject: ClassVar[str] = "dataset_trial"
    target: str
    arguments: tuple[str, ...]
    seconds: float
    failure: Failure | None
    kind: str | Absent = _NOT_REACHED
    type_name: str | Absent = _NOT_REACHED
    is_loader: bool = False
    is_iterable: bool = False
    shards_itself: bool | None = None
    has_worker_init_fn: bool = False
    batch_size: int | None = None
    length: int | Absent = _NOT_REACHED
    build_seconds: float | Absent = _NOT_REACHED
    parts: tuple[Part, ...] = ()
    sample_seconds: float | Absent = _NOT_REACHED
    batch_bytes: int | Absent = _NOT_REACHED
    sample_on_device: tuple[Member, ...] = ()
    sample_unpicklable: tuple[Member, ...] = ()
    collate_error: str | None = None
    worker: WorkerRun | None = None
    measurements: tuple[Measurement, ...] = ()
    measured_length: int | None = None
    stopped: str | None = None
    output_tail: str = ""

    @property
    def unpicklable(self) -> tuple[Member, ...]:
        """Everything that keeps a worker from being started."""
        return tuple(member for part in self.parts if part.sent for member in part.unpicklable)

    @property
    def on_device(self) -> tuple[Member, ...]:
        """Everything on a GPU in what a worker is sent."""
        return tuple(member for part in self.parts if part.sent for member in part.on_device)

    @property
    def pickled_bytes(self) -> int:
        """What each worker is sent through its pipe, in bytes, as far as it can be pickled."""
        sizes = [part.pickled_bytes for part in self.parts if part.sent]
        return sum(size for size in sizes if not isinstance(size, Absent))
