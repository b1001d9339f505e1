"""`loader` with datasets on a real Windows Python, where every worker is spawned."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PureWindowsPath

import jsonschema
import pytest

from torchdoctor.commands.schema import read_schema

pytestmark = pytest.mark.windows

ZOO = Path(__file__).parents[1] / "zoo" / "zoo.py"


# Long enough to import torch on a busy machine, short enough to wait for what hangs.
LIMIT = {"TORCHDOCTOR_TRIAL_SECONDS": "40"}
TRIED = ("Gallery", "several", "WorkerDies", "SampleExits", "BuildHangs")
SHOWN = (
    "NestedLambda", "LocalClass", "SqliteHandle", "OpenFile", "HoldsLock", "HoldsGenerator",
    "PartialOfLambda", "PartlyPicklable", "ReduceRaises", "HoldsSlots",
)  # fmt: skip


@pytest.fixture(scope="module")
def ask(windows, torch_lib: Path):
    """Give the plan of a dataset as data, and the exit code; they are asked for two at a time."""

    def run(name: str) -> tuple[dict, int]:
        path = str(ZOO) if os.name == "nt" else str(PureWindowsPath("Z:", str(ZOO)))
        ended = windows("loader", f"{path}:{name}", "--format", "json", env=LIMIT)
        data = json.loads(ended.stdout)
        jsonschema.validate(data, json.loads(read_schema("loader").text))
        return data, ended.returncode

    with ThreadPoolExecutor(max_workers=2) as pool:
        started = {name: pool.submit(run, name) for name in TRIED}
        yield lambda name: started[name].result()


def _find_shown(members: list[dict], name: str) -> list[tuple[str, str, str]]:
    start = f"dataset.shown['{name}']"
    shown = [member for member in members if member["path"].startswith(start)]
    return [(m["path"].replace(start, "dataset"), m["kind"], Path(m["defined"]).name) for m in shown]


@pytest.mark.parametrize("name", SHOWN)
def test_everything_unpicklable_is_named(ask, named, name: str) -> None:
    data, code = ask("Gallery")
    assert code == 1
    assert _find_shown(data["trial"]["parts"][0]["unpicklable"], name) == named[name]


def test_device_members_are_named(ask, named) -> None:
    found = _find_shown(ask("Gallery")[0]["trial"]["parts"][0]["on_device"], "OnFakeDevice")
    assert found == named["OnFakeDevice"]


@pytest.mark.parametrize(
    ("name", "stage", "outcome", "in_worker", "exit_code"),
    [
        ("WorkerDies", "worker", "died", True, 7),
        ("SampleExits", "sample", "died", False, 3),
        ("BuildHangs", "build", "hung", False, None),
    ],
    ids=["worker-dies", "exits", "hangs"],
)
def test_failure_is_decoded(ask, name: str, stage: str, outcome: str, in_worker: bool, exit_code) -> None:
    data, code = ask(name)
    failure = data["trial"]["failure"]
    assert (code, failure["stage"], failure["outcome"]) == (1, stage, outcome)
    assert (failure["in_worker"], failure["exit_code"]) == (in_worker, exit_code)


def test_large_member_is_named(ask) -> None:
    heavy = ask("Gallery")[0]["trial"]["parts"][0]["heavy"]
    assert [(item["path"], item["pickled_bytes"] >> 20) for item in heavy] == [
        ("dataset.shown['HugeBytes'].images['train']", 120)
    ]


def test_healthy_datasets_are_measured_in_a_worker(ask) -> None:
    data, code = ask("several")
    worker = data["trial"]["worker"]
    assert (code, data["trial"]["failure"]) == (0, None)
    assert worker["start_up_seconds"] > 0.1 and worker["private_bytes"] > 50 << 20


def test_snippet_runs_when_pasted(ask, windows_python: str, tmp_path: Path) -> None:
    (tmp_path / "zoo.py").write_bytes(ZOO.read_bytes())
    snippet = ask("several")[0]["loader"]["snippet"]
    snippet = snippet.replace("num_workers=0,", "num_workers=1, persistent_workers=True,")
    (tmp_path / "train.py").write_text(snippet + "    print(len(batch))\n", encoding="utf-8")
    ended = subprocess.run(
        [windows_python, "train.py"], capture_output=True, text=True, cwd=tmp_path, timeout=180
    )
    assert ended.stdout.splitlines()[-1] == "16", ended.stderr[-2000:]
