"""`loader` with datasets on a real Windows Python, which starts every worker by spawn."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jsonschema
import pytest

from torchdoctor.commands.schema import read_schema

pytestmark = pytest.mark.windows

ZOO = Path(__file__).parents[1] / "zoo" / "zoo.py"
# Long enough to import torch on a busy machine, short enough to wait for a dataset that hangs.
HANG_LIMIT = {"TORCHDOCTOR_TRIAL_SECONDS": "60"}
DATASETS = ("Gallery", "several", "WorkerDies", "SampleExits", "BuildHangs")
UNPICKLABLE = (
    "NestedLambda", "LocalClass", "SqliteHandle", "OpenFile", "HoldsLock", "HoldsGenerator",
    "PartialOfLambda", "PartlyPicklable", "ReduceRaises", "HoldsSlots",
)  # fmt: skip


@pytest.fixture(scope="module")
def run_loader(run_doctor, windows_path, torch_lib: Path):
    """Run `loader` on all datasets, two at a time; return a function that gives a JSON plan and exit code."""

    def run(name: str) -> tuple[dict, int]:
        env = HANG_LIMIT if name == "BuildHangs" else None
        result = run_doctor("loader", f"{windows_path(ZOO)}:{name}", "--format", "json", env=env)
        data = json.loads(result.stdout)
        jsonschema.validate(data, json.loads(read_schema("loader").text))
        return data, result.returncode

    with ThreadPoolExecutor(max_workers=2) as pool:
        started = {name: pool.submit(run, name) for name in DATASETS}
        yield lambda name: started[name].result()


def _find_members_of(members: list[dict], name: str) -> list[tuple[str, str, str]]:
    start = f"dataset.shown['{name}']"
    return [
        (member["path"].replace(start, "dataset"), member["kind"], Path(member["defined"]).name)
        for member in members
        if member["path"].startswith(start)
    ]


@pytest.mark.parametrize("name", UNPICKLABLE)
def test_finds_each_unpicklable_member(run_loader, expected_members, name: str) -> None:
    data, code = run_loader("Gallery")
    assert code == 1
    assert data["trial"]["parts"], data["trial"]["failure"]
    assert _find_members_of(data["trial"]["parts"][0]["unpicklable"], name) == expected_members[name]


def test_finds_device_members(run_loader, expected_members) -> None:
    found = _find_members_of(run_loader("Gallery")[0]["trial"]["parts"][0]["on_device"], "OnFakeDevice")
    assert found == expected_members["OnFakeDevice"]


@pytest.mark.parametrize(
    ("name", "stage", "outcome", "in_worker", "exit_code"),
    [
        ("WorkerDies", "worker", "died", True, 7),
        ("SampleExits", "sample", "died", False, 3),
        ("BuildHangs", "build", "hung", False, None),
    ],
    ids=["worker-dies", "exits", "hangs"],
)
def test_failure_has_stage_outcome_and_exit_code(
    run_loader, name: str, stage: str, outcome: str, in_worker: bool, exit_code
) -> None:
    data, code = run_loader(name)
    failure = data["trial"]["failure"]
    assert (code, failure["stage"], failure["outcome"]) == (1, stage, outcome)
    assert (failure["in_worker"], failure["exit_code"]) == (in_worker, exit_code)


def test_finds_a_large_member(run_loader) -> None:
    heavy = run_loader("Gallery")[0]["trial"]["parts"][0]["heavy"]
    assert [(item["path"], item["pickled_bytes"] >> 20) for item in heavy] == [
        ("dataset.shown['HugeBytes'].images['train']", 120)
    ]


def test_healthy_dataset_is_measured_in_a_worker(run_loader) -> None:
    data, code = run_loader("several")
    worker = data["trial"]["worker"]
    assert (code, data["trial"]["failure"]) == (0, None)
    assert worker["start_up_seconds"] > 0.1 and worker["private_bytes"] > 50 << 20


def test_snippet_runs_when_pasted(run_loader, windows_python: str, tmp_path: Path) -> None:
    (tmp_path / "zoo.py").write_bytes(ZOO.read_bytes())
    snippet = run_loader("several")[0]["loader"]["snippet"]
    snippet = snippet.replace("num_workers=0,", "num_workers=1, persistent_workers=True,")
    (tmp_path / "train.py").write_text(snippet + "    print(len(batch))\n", encoding="utf-8")
    result = subprocess.run(
        [windows_python, "train.py"], capture_output=True, text=True, cwd=tmp_path, timeout=180
    )
    assert result.stdout.splitlines()[-1] == "16", result.stderr[-2000:]


def test_plan_in_a_program_is_that_of_the_command_line(
    run_doctor, doctor_folder: Path, windows_python: str, windows_path, torch_lib: Path
) -> None:
    code = (
        "import torch; from torchdoctor.loader import here; from torchdoctor.renderers import json\n"
        "print(json.dump(json.encode_plan(here.make_plan_here())))"
    )
    environment = {**os.environ, "PYTHONPATH": windows_path(doctor_folder)}
    result = subprocess.run([windows_python, "-c", code], capture_output=True, text=True, env=environment)
    plan = json.loads(result.stdout)
    expected = json.loads(run_doctor("loader", "--format", "json").stdout)["loader"]
    # Wine has no PrivateUsage; without a substitute, the number for commit would not be known.
    assert {bound["name"] for bound in plan["bounds"]} == {"cores", "commit", "memory"}
    assert plan["num_workers"] == expected["num_workers"]
    for bound, twin in zip(plan["bounds"], expected["bounds"], strict=True):
        assert bound["workers"] == pytest.approx(twin["workers"], rel=0.15)


def test_too_large_dataset_gets_no_workers(
    doctor_folder: Path, windows_python: str, windows_path, tmp_path: Path, torch_lib: Path
) -> None:
    code = (
        "from torchdoctor import loader\n"
        "class Large(list):\n    pass\n"
        "if __name__ == '__main__':\n"
        "    large = Large([1, 2])\n"
        "    large.images = bytes(27 * 2**30 // 10)\n"
        "    print(loader.create_dataloader(large, num_workers=1).num_workers)\n"
    )
    (tmp_path / "train.py").write_text(code, encoding="utf-8")
    result = subprocess.run(
        [windows_python, "train.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": windows_path(doctor_folder)},
    )
    assert result.stdout.strip() == "0"
    assert "of which 2.7 GiB are dataset.images (bytes); above 2 GiB the pipe" in result.stderr
