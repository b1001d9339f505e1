"""Facts about a dataset: the results of building it, sending it to a worker and loading from it."""

from typing import ClassVar

from torchdoctor.core.record import record
from torchdoctor.facts.values import Absent

_NOT_REACHED = Absent("the trial did not get that far")


@record
class Member:
    """An object that must not be in what a worker is sent, or in a sample.

    `path` leads to it (`dataset.transform.transforms[2].lambd`). `kind` is what it is ("lambda", "open
    file", "CUDA tensor"). `defined` is the line where it was made or assigned ("augment.py:41").
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

    `sent` is True if workers get it; a sampler stays in the training process. `pickled_bytes` go through
    the pipe, and are absent if it cannot be pickled. `shared_bytes` are the data of tensors, which go
    through shared memory instead.
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
    """A failure of the trial.

    `stage` is "load", "torch", "build", "pickle", "sample", "worker" or "measure". `outcome` is
    "raised", "died" (the process ended without an answer) or "hung" (killed at `time_limit_seconds`).
    `place` is the line of the user's code that raised or was waiting. `in_worker` is True if it failed in
    the worker, False if in the process that started it. `sample` is the index of the requested sample.
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
        """Whether importing the file started processes, because it has no main guard."""
        return "finished its bootstrapping phase" in " ".join(self.message.split())


@record
class WorkerRun:
    """A spawned worker that ran: the time from its start to its first batch, and its speed after that."""

    start_up_seconds: float
    private_bytes: int | Absent
    samples: int
    samples_per_second: float | Absent


@record
class Measurement:
    """The speed of loading with a number of workers.

    `epoch_seconds` is the time for the whole dataset, start-up included; it is `projected` if only a part was
    loaded. `samples_per_second` is the rate over that epoch, `steady_samples_per_second` the rate after
    start-up.
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
    """The result of loading from a dataset as a spawned worker does, in a child of the interpreter.

    `kind` is what the target is: "class", "factory" or "object". `is_loader` is True if it results in a
    DataLoader. `length` is in samples, absent if the dataset has no length. `shards_itself` is whether
    workers would divide the samples of an iterable dataset among themselves, None if unknown.
    `sample_seconds` is the time for one sample in the training process, with its share of collating.
    `sample_unpicklable` are the objects that keep a worker from sending a sample back. `collate_error` is
    why torch's default collate_fn cannot make a batch of the samples. `measurements` are in the order in
    which they were made, of a dataset of `measured_length` samples; `stopped` is why no more were made.
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
        """The objects that prevent a worker from being started."""
        return tuple(member for part in self.parts if part.sent for member in part.unpicklable)

    @property
    def on_device(self) -> tuple[Member, ...]:
        """The objects on a GPU in what a worker is sent."""
        return tuple(member for part in self.parts if part.sent for member in part.on_device)

    @property
    def pickled_bytes(self) -> int:
        """The bytes that each worker is sent through its pipe, without parts that cannot be pickled."""
        sizes = [part.pickled_bytes for part in self.parts if part.sent]
        return sum(size for size in sizes if not isinstance(size, Absent))
