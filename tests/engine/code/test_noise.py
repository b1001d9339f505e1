"""What is true but matters little: tests, examples, dead branches, settings that many files repeat."""

import json
from pathlib import Path

import pytest

from torchdoctor.engine.code.examination import examine_code, reads_code
from torchdoctor.engine.registry import load_registry
from torchdoctor.facts import Facts

REGISTRY = load_registry()
GUARDLESS = "from torch.utils.data import DataLoader\nfor x in DataLoader([1], num_workers=2): pass\n"
FORK = "import multiprocessing as mp\n{}mp.set_start_method('fork')\n"


def find(paths: list[Path]) -> list[tuple[str, str, str]]:
    checks = [check for check in REGISTRY.checks if reads_code(check)]
    return [
        (outcome.name, finding.severity.value if finding.severity else "", finding.message)
        for outcome in examine_code(paths, checks, Facts(), REGISTRY.knowledge).outcomes
        for finding in outcome.findings
    ]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text", "aside"),
    [
        ("train.py", GUARDLESS, None),
        ("tests/train.py", GUARDLESS, "a test"),
        ("test/evaluate.py", GUARDLESS, None),
        ("test/evaluate.py", f"import unittest\n{GUARDLESS}", "a test"),
        ("test_loader.py", f"import pytest\n{GUARDLESS}", "a test"),
        ("utils/test_utils.py", GUARDLESS, "a test"),
        ("test_utils/scripts/run.py", GUARDLESS, "a test"),
        ("test_model.py", GUARDLESS, None),
        ("latest.py", f"# no pytest\n{GUARDLESS}", None),
        ("examples/mnist/main.py", GUARDLESS, "an example"),
        ("pkg/demo_video.py", GUARDLESS, "an example"),
        ("demonstrate.py", GUARDLESS, None),
    ],
)
def test_what_is_found_in_tests_and_examples_is_a_note(
    tmp_path: Path, name: str, text: str, aside: str | None
) -> None:
    write(tmp_path / name, text)
    [(_, severity, message)] = find([tmp_path])
    assert severity == ("error" if aside is None else "note")
    assert message.endswith(f", in {aside}") is (aside is not None)


@pytest.mark.parametrize("named", ["examples", "examples/main.py", "examples/mnist"])
def test_what_the_person_names_is_no_example(tmp_path: Path, named: str) -> None:
    write(tmp_path / "examples" / "main.py", GUARDLESS)
    write(tmp_path / "examples" / "mnist" / "main.py", GUARDLESS)
    assert {severity for _, severity, _ in find([tmp_path / named])} == {"error"}


@pytest.mark.parametrize(
    ("before", "severity"),
    [
        ("", "error"),
        ("if 0: ", None),
        ("if False: ", None),
        ("if 1: ", "error"),
        ("DEBUG = False\nif DEBUG: ", "note"),
        ("DEBUG = True\nif DEBUG: ", "error"),
        ("DEBUG = False\nDEBUG = f()\nif DEBUG: ", "error"),
        ("import pytest\nwith pytest.raises(ValueError): ", "note"),
        ("with self.assertRaises(ValueError): ", "note"),
        ("import unittest\nclass A(unittest.TestCase):\n  def f(self): ", "note"),
        ("import pytest\ndef test_a(): ", "note"),
        ("with open(a) as f: ", "error"),
        ("import os\nif 'SLURM_JOB_ID' in os.environ and n == 8: ", "note"),
        ("import os\nif os.environ.get('SLURM_NTASKS') is not None: ", "note"),
        ("import os\nif os.getenv('SLURM_NTASKS'): ", "note"),
        ("import os\nif 'SLURM_JOB_ID' not in os.environ: ", "error"),
        ("import os\nif 'SLURM_JOB_ID' in os.environ or n: ", "error"),
    ],
)
def test_what_does_not_run_in_normal_work_is_a_note(
    tmp_path: Path, before: str, severity: str | None
) -> None:
    write(tmp_path / "a.py", FORK.format(before))
    assert [found for name, found, _ in find([tmp_path]) if name == "fork-start-method"] == (
        [severity] if severity else []
    )


def test_bound_of_an_example_does_not_bind_the_plan(tmp_path: Path, torchdoctor) -> None:
    for folder in ("examples", "src"):
        write(tmp_path / folder / "main.py", GUARDLESS)
    bounds = [
        "main guard"
        in json.dumps(
            json.loads(torchdoctor("scan", named, "--no-trials", "--format", "json").stdout)["loader"]
        )
        for named in (tmp_path / "src", tmp_path)
    ]
    (tmp_path / "src" / "main.py").unlink()
    only_example = json.loads(torchdoctor("scan", tmp_path, "--no-trials", "--format", "json").stdout)[
        "loader"
    ]
    assert (bounds, "main guard" in json.dumps(only_example)) == ([True, True], False)


@pytest.mark.parametrize(("count", "notes"), [(2, 2), (3, 1), (30, 1)])
def test_setting_that_many_files_repeat_is_one_note(tmp_path: Path, count: int, notes: int) -> None:
    for number in range(count):
        write(tmp_path / f"{number:02}.yaml", f"run_{number}:\n  num_workers: 8\n")
    write(tmp_path / "z.yaml", "num_workers: 16\n")
    write(tmp_path / "few.yaml", "num_workers: 2\n")
    found = [message for _, _, message in find([tmp_path])]
    assert len(found) == notes + 1
    assert found[-1] == "num_workers is 16"
    if count > 2:
        assert found[0] == f"run_0.num_workers is 8, and the same in {count - 1} other files"
