"""The plan for facts is the whole text in plans.txt: every setting, bound, reason and what is not known."""

from dataclasses import replace
from pathlib import Path

import pytest

from torchdoctor.check import Bound
from torchdoctor.facts import (
    Absent,
    DatasetTrial,
    Facts,
    Failure,
    Interpreter,
    Measurement,
    Member,
    Memory,
    OperatingSystem,
    Part,
    Processor,
    TorchImportTrial,
    TorchInstall,
    WorkerRun,
)
from torchdoctor.loader.plan import LoaderPlan, find_safe_workers, make_plan

GIB, MIB = 1 << 30, 1 << 20
NONE = Absent("-")
REFUSED = Absent("the call was refused")
WINDOWS = OperatingSystem("windows", "11", "x64", 22631)
LINUX = OperatingSystem("linux", "6", "x64")
CORES = Processor(16, 8)
MEMORY = Memory(32 * GIB, 16 * GIB, 64 * GIB, 10 * GIB, NONE, 54 * GIB, ())
IMPORTED = TorchImportTrial("imported", 3.0, 60.0, exit_code=0, private_bytes_after=900 * MIB)
RAISED = TorchImportTrial("raised", 2.0, 60.0, exit_code=1)
MACHINE = (WINDOWS, CORES, MEMORY, IMPORTED)
CUDA = TorchInstall("2.8.0+cu128", "torch", None, cuda="12.8")
CPU = TorchInstall("2.8.0+cpu", "torch", None)
ON_GPU = Member("sample", "CUDA tensor", "cuda:0")
DATASET = DatasetTrial(
    "data.py:Images", (), 9.0, None, "class", "Images", batch_size=32, length=100_000, build_seconds=0.1,
    parts=(Part("dataset", "Images", True, 100 * MIB, 0),), sample_seconds=0.036, batch_bytes=10 * MIB,
    worker=WorkerRun(4.0, 1000 * MIB, 320, 25.0),
)  # fmt: skip
NOT_MEASURED = replace(DATASET, worker=None)
BROKEN = replace(NOT_MEASURED, length=REFUSED, failure=Failure("sample", "raised", message="cut off"))
EXPECTED = (Path(__file__).parent / "plans.txt").read_text(encoding="utf-8")


def _with_room(commit_bytes: int, free_bytes: int) -> Memory:
    """Return a memory with this much commit and memory to spare."""
    return Memory(10 * GIB, GIB + free_bytes, 10 * GIB, 9 * GIB - commit_bytes, NONE, NONE, ())


def _measure(*rows: tuple[int, float], **values: object) -> DatasetTrial:
    rates = [Measurement(workers, 4.0, seconds, 9.0, 9.0, False, NONE) for workers, seconds in rows]
    return replace(DATASET, measurements=tuple(rates), **values)


def _slow(start_up_seconds: float, **values: object) -> DatasetTrial:
    return replace(DATASET, worker=WorkerRun(start_up_seconds, 1000 * MIB, 320, 25.0), **values)


