"""The configuration of a project: which file counts, what it may hold, and how the command line overrides it."""

import json
import os
from pathlib import Path

import pytest

from torchdoctor.check import Severity
from torchdoctor.commands.scan_arguments import ScanArguments, make_request
from torchdoctor.core.usage import UsageError
from torchdoctor.policy.configuration import find_configuration

GUARD = "from torch.utils.data import DataLoader\nfor batch in DataLoader([1], num_workers=2):\n    pass\n"


def _write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, None),
        ({"pyproject.toml": '[project]\nname = "torchdoctor"\n'}, None),
        ({"pyproject.toml": "[tool.torchdoctor]\njobs = 1"}, "pyproject.toml"),
        ({"pyproject.toml": "[tool.torchdoctor]\njobs = 1", "torchdoctor.toml": "jobs = 2"}, "torchdoctor.toml"),
        ({"torchdoctor.toml": "jobs = 1", "src/pyproject.toml": "[tool.torchdoctor]"}, "src/pyproject.toml"),
        ({"torchdoctor.toml": "jobs = 1", "src/pyproject.toml": "[tool.other]"}, "torchdoctor.toml"),
        ({"torchdoctor.toml": "", "src/a.py": ""}, "torchdoctor.toml"),
        ({"torchdoctor.toml": "", "pyproject.toml": "not TOML"}, "torchdoctor.toml"),
        ({"pyproject.toml": "not TOML, and no word of the doctor"}, None),
    ],
)  # fmt: skip
def test_nearest_file_counts(files: dict[str, str], expected: str | None, tmp_path: Path) -> None:
    for name, text in files.items():
        _write(tmp_path / name, text)
    found = find_configuration([tmp_path / "src" / "a.py"]).file
    assert found == (None if expected is None else tmp_path / expected)


def test_without_a_path_the_current_folder_counts(tmp_path: Path, monkeypatch) -> None:
    _write(tmp_path / "torchdoctor.toml", "jobs = 3")
    monkeypatch.chdir(_write(tmp_path / "deep" / "er" / "a", "").parent)
    assert find_configuration([]).jobs == 3
    monkeypatch.chdir(tmp_path)
    assert find_configuration([]).file == Path("torchdoctor.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("jbos = 1", "jbos is no key of torchdoctor; did you mean jobs?"),
        ("zzz = 1", "zzz is no key of torchdoctor; the keys are baseline,"),
        ("output = 'x'", "output belongs on the command line"),
        ("no-redact = true", "no-redact belongs on the command line"),
        ("fail-on = 'wraning'", "fail-on: one of note, warning, error belongs here; did you mean warning?"),
        ("fail-on = 3", "fail-on: one of note"),
        ("jobs = true", "jobs: a number from 0 to 64"),
        ("jobs = 65", "jobs: a number"),
        ("trials = 'no'", "trials: true or false"),
        ("select = 'gpu'", "select: a list of checks"),
        ("ignore = [1]", "ignore: a list of checks"),
        ("python = 3.11", "python: the path"),
        ("baseline = ''", "baseline: the path"),
        ("per-path-ignores = ['x']", "per-path-ignores: a table"),
        ("per-path-ignores = { '!x' = ['gpu'] }", "'!x' is no glob"),
        ("require = 1", "require: a table"),
        ("[require]\ntroch = '>=2'", "require: troch is nothing that can be required; did you mean torch?"),
        ("[require]\ntorch = 2.9", "require: torch: 2.9 is no range of versions"),
        ("[require]\ntorch = '2.9'", "require: torch: '2.9' is no range of versions"),
        ("[require]\ntorch = ' '", "require: torch: ' ' is no range of versions"),
        ("[require]\ncuda = 12", "require: cuda: 12 is no range"),
        ("[require]\nworkers = true", "require: workers: a number of workers"),
        ("[require]\nworkers = -1", "require: workers: a number of workers"),
        ("[require]\ncommit-headroom = '8'", "require: commit-headroom: a size belongs here"),
        ("[require]\npackages = '<2'", "require: packages: a table"),
        ("[require]\npackages = { a = '~=2' }", "require: packages: a: '~=2' is no range"),
        ("[require]\npackages = { 'a b' = '<2' }", "require: packages: 'a b' is no name"),
        ("[require", "not valid TOML"),
        ("a" + ".a" * 50_000 + " = 1", "a line has more than 1,000 dots"),
        ("#" * (1 << 21), "cannot be read"),
    ],
)
def test_wrong_file_is_refused_in_one_line(text: str, message: str, tmp_path: Path) -> None:
    file = _write(tmp_path / "torchdoctor.toml", text)
    with pytest.raises(UsageError) as raised:
        find_configuration([tmp_path])
    line = str(raised.value)
    assert (line.startswith(f"{file}: "), message in line, "\n" in line) == (True, True, False)


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_own_name_of_what_is_no_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "torchdoctor.toml").symlink_to("nowhere")
    with pytest.raises(UsageError, match="cannot be read"):
        find_configuration([tmp_path])


