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


def test_backend_is_found_in_code_and_configuration(tmp_path: Path) -> None:
    write(tmp_path / "a.py", "p.add_argument('--backend', default='nccl')\nmake(p.parse_args().backend)\n")
    write(tmp_path / "b.yaml", "dist:\n  backend: nccl\nworkers: 4\n")
    write(tmp_path / "c.json", '{"multiprocessing_context": "fork"}')
    write(tmp_path / "d.toml", "name = 'nccl'\n")
    assert find([tmp_path]) == [
        ("fork-start-method", "warning", "multiprocessing_context is fork"),
        ("nccl-unavailable", "note", 'the default of backend is "nccl"'),
        ("nccl-unavailable", "note", "dist.backend is nccl"),
    ]


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
        ("import os\ndef f():\n  rank = int(os.environ['SLURM_PROCID'])\n  ", None),
        ("import os\ndef f():\n  if os.environ['SLURM_PROCID'] == '0': print(1)\n  ", None),
        ("def init_dist_slurm():\n  ", None),
        ("def init_without_slurm():\n  ", "error"),
        ("def init_slurm_or_local():\n  ", "error"),
        ("def start():\n  init_slurm()\n  ", "error"),
        ("from os import environ\nrank = environ['SLURM_PROCID']\n", "note"),
        ("import os\ndef f(n):\n  if n: n = os.environ['SLURM_PROCID']\n  ", "error"),
        ("import os\nn = os.environ['SLURM_PROCID'] if f() else 0\n", "error"),
        ("import os\nn = os.environ.get('SLURM_PROCID')\n", "error"),
        ("import os\nos.environ['SLURM_PROCID'] = '0'\n", "error"),
        ("N = 1\nif N == 1: f()\nelse: ", "note"),
        ("N = 1\nif N > 1: ", "note"),
        ("N = 8\nif N == 1: f()\nelse: ", "error"),
        ("N = 8\nif N > 'x': ", "error"),
        ("N = 1\nN += f()\nif N > 1: ", "error"),
        ("N, DEBUG = 1, False\nif DEBUG or not N: ", "note"),
        ("DEBUG = False\nif not DEBUG and f(): ", "error"),
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


def test_default_of_a_function_for_slurm_is_left_out(tmp_path: Path) -> None:
    text = "import torch.distributed as dist\ndef init_dist_{}(backend='nccl'):\n  dist.init_process_group(backend)\n"
    write(tmp_path / "a.py", text.format("slurm"))
    assert find([tmp_path]) == []
    write(tmp_path / "a.py", text.format("pytorch"))
    assert len(find([tmp_path])) == 1


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


def test_branch_that_a_constant_switches_off_in_a_notebook_is_a_note(tmp_path: Path) -> None:
    texts = ["N = 1\n", FORK.format("if N == 1: print()\nelse: ")]
    cells = [{"cell_type": "code", "source": text, "outputs": [], "metadata": {}} for text in texts]
    write(tmp_path / "a.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    assert [severity for _, severity, _ in find([tmp_path])] == ["note"]


@pytest.mark.parametrize("folder", ["tests", "pkg/test_utils/data"])
def test_configuration_of_tests_is_left_out(tmp_path: Path, folder: str) -> None:
    write(tmp_path / folder / "a.yaml", "num_workers: 8\n")
    assert find([tmp_path]) == []
    assert len(find([tmp_path / folder / "a.yaml"])) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("env_cfg = dict(dist_cfg=dict(backend='nccl'))\n", 'backend of dict() is "nccl"'),
        ("data = dict(workers_per_gpu=8)\n", "data.workers_per_gpu is 8"),
        ("p.add_argument('--num_workers', default=8)\nf(args.num_workers)\n", "--num_workers is 8"),
    ],
    ids=["backend", "module", "option"],
)
@pytest.mark.parametrize(("count", "notes"), [(2, 2), (3, 1)])
def test_equal_notes_about_code_are_one(
    tmp_path: Path, text: str, message: str, count: int, notes: int
) -> None:
    for number in range(count):
        write(tmp_path / f"config_{number}.py", text)
    found = [message for _, _, message in find([tmp_path])]
    assert found == ([f"{message}, and the same in 2 other files"] if notes == 1 else [message] * 2)


def test_default_in_the_code_is_told_apart_from_configuration_files(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / f"{number}.yaml", "DATA:\n  NUM_WORKERS: 8\n")
    write(tmp_path / "defaults.py", "_C.DATA.NUM_WORKERS = 8\n")
    assert len(find([tmp_path])) == 2


def test_equal_errors_stay_apart(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / f"train_{number}.py", FORK.format(""))
    assert len(find([tmp_path])) == 3


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