PLANS: dict[str, tuple[object, ...]] = {
    "nothing is known": (),
    "a CUDA build": (*MACHINE, CUDA),
    "a CPU build": (*MACHINE, CPU),
    "physical cores not known": (WINDOWS, Processor(7, REFUSED), MEMORY, IMPORTED),
    "one logical core": (WINDOWS, Processor(1, REFUSED), MEMORY, IMPORTED),
    "cores not known": (WINDOWS, MEMORY, IMPORTED),
    "memory not known": (WINDOWS, CORES, IMPORTED),
    "memory not known on Linux": (LINUX, CORES, IMPORTED),
    "commit not known": (WINDOWS, CORES, replace(MEMORY, commit_limit_bytes=REFUSED), IMPORTED),
    "room for four processes": (WINDOWS, CORES, _with_room(3600 * MIB, 4500 * MIB), IMPORTED),
    "one byte less": (WINDOWS, CORES, _with_room(3600 * MIB - 1, 4500 * MIB - 1), IMPORTED),
    "room for two processes": (WINDOWS, CORES, _with_room(1800 * MIB, 1800 * MIB), IMPORTED),
    "room for none": (WINDOWS, CORES, _with_room(0, 0), IMPORTED),
    "32-bit": (*MACHINE, Interpreter("py", "3.9", "CPython", 32, "x86", "win32", "a", "a", "a")),
    "64-bit": (*MACHINE, Interpreter("py", "3.9", "CPython", 64, "x64", "win-amd64", "a", "a", "a")),
    "import failed": (WINDOWS, CORES, MEMORY, RAISED),
    "import took no time": (WINDOWS, CORES, MEMORY, replace(IMPORTED, seconds=0.0)),
    "bounds of checks": (*MACHINE, Bound("pickling", 8, "as many as cores"), Bound("guard", 2, "no guard")),
    "a tried dataset": (*MACHINE, DATASET),
    "batches not known": (*MACHINE, replace(DATASET, batch_bytes=REFUSED)),
    "a dataset without a worker": (*MACHINE, NOT_MEASURED),
    "a worker that tells no memory": (*MACHINE, replace(DATASET, worker=WorkerRun(4.0, REFUSED, 320, 25.0))),
    "a dataset without a worker or torch": (WINDOWS, CORES, MEMORY, RAISED, NOT_MEASURED),
    "length not known": (*MACHINE, replace(DATASET, length=REFUSED)),
    "a dataset that fails": (*MACHINE, BROKEN),
    "a slow first batch": (*MACHINE, _slow(60.0, sample_seconds=1.0)),
    "a slow start and one sample": (*MACHINE, _slow(60.0, sample_seconds=REFUSED, batch_size=None)),
    "a slow sample and no batch size": (*MACHINE, _slow(40.0, sample_seconds=5.0, batch_size=None)),
    "a quick first batch": (*MACHINE, _slow(29.0, sample_seconds=REFUSED)),
    "samples on the GPU": (*MACHINE, CUDA, replace(DATASET, sample_on_device=(ON_GPU,))),
    "measured": (*MACHINE, _measure((0, 90.0), (12, 20.0), (4, 30.0), measured_length=1000)),
    "measured alike": (*MACHINE, _measure((6, 20.0), (2, 20.0))),
    "measured one": (*MACHINE, _measure((3, 20.0), measured_length=1000)),
    "measured one and stopped": (*MACHINE, _measure((0, 0.5), stopped="loading takes no time")),
    "measured two and stopped": (*MACHINE, _measure((0, 0.5), (1, 4.0), stopped="more is slower")),
    "measured above the bounds": (*MACHINE, _measure((40, 1.0))),
}


def _make_plan(facts: tuple[object, ...]) -> LoaderPlan:
    bounds = tuple(value for value in facts if isinstance(value, Bound))
    return make_plan(Facts({type(fact): fact for fact in facts if not isinstance(fact, Bound)}), bounds)


def describe_plan(name: str) -> str:
    """Return the plan for the facts of this name, as it is in plans.txt."""
    plan = _make_plan(PLANS[name])
    lines = [
        f"# {name}",
        *(f"{setting.name}={setting.value}: {setting.reason}" for setting in plan.settings),
        *(f"bound {bound.name} {bound.workers}: {bound.reason}" for bound in plan.bounds),
        *(f"unknown {reason}" for reason in plan.unknown),
    ]
    assert plan.settings[0].value == str(plan.num_workers)
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("name", PLANS)
def test_whole_plan(name: str) -> None:
    plans = {text.partition("\n")[0]: f"# {text}".rstrip("\n") + "\n" for text in EXPECTED.split("# ")[1:]}
    assert describe_plan(name) == plans[name]


@pytest.mark.parametrize(
    ("facts", "workers"),
    [
        ((WINDOWS, CORES, MEMORY, IMPORTED), 13),
        ((WINDOWS, Processor(3, 3), MEMORY, IMPORTED), 6),
        ((WINDOWS, Processor(64, 64), replace(MEMORY, physical_available_bytes=32 * GIB), IMPORTED), 16),
        ((WINDOWS, CORES, _with_room(3600 * MIB, 4500 * MIB), IMPORTED), 3),
        ((WINDOWS, MEMORY, IMPORTED), 2),
        ((WINDOWS, CORES), 0),
        ((LINUX, CORES), 16),
        ((LINUX, Processor(3, 3)), 6),
        ((), 2),
    ],
    ids=["memory", "cores", "many-cores", "commit", "no-cores", "cost-not-known", "linux", "linux-cores", "nothing"],
)  # fmt: skip
def test_workers_that_are_safe_to_try(facts: tuple[object, ...], workers: int) -> None:
    plan = _make_plan(facts)
    assert find_safe_workers(Facts({type(fact): fact for fact in facts}), plan.bounds) == workers
