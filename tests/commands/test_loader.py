"""`torchdoctor loader`: output formats, exit codes and usage errors."""

import json
from pathlib import Path

import jsonschema
import pytest

from torchdoctor.commands.schema import read_schema

ZOO = Path(__file__).parents[1] / "zoo" / "zoo.py"


def _read_plan(result) -> dict:
    data = json.loads(result.stdout)
    jsonschema.validate(data, json.loads(read_schema("loader").text))
    return data


@pytest.mark.torch
def test_unpicklable_dataset_gives_exit_code_1_and_valid_json(torchdoctor) -> None:
    result = torchdoctor("loader", f"{ZOO}:PartlyPicklable", "--format", "json")
    trial = _read_plan(result)["trial"]
    assert (result.returncode, result.stderr) == (1, "")
    assert len(trial["parts"][0]["unpicklable"]) == 3


@pytest.mark.torch
def test_measure_chooses_no_workers_for_a_trivial_dataset(torchdoctor) -> None:
    result = torchdoctor("loader", f"{ZOO}:Plain", "--arg", "length=500", "--measure", "--format", "json")
    data = _read_plan(result)
    assert (result.returncode, result.stderr) == (0, "")
    assert data["trial"]["length"] == 500
    assert data["loader"]["num_workers"] == 0 and data["loader"]["measurements"]


def test_plan_without_a_dataset_is_valid_json(torchdoctor) -> None:
    assert _read_plan(torchdoctor("loader", "--format", "json"))["trial"] is None


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
def test_usage_error_is_one_line_on_stderr(torchdoctor, arguments: tuple[str, ...]) -> None:
    result = torchdoctor("loader", *arguments)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.stderr


def test_failed_import_is_reported_with_its_place(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "data.py").write_text("import torch_that_is_not_there\n", encoding="utf-8")
    result = torchdoctor("loader", "data.py:Data", "--format", "json")
    failure = _read_plan(result)["trial"]["failure"]
    assert (failure["stage"], failure["exception_type"], failure["place"]) == (
        "load",
        "ModuleNotFoundError",
        "data.py:1",
    )


# Memory that is never written takes none, and pickling this writes nothing that is kept.
LARGE = """
class Large:
    def __init__(self):
        self.labels = [1, 2, 3]
        self.images = bytes(27 * 2**30 // 10)
    def __len__(self):
        return 3
    def __getitem__(self, index):
        return self.labels[index]
"""


@pytest.mark.torch
def test_too_large_dataset_is_an_error_with_its_largest_attribute(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "data.py").write_text(LARGE, encoding="utf-8")
    result = torchdoctor("loader", "data.py:Large")
    text = " ".join(result.stdout.split())
    assert "error each worker is sent a copy of 2.7 GiB; above 2 GiB the pipe to a worker fails" in text
    assert "2.7 GiB in dataset.images (bytes) ok a sample" in text
    assert (result.returncode, "can be sent" in text) == (1, False)