def test_folder_beside_with_a_longer_name_is_not_ignored(torchdoctor, tmp_path: Path) -> None:
    _write(tmp_path / "proj" / "torchdoctor.toml", "per-path-ignores = { '*.py' = ['source'] }")
    for name in ("proj/a.py", "proj2/a.py"):
        _write(tmp_path / name, GUARD)
    result = torchdoctor("scan", "proj", "proj2", "--select", "missing-main-guard", "--format", "concise")
    assert [line.replace("\\", "/").split(":")[0] for line in result.stdout.splitlines()] == ["proj2/a.py"]


def test_own_file_may_have_the_table_of_pyproject(tmp_path: Path) -> None:
    _write(tmp_path / "torchdoctor.toml", "[tool.torchdoctor]\njobs = 2")
    assert find_configuration([tmp_path]).jobs == 2


def test_file_of_another_name_has_the_table_or_the_keys(tmp_path: Path) -> None:
    plain = _write(tmp_path / "a.toml", "jobs = 1")
    table = _write(tmp_path / "b.toml", "[tool.torchdoctor]\njobs = 2\n[tool.other]\nx = 1")
    assert [find_configuration([], file).jobs for file in (plain, table)] == [1, 2]
    with pytest.raises(UsageError, match="cannot be read"):
        find_configuration([], tmp_path / "none.toml")


def test_interpreter_that_a_foreign_configuration_names_is_not_started(torchdoctor, tmp_path: Path) -> None:
    started = tmp_path / "started"
    program = _write(tmp_path / "project/python.sh", f"#!/bin/sh\ntouch {started}\n")
    program.chmod(0o755)
    file = _write(tmp_path / "project/torchdoctor.toml", "python = './python.sh'")
    _write(tmp_path / "project/a.py", "import torch")
    result = torchdoctor("scan", "project", "--no-trials")
    assert result.returncode == 0
    assert not started.exists()
    assert f"{Path('project/torchdoctor.toml')}: its python is used in its own folder only" in result.stderr
    assert make_request(ScanArguments((tmp_path / "project",), config=file)).python is not None


def test_command_line_overrides_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _write(
        tmp_path / "torchdoctor.toml",
        "fail-on = 'note'\ntrials = false\nselect = ['gpu']\nignore = ['dll']\njobs = 2\ncache = false\n"
        "python = 'env/python'\n",
    )
    configured = make_request(ScanArguments((tmp_path,)))
    assert (configured.fail_on, configured.trials, configured.select, configured.ignore) == (
        Severity.NOTE, False, ("gpu",), ("dll",),
    )  # fmt: skip
    assert (configured.code_options.processes, configured.code_options.uses_cache) == (2, False)
    assert configured.python == str(tmp_path / "env/python")
    given = make_request(
        ScanArguments(
            (tmp_path,), python="py", trials=True, select=("source",), ignore=("memory",),
            fail_on=Severity.WARNING, jobs=0, cache=True,
        )
    )  # fmt: skip
    assert (given.fail_on, given.trials, given.select, given.ignore, given.python) == (
        Severity.WARNING, True, ("source",), ("memory",), "py",
    )  # fmt: skip
    assert (given.code_options.processes, given.code_options.uses_cache) == (0, True)


def test_saved_facts_are_of_no_interpreter_here(tmp_path: Path) -> None:
    file = _write(tmp_path / "torchdoctor.toml", "python = 'env/python'")
    assert make_request(ScanArguments(facts=(tmp_path / "f.json",), config=file)).python is None


