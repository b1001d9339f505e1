"""The dataset trial reports the right failure, members and places for good and bad datasets."""

import json
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import jsonschema
import pytest

from torchdoctor.commands.loader import parse_target
from torchdoctor.commands.schema import read_schema
from torchdoctor.facts import Absent, DatasetTrial, Facts, Member
from torchdoctor.loader.plan import make_plan
from torchdoctor.probes.dataset import try_dataset
from torchdoctor.renderers.json import render_plan

pytestmark = pytest.mark.torch

ZOO = Path(__file__).parents[1] / "zoo"
LINES = (ZOO / "zoo.py").read_text(encoding="utf-8").splitlines()
# Long enough to import torch on a busy machine, short enough to wait for a dataset that hangs.
SECONDS = 30


def _find_line(text: str) -> int:
    return next(number for number, line in enumerate(LINES, 1) if text in line)


UNPICKLABLE = (
    "NestedLambda", "LocalClass", "OpenHDF5", "OpenLMDB", "SqliteHandle", "OpenFile", "HoldsLock",
    "HoldsGenerator", "PartialOfLambda", "PartlyPicklable", "ReduceRaises", "HoldsSlots", "OpenArchive",
    "HoldsPool", "HoldsWeakSet", "LocalTuple", "GradientHistory",
)  # fmt: skip
HEALTHY = (
    "Plain", "several", "Stream", "ShardedStream", "make_loader",
    "make_loader_with_own_order", "built", "SharedByFunction", "chained", "AsksInVain",
)  # fmt: skip
# Stage, outcome, whether it happened in the worker, and a part of its description.
FAILING = {
    "UnpickleRaises": ("unpickle", "raised", False, "version"),
    "BuildHangs": ("build", "hung", False, "in __init__"),
    "SampleHangs": ("sample", "hung", False, "in __getitem__"),
    "SampleExits": ("sample", "died", False, "exit code 3"),
    "SampleQuits": ("sample", "raised", False, "no data"),
    "SampleRaises": ("sample", "raised", False, "images/0001.png"),
    "OneBadSample": ("sample", "raised", False, "image file is truncated"),
    "OddErrorInWorker": ("worker", "raised", True, "a.png: no such codec"),
    "RaisesSpeechless": ("sample", "raised", False, "zoo.py:"),
    "EndsEarly": ("sample", "raised", False, "zoo.py:"),
    "NoLength": ("build", "raised", False, "__len__"),
    "NeedsRoot": ("build", "raised", False, "'root'; it takes root, each given as --arg NAME=VALUE"),
    "LoadsInWorker": ("worker", "raised", True, "daemonic"),
    "WorkerRaises": ("worker", "raised", True, "only one process"),
    "WorkerDies": ("worker", "died", True, "exit code 7"),
    "WorkerHangs": ("worker", "hung", True, ""),
}
PACKAGES = {"OpenHDF5": "h5py", "OpenLMDB": "lmdb"}
OTHERS = (
    "Gallery", "make_loader --bad", "HugeBytes", "DifferentShapes", "nothing", "built.length", "TooDeep",
    "SampleOfLambda", "empty", "Plain --length",
)  # fmt: skip

Trial = Callable[[str], DatasetTrial]


def _try_dataset(name: str) -> DatasetTrial:
    file = f"{name.partition(':')[0]}.py" if ":" in name else "zoo.py"
    target, _, arguments = name.rpartition(":")[2].partition(" --")
    arguments = (f"{arguments}=True",) if arguments else ()
    trial = try_dataset(sys.executable, parse_target(f"{ZOO / file}:{target}", arguments), lambda _: None)
    assert isinstance(trial, DatasetTrial)
    return trial


@pytest.fixture(scope="module")
def trial() -> Trial:
    """Start the trials of all datasets; return a function that waits for the trial of one."""
    os.environ["TORCHDOCTOR_TRIAL_SECONDS"] = str(SECONDS)
    names = (*HEALTHY, *FAILING, *OTHERS, "unguarded:x", "guarded:data")
    with ThreadPoolExecutor(max_workers=min(8, (os.cpu_count() or 1) + 1)) as pool:
        started: dict[str, Future[DatasetTrial]] = {name: pool.submit(_try_dataset, name) for name in names}
        yield lambda name: started[name].result()
    del os.environ["TORCHDOCTOR_TRIAL_SECONDS"]


@pytest.mark.parametrize("name", UNPICKLABLE)
def test_finds_each_unpicklable_member_and_its_place(trial: Trial, expected_members, name: str) -> None:
    if name in PACKAGES:
        pytest.importorskip(PACKAGES[name])
    assert _find_members_of(trial("Gallery").unpicklable, name) == expected_members[name]


def test_finds_device_members_and_their_place(trial: Trial, expected_members) -> None:
    assert _find_members_of(trial("Gallery").on_device, "OnFakeDevice") == expected_members["OnFakeDevice"]
    assert trial("Gallery").worker is None


