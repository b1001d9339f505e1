"""`torchdoctor loader` with a dataset: the formats, the exit codes, the mistakes."""

import json
from pathlib import Path

import jsonschema
import pytest

from torchdoctor.commands.schema import read_schema

ZOO = Path(__file__).parents[1] / "zoo" / "zoo.py"


def _read(ended) -> dict:
    data = json.loads(ended.stdout)
    jsonschema.validate(data, json.loads(read_schema("loader").text))
    return data


@pytest.mark.torch
def test_blocked_dataset_is_exit_1_and_valid_json(torchdoctor) -> None:
    ended = torchdoctor("loader", f"{ZOO}:PartlyPicklable", "--format", "json")
    trial = _read(ended)["trial"]
    assert (ended.returncode, ended.stderr) == (1, "")
    assert len(trial["parts"][0]["unpicklable"]) == 3


@pytest.mark.torch
def test_measure_picks_none_for_a_trivial_load(torchdoctor) -> None:
    ended = torchdoctor("loader", f"{ZOO}:Plain", "--arg", "length=500", "--measure", "--format", "json")
    data = _read(ended)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert data["trial"]["length"] == 500
    assert data["loader"]["num_workers"] == 0 and data["loader"]["measurements"]


def test_plan_without_a_dataset_is_valid_json(torchdoctor) -> None:
    assert _read(torchdoctor("loader", "--format", "json"))["trial"] is None


@pytest.mark.parametrize(
    "arguments",
    [
        ("no-colon.py",),
        ("missing.py:Data",),
        ("pack age:Data",),
        ("zoo.py:not a name",),
        ("--measure",),
        ("--arg", "n=1"),
    ],
    ids=lambda arguments: " ".join(arguments),
)
def test_mistake_is_one_line_on_stderr(torchdoctor, arguments: tuple[str, ...]) -> None:
    ended = torchdoctor("loader", *arguments)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended.stderr


def test_interpreter_without_torch_is_told(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "data.py").write_text("import torch_that_is_not_there\n", encoding="utf-8")
    ended = torchdoctor("loader", "data.py:Data", "--format", "json")
    failure = _read(ended)["trial"]["failure"]
    assert (failure["stage"], failure["exception_type"], failure["place"]) == (
        "load",
        "ModuleNotFoundError",
        "data.py:1",
    )
