"""`loader` with datasets on a real Windows Python, where every worker is spawned."""

import json
import os
import subprocess
from pathlib import Path, PureWindowsPath

import pytest

pytestmark = pytest.mark.windows

ZOO = Path(__file__).parents[1] / "loader" / "zoo" / "zoo.py"


@pytest.fixture
def ask(windows, torch_lib: Path):
    """Ask for the plan of a dataset; give the data, and check the exit code."""

    def ask(name: str, exit_code: int) -> dict:
        path = str(ZOO) if os.name == "nt" else str(PureWindowsPath("Z:", str(ZOO)))
        ended = windows("loader", f"{path}:{name}", "--format", "json")
        assert ended.returncode == exit_code, ended.stderr
        return json.loads(ended.stdout)

    return ask


def test_everything_unpicklable_is_named(ask) -> None:
    members = ask("PartlyPicklable", 1)["trial"]["parts"][0]["unpicklable"]
    found = [(member["path"], member["kind"]) for member in members]
    assert found == [("dataset.first", "lambda"), ("dataset.second", "module"), ("dataset.third", "lock")]


def test_exit_of_a_worker_is_decoded(ask) -> None:
    failure = ask("WorkerDies", 1)["trial"]["failure"]
    assert (failure["outcome"], failure["in_worker"], failure["exit_code"]) == ("died", True, 7)


def test_healthy_dataset_is_measured_and_its_snippet_runs(ask, windows_python: str, tmp_path: Path) -> None:
    data = ask("OpensLate", 0)
    worker = data["trial"]["worker"]
    assert worker["start_up_seconds"] > 0.1 and worker["private_bytes"] > 50 << 20
    (tmp_path / "zoo.py").write_bytes(ZOO.read_bytes())
    snippet = data["loader"]["snippet"].replace("num_workers=0,", "num_workers=1, persistent_workers=True,")
    (tmp_path / "train.py").write_text(snippet + "    print(len(batch))\n", encoding="utf-8")
    ended = subprocess.run(
        [windows_python, "train.py"], capture_output=True, text=True, cwd=tmp_path, timeout=180
    )
    assert ended.stdout.strip() == "8", ended.stderr