def test_unknown_check_names_the_file(torchdoctor, tmp_path: Path) -> None:
    _write(tmp_path / "torchdoctor.toml", "ignore = ['missing-man-guard']")
    result = torchdoctor("scan", "--no-trials")
    assert (result.returncode, result.stdout, result.stderr) == (
        2,
        "",
        "torchdoctor: torchdoctor.toml: missing-man-guard is neither a check nor a family; did you mean "
        "missing-main-guard?\n",
    )
    assert torchdoctor("scan", "--no-trials", "--ignore", "gpu").returncode == 0


def test_unknown_check_of_a_path_names_the_file(torchdoctor, tmp_path: Path) -> None:
    _write(tmp_path / "torchdoctor.toml", "per-path-ignores = { 'tests/' = ['missing-man-guard'] }")
    result = torchdoctor("scan", "--no-trials", "--select", "source")
    assert (result.returncode, "torchdoctor.toml: missing-man-guard is neither" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("glob", "left"),
    [
        ("examples/", ["src/train.py", "src/examples.py"]),
        ("examples/**", ["src/train.py", "src/examples.py"]),
        ("train.py", ["src/examples.py"]),
        ("train.py/", ["examples/deep/train.py", "src/examples.py", "src/train.py"]),
        ("src/*.py", ["examples/deep/train.py"]),
        ("/examples.py", ["examples/deep/train.py", "src/examples.py", "src/train.py"]),
        ("*", []),
    ],
)
def test_check_is_ignored_below_a_path(glob: str, left: list[str], torchdoctor, tmp_path: Path) -> None:
    for name in ("src/train.py", "src/examples.py", "examples/deep/train.py"):
        _write(tmp_path / name, GUARD)
    _write(tmp_path / "torchdoctor.toml", f"per-path-ignores = {{ '{glob}' = ['source'] }}")
    report = json.loads(torchdoctor("scan", ".", "--select", "missing-main-guard", "--format", "json").stdout)
    (outcome,) = report["outcomes"]
    places = [each["location"]["path"].replace("\\", "/") for each in outcome["findings"]]
    assert sorted(places) == sorted(left)
    assert f"{3 - len(left)} in paths that the configuration ignores" in outcome["passed"] or len(left) == 3
    changed = torchdoctor("scan", ".", "--diff").stdout.replace("\\", "/").count("--- a/")
    assert changed == len(left)


def test_what_the_doctor_is_told_is_no_setting_of_the_project(torchdoctor, tmp_path: Path) -> None:
    _write(
        tmp_path / "pyproject.toml",
        "[tool.torchdoctor.require]\nworkers = 64\n[tool.train]\nnum_workers = 64\n",
    )
    result = torchdoctor("scan", ".", "--select", "workers-in-config", "--format", "json")
    (finding,) = json.loads(result.stdout)["outcomes"][0]["findings"]
    assert finding["location"]["line"] == 4


@pytest.mark.parametrize("table", ["require", "per-path-ignores"])
def test_long_keys_and_values_do_not_make_long_messages(table: str, tmp_path: Path) -> None:
    file = _write(tmp_path / "torchdoctor.toml", f"[{table}]\n{'9' * 5000} = 1\n")
    with pytest.raises(UsageError) as caught:
        find_configuration([], file)
    assert len(str(caught.value).replace(str(file), "")) < 700


GATE = '[tool.torchdoctor.require]\npython = ">=3.99"\n'


@pytest.mark.parametrize(
    "fault", ["UTF-16", "a link that leads nowhere", "a link to itself", "a folder", "17 MB"]
)
def test_shared_file_that_cannot_be_read_is_an_error(torchdoctor, tmp_path: Path, fault: str) -> None:
    """A gate must not pass because what it asks for could not be read."""
    file = tmp_path / "pyproject.toml"
    if fault == "UTF-16":
        file.write_text(GATE, encoding="utf-16")
    elif fault == "a folder":
        file.mkdir()
    elif fault == "17 MB":
        file.write_text("# x\n" * (17 << 18) + GATE, encoding="utf-8")
    else:
        try:
            file.symlink_to("pyproject.toml" if "itself" in fault else "nowhere")
        except OSError:
            pytest.skip("no links here")
    result = torchdoctor("scan", ".", "--no-trials")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "pyproject.toml" in result.stderr


def test_requirement_below_much_else_counts(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("# x\n" * (1 << 19) + GATE, encoding="utf-8")
    assert torchdoctor("scan", ".", "--no-trials").returncode == 1