def _find_members_of(members: Sequence[Member], name: str) -> list[tuple[str, str, str | None]]:
    """Return the members found in one dataset of the gallery, as if it had been tried alone."""
    start = f"dataset.shown['{name}']"
    return [
        (member.path.replace(start, "dataset"), member.kind, member.defined)
        for member in members
        if member.path.startswith(start)
    ]


def test_finds_unpicklable_functions_of_a_loader(trial: Trial, expected_members) -> None:
    found = [(member.path, member.kind, member.defined) for member in trial("make_loader --bad").unpicklable]
    assert found == expected_members["make_loader"]


@pytest.mark.parametrize("name", HEALTHY)
def test_healthy_dataset_runs_in_a_worker(trial: Trial, name: str) -> None:
    answer = trial(name)
    assert (answer.failure, answer.unpicklable, answer.on_device) == (None, (), ())
    assert answer.worker is not None and answer.worker.samples > 0


@pytest.mark.parametrize("name", FAILING)
def test_failure_has_stage_outcome_and_description(trial: Trial, name: str) -> None:
    failure = trial(name).failure
    assert failure is not None
    stage, outcome, in_worker, description = FAILING[name]
    assert (failure.stage, failure.outcome, failure.in_worker) == (stage, outcome, in_worker)
    assert description in f"{failure.message} {failure.place} {failure.exit_meaning}"


@pytest.mark.parametrize("name", [*HEALTHY, *FAILING, *OTHERS])
def test_every_trial_is_valid_json(trial: Trial, name: str) -> None:
    plan = make_plan(Facts({DatasetTrial: trial(name)}))
    jsonschema.validate(json.loads(render_plan(plan, "1.0")), json.loads(read_schema("loader").text))


def test_hang_has_the_line_as_its_place(trial: Trial) -> None:
    failure = trial("BuildHangs").failure
    assert failure is not None and failure.place is not None
    assert f"zoo.py:{_find_line('class BuildHangs') + 2}" in failure.place.replace("\\", "/")


def test_large_pickle_names_its_heavy_members(trial: Trial) -> None:
    part = trial("HugeBytes").parts[0]
    assert [(heavy.path, heavy.pickled_bytes >> 20) for heavy in part.heavy] == [
        ("dataset.images['train']", 120)
    ]
    assert part.shared_bytes == 4000


def test_samples_that_cannot_be_collated_are_loaded_as_lists(trial: Trial) -> None:
    answer = trial("DifferentShapes")
    assert answer.collate_error is not None and answer.worker is not None


def test_missing_main_guard_is_recognised(trial: Trial) -> None:
    failure = trial("unguarded:x").failure
    lines = (ZOO / "unguarded.py").read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("for batch"))
    assert failure is not None and failure.is_missing_guard
    assert failure.place == f"unguarded.py:{line}"


@pytest.mark.parametrize("name", ["nothing", "guarded:data"])
def test_unknown_name_mentions_the_main_guard(trial: Trial, name: str) -> None:
    failure = trial(name).failure
    assert failure is not None and "main guard" in failure.message


def test_refuses_an_object_that_is_not_a_dataset(trial: Trial) -> None:
    failure = trial("built.length").failure
    assert failure is not None and "neither a dataset" in failure.message


@pytest.mark.parametrize(
    ("name", "is_sharded"),
    [
        ("Stream", False),
        ("AsksInVain", False),
        ("ShardedStream", True),
        ("SharedByFunction", True),
        ("chained", True),
    ],
)
def test_finds_out_whether_a_stream_is_sharded(trial: Trial, name: str, is_sharded: bool) -> None:
    assert trial(name).shards_itself is is_sharded


def test_failure_has_the_number_of_the_sample(trial: Trial) -> None:
    failure = trial("OneBadSample").failure
    assert failure is not None and failure.sample == 137


def test_failure_in_a_worker_has_a_place_in_user_code(trial: Trial) -> None:
    failure = trial("LoadsInWorker").failure
    assert failure is not None and failure.place is not None
    assert failure.place.endswith(f"zoo.py:{_find_line('iter(DataLoader(Plain(4)')}")


def test_finds_an_unpicklable_sample_and_its_place(trial: Trial, expected_members) -> None:
    answer = trial("SampleOfLambda")
    first = answer.sample_unpicklable[0]
    assert [(first.path, first.kind, first.defined)] == expected_members["SampleOfLambda"]
    assert (answer.worker, answer.failure) == (None, None)


def test_finds_a_member_that_is_nested_too_deeply(trial: Trial) -> None:
    (member,) = trial("TooDeep").unpicklable
    assert member.path == "dataset.tree" and "RecursionError" in member.kind


def test_empty_dataset_is_a_failure(trial: Trial) -> None:
    failure = trial("empty").failure
    assert failure is not None and failure.message == "the dataset is empty"


@pytest.mark.parametrize("name", ["Plain", "Plain --length"], ids=["batches", "one-batch"])
def test_measures_a_worker(trial: Trial, name: str) -> None:
    worker = trial(name).worker
    assert worker is not None and worker.start_up_seconds > 0.1
    assert isinstance(worker.private_bytes, Absent) or worker.private_bytes > 20 << 20
