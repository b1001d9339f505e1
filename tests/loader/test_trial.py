"""A dataset trial bounds the loader plan and gives the reason; the snippet loads that dataset."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from torchdoctor.facts import (
    Absent,
    DatasetTrial,
    Facts,
    Failure,
    Measurement,
    Member,
    Memory,
    OperatingSystem,
    Part,
    Processor,
    TorchImportTrial,
    WorkerRun,
)
from torchdoctor.loader.plan import LoaderPlan, find_safe_workers, make_plan
from torchdoctor.loader.snippet import write_snippet
from torchdoctor.renderers import loader

GIB, MIB = 1 << 30, 1 << 20
NONE = Absent("-")
MACHINE = (
    OperatingSystem("windows", "11", "x64", 22631),
    Processor(16, 8),
    Memory(64 * GIB, 50 * GIB, 40 * GIB, 20 * GIB, NONE, 20 * GIB, ()),
    TorchImportTrial("imported", 3.0, 60.0, exit_code=0, private_bytes_after=900 * MIB),
)
SMALL_MEMORY = Memory(64 * GIB, 50 * GIB, 20 * GIB, 14 * GIB, NONE, 6 * GIB, ())
PART = Part("dataset", "Images", True, 1000, 0)
LAMBDA = Member("dataset.transform", "lambda", "AttributeError: -", "data.py:3")
TENSOR = Member("dataset.mean", "CUDA tensor", "cuda:0", "data.py:4")
# An epoch of an hour: only the machine bounds the workers.
TRIAL = DatasetTrial(
    "data.py:Images", ("n=3",), 9.0, None, "class", "Images", batch_size=32, length=100_000,
    build_seconds=0.1, parts=(PART,), sample_seconds=0.036, batch_bytes=10 * MIB,
    worker=WorkerRun(4.0, 1000 * MIB, 320, 25.0),
)  # fmt: skip


def _plan(trial: DatasetTrial) -> LoaderPlan:
    facts = Facts({type(fact): fact for fact in (*MACHINE, trial)})
    return make_plan(facts)


def _make_failed_trial(stage: str, outcome: str, **values: object) -> DatasetTrial:
    return replace(TRIAL, worker=None, failure=Failure(stage, outcome, **values))


def test_healthy_dataset_is_bounded_by_the_machine() -> None:
    assert (_plan(TRIAL).num_workers, _plan(TRIAL).bounds[0].name) == (8, "cores")


@pytest.mark.parametrize(
    ("trial", "name", "reason"),
    [
        (
            replace(TRIAL, parts=(replace(PART, unpicklable=(LAMBDA, LAMBDA)),)),
            "pickling",
            "dataset.transform: lambda, data.py:3, and 1 more,",
        ),
        (replace(TRIAL, parts=(replace(PART, on_device=(TENSOR,)),)), "CUDA", "dataset.mean: CUDA tensor"),
        (replace(TRIAL, sample_on_device=(TENSOR,)), "CUDA", "come out of a worker"),
        (replace(TRIAL, sample_unpicklable=(LAMBDA,)), "pickling", "cannot come out of a worker"),
        (
            _make_failed_trial("sample", "raised", exception_type="OSError", message="cut off", sample=137),
            "trial",
            "taking sample 137 raised OSError: cut off",
        ),
        (
            _make_failed_trial("build", "raised", message="it gave a tuple"),
            "trial",
            "building the dataset: it gave a tuple",
        ),
        (replace(TRIAL, parts=(replace(PART, pickled_bytes=3 * GIB),)), "pickled size", "3.0 GiB"),
        (
            _make_failed_trial("worker", "died", in_worker=True, exit_meaning="exit code 7"),
            "worker",
            "exit code 7",
        ),
        (_make_failed_trial("build", "hung", time_limit_seconds=60.0), "trial", "did not finish within 60 s"),
        (
            _make_failed_trial("load", "raised", message="...\nfinished its bootstrapping phase."),
            "main guard",
            "data.py starts workers",
        ),
        (replace(TRIAL, length=1000, sample_seconds=0.001), "start-up", "takes 1.0 s without workers"),
    ],
    ids=[
        "lambda",
        "cuda",
        "cuda-sample",
        "lambda-sample",
        "bad-sample",
        "unusable",
        "size",
        "worker",
        "hang",
        "guard",
        "short-epoch",
    ],
)
def test_trial_that_rules_workers_out_gives_the_reason(trial: DatasetTrial, name: str, reason: str) -> None:
    plan = _plan(trial)
    assert (plan.num_workers, plan.bounds[0].name) == (0, name)
    assert reason in plan.settings[0].reason


def test_short_epoch_gets_few_workers() -> None:
    plan = _plan(replace(TRIAL, length=1000))
    # 36 s of work and 4 s a start: 4 * 3 + 36 / 3 is the least.
    assert (plan.num_workers, plan.bounds[0].name) == (3, "start-up")


def test_stream_that_does_not_shard_gets_one_worker() -> None:
    trial = replace(TRIAL, is_iterable=True, shards_itself=False, length=Absent("the dataset has no length"))
    assert _plan(trial).num_workers == 1


def test_measured_worker_and_prefetched_batches_count_as_commit() -> None:
    large_batches = replace(TRIAL, batch_bytes=GIB)
    # 90 % of 40 GiB less 20 GiB is 16 GiB; a worker holds 1000 MiB and two batches of 1 GiB.
    commit = next(bound for bound in _plan(large_batches).bounds if bound.name == "commit")
    assert commit.workers == 16 * 1024 // (1000 + 2048) - 1


def test_fastest_measurement_may_exceed_the_cores() -> None:
    rows = [Measurement(n, 4.0, epoch, 1000 / epoch, 9.0, True, NONE) for n, epoch in ((0, 90.0), (12, 20.0))]
    plan = _plan(replace(TRIAL, measurements=tuple(rows), measured_length=1000))
    assert (plan.num_workers, "fastest of 2" in plan.settings[0].reason) == (12, True)


def test_fastest_measurement_stays_within_the_safe_bounds() -> None:
    facts = Facts({type(fact): fact for fact in (*MACHINE, replace(TRIAL, batch_bytes=GIB))})
    plan = make_plan(facts)
    assert find_safe_workers(facts, plan.bounds) == 4
    rows = tuple(Measurement(n, 4.0, 90.0 - n, 9.0, 9.0, True, NONE) for n in (0, 4, 12))
    assert _plan(replace(TRIAL, batch_bytes=GIB, measurements=rows)).num_workers == 4


def test_samples_on_the_device_are_not_pinned() -> None:
    plan = _plan(replace(TRIAL, sample_on_device=(TENSOR,)))
    assert next(setting.value for setting in plan.settings if setting.name == "pin_memory") == "False"


def test_screen_shows_the_measurements() -> None:
    rows = (
        Measurement(0, 0.0, 40.0, 25.0, 25.0, True, NONE),
        Measurement(4, 5.0, 20.0, 50.0, 60.0, False, 9),
    )
    screen = loader.render(_plan(replace(TRIAL, measurements=rows, measured_length=1000)))
    assert "        0         -   ~40.0 s         25  #################\n" in screen
    assert "        4     5.0 s    20.0 s         50  ################################## <\n" in screen


def test_similar_members_are_described_once() -> None:
    items = tuple(replace(LAMBDA, path=f"dataset.items[{number}]") for number in range(50))
    screen = loader.render(_plan(replace(TRIAL, parts=(replace(PART, unpicklable=(*items, LAMBDA)),))))
    assert screen.count("cannot be sent to a worker: dataset.") == 2
    assert "dataset.items[0]: lambda, data.py:3, and 49 or more" in " ".join(screen.split())


@pytest.mark.parametrize("trial", [TRIAL, _make_failed_trial("sample", "raised", message="x\x1b[31m")])
def test_screen_fits_80_columns_without_control_sequences(trial: DatasetTrial) -> None:
    lines = loader.render(_plan(trial)).partition("\nimport torch")[0].splitlines()
    assert max(map(len, lines)) <= 80
    assert not any("\x1b" in line for line in lines)


@pytest.mark.parametrize(
    ("size", "message", "workers"),
    [
        (100_000_000, None, 8),
        (100_000_001, "warning  each worker is sent a copy of 95 MiB", 8),
        (2 * GIB - 1, "warning  each worker is sent a copy of 2.0 GiB", 8),
        (2 * GIB, "error    each worker is sent a copy of 2.0 GiB; above 2 GiB the pipe", 0),
        (4 * GIB - 1, "; above 2 GiB this fails on Windows", 0),
        (4 * GIB, "above 4 GiB older pickle formats fail", 0),
    ],
    ids=["100-MB", "over-100-MB", "under-2-GiB", "2-GiB", "under-4-GiB", "4-GiB"],
)
def test_large_pickle_gives_a_warning_or_a_bound(size: int, message: str | None, workers: int) -> None:
    plan = _plan(replace(TRIAL, parts=(replace(PART, pickled_bytes=size),)))
    screen = " ".join(loader.render(plan).split())
    assert plan.num_workers == workers
    assert "is sent a copy" not in screen if message is None else " ".join(message.split()) in screen


def test_copy_that_does_not_fit_into_the_commit_is_an_error() -> None:
    # 90 % of 20 GiB less 14 GiB leaves 4 GiB for two processes of 2.9 GiB.
    large_worker = replace(TRIAL, worker=None, parts=(replace(PART, pickled_bytes=2 * GIB - 1),))
    facts = Facts({type(fact): fact for fact in (*MACHINE[:2], SMALL_MEMORY, MACHINE[3], large_worker)})
    screen = " ".join(loader.render(make_plan(facts)).split())
    assert "error each worker is sent a copy of 2.0 GiB, which does not fit: 4.0 GiB of commit" in screen
    assert "can be sent" not in screen


SETTINGS = [("num_workers", "2"), ("persistent_workers", "True"), ("pin_memory", "False")]
ZOO = Path(__file__).parents[1] / "zoo" / "zoo.py"


@pytest.mark.torch
@pytest.mark.parametrize(
    ("target", "values"),
    [
        ("zoo.py:Plain", {"arguments": ("length=64",)}),
        ("zoo:built", {"kind": "object"}),
        ("zoo-2.py:ShardedStream", {"is_iterable": True}),
        ("zoo.py:make_loader", {"kind": "factory", "is_loader": True}),
        ("zoo.py:DifferentShapes", {"collate_error": "RuntimeError: -"}),
    ],
    ids=["class", "object", "stream", "loader", "lists"],
)
def test_snippet_runs_when_pasted(tmp_path: Path, target: str, values: dict) -> None:
    for name in ("zoo.py", "zoo-2.py"):
        (tmp_path / name).write_bytes(ZOO.read_bytes())
    trial = replace(TRIAL, **{"target": target, "arguments": (), **values})
    script = tmp_path / "train.py"
    script.write_text(write_snippet(SETTINGS, trial) + "    print(len(batch))\n", encoding="utf-8")
    # Workers are started by spawn, as on Windows.
    code = f"import multiprocessing as m, runpy, sys; m.set_start_method('spawn'); sys.argv = [{str(script)!r}]; sys.path[0] = {str(tmp_path)!r}; runpy.run_path(sys.argv[0], run_name='__main__')"
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    assert result.returncode == 0 and int(result.stdout) > 0, result.stderr
