"""The baseline: known findings stay known where code moves, and a new one fails."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from torchdoctor.check import Finding, Location, Severity
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.runner import Outcome
from torchdoctor.policy.baseline import Baseline, KnownFinding, read_baseline
from torchdoctor.redaction.redaction import Identity

GUARD = "from torch.utils.data import DataLoader\nfor batch in DataLoader([1], num_workers=2):\n    pass\n"
COUNTED = '{"schema_version": 1, "findings": [{"check": "a", "path": null, "message": "", "count": %s}]}'
COMMAND = ("scan", ".", "--select", "missing-main-guard", "--baseline", "known.json")


def _write(tmp_path: Path, **files: str) -> None:
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")


@pytest.fixture
def known(torchdoctor, tmp_path: Path) -> Path:
    _write(tmp_path, a=GUARD, b=GUARD)
    result = torchdoctor(*COMMAND, "--write-baseline")
    assert (result.returncode, "known.json: written, with 2 findings" in result.stderr) == (0, True)
    return tmp_path / "known.json"


def _find_places(result) -> list[tuple[str, int]]:
    findings = json.loads(result.stdout)["outcomes"][0]["findings"]
    return [(each["location"]["path"], each["location"]["line"]) for each in findings]


def test_known_findings_pass(known: Path, torchdoctor) -> None:
    result = torchdoctor(*COMMAND, "--format", "json")
    (outcome,) = json.loads(result.stdout)["outcomes"]
    assert (result.returncode, outcome["status"], outcome["passed"]) == (
        0,
        "passed",
        ["2 known from the baseline"],
    )


def test_moved_line_stays_known(known: Path, torchdoctor, tmp_path: Path) -> None:
    _write(tmp_path, a="import torch\n\n\n" + GUARD)
    assert torchdoctor(*COMMAND).returncode == 0


def test_moved_lines_of_one_finding_stay_known(torchdoctor, tmp_path: Path) -> None:
    _write(tmp_path, a="import os\nos.fork()\nos.fork()\n")
    command = ("scan", ".", "--select", "posix-only", "--baseline", "known.json")
    assert torchdoctor(*command, "--write-baseline").returncode == 0
    _write(tmp_path, a="import os\nos.fork()\n\n\nos.fork()\nos.fork()\n")
    assert torchdoctor(*command, "--fail-on", "note").returncode == 0


def test_changed_code_is_new(known: Path, torchdoctor, tmp_path: Path) -> None:
    _write(tmp_path, a=GUARD.replace("=2", "=8"))
    assert torchdoctor(*COMMAND).returncode == 1


@pytest.mark.parametrize(
    ("before", "now", "is_known"),
    [
        ("17.0 GiB of commit, 95 % in use after 3.2 s", "16.1 GiB of commit, 96 % in use after 12 s", True),
        ("Net1 keeps a lambda in self.f1", "Net2 keeps a lambda in self.f2", False),
        ("import torch raises [WinError 126]", "import torch raises [WinError 1114]", False),
        ("the project requires Python >=3.12", "the project requires Python >=3.14", False),
        ("torch 2.4.0 and CUDA 12.4", "torch 2.4.0 and CUDA 12.6", False),
    ],
)
def test_figures_change_and_other_numbers_tell_apart(
    before: str, now: str, is_known: bool, tmp_path: Path
) -> None:
    def make(message: str) -> Outcome:
        return Outcome("missing-main-guard", "failed", Severity.ERROR, (Finding(message),))

    file = tmp_path / "known.json"
    first = Baseline(file, {}, Identity(), is_rewritten=True)
    first.leave_out_known(make(before))
    file.write_text(first.write([make(before)], [], "1.0"), encoding="utf-8")
    left = read_baseline(file, Identity()).leave_out_known(make(now))
    assert bool(left.findings) is not is_known


def test_file_that_cannot_be_read_stays_known(known: Path, torchdoctor, tmp_path: Path) -> None:
    _write(tmp_path, a=GUARD + "def (\n")
    result = torchdoctor(*COMMAND)
    assert ("a.py: not read" in result.stderr, "not found any more" in result.stderr) == (True, False)
    torchdoctor(*COMMAND, "--write-baseline")
    _write(tmp_path, a=GUARD)
    assert torchdoctor(*COMMAND).returncode == 0


def test_each_of_several_machines_has_its_known_findings(known: Path, torchdoctor, tmp_path: Path) -> None:
    for name in ("f.json", "g.json"):
        (tmp_path / name).write_text('{"schema_version": 1, "facts": {}}', encoding="utf-8")
    assert torchdoctor(*COMMAND, "--facts", "f.json", "--facts", "g.json").returncode == 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_new_finding_fails_and_is_the_only_one(jobs: str, known: Path, torchdoctor, tmp_path: Path) -> None:
    _write(tmp_path, c=GUARD)
    result = torchdoctor(*COMMAND, "--format", "json", "--jobs", jobs)
    assert (result.returncode, _find_places(result)) == (1, [("c.py", 2)])


def test_one_more_of_a_known_kind_in_a_file_is_new(tmp_path: Path) -> None:
    findings = tuple(Finding("4 workers", Location("a.py", line)) for line in (1, 2, 3))
    outcome = Outcome("missing-main-guard", "failed", Severity.ERROR, findings)
    known = {KnownFinding("missing-main-guard", "a.py", "4 workers"): 2}
    elsewhere = Baseline(tmp_path / "known.json", known, Identity()).leave_out_known(outcome)
    assert (elsewhere.known, elsewhere.findings) == (0, findings)
    here = Baseline(Path("known.json"), known, Identity()).leave_out_known(outcome)
    assert (here.status, here.known, here.findings) == ("failed", 2, findings[2:])


def test_check_that_broke_stays_broken() -> None:
    broken = Outcome("missing-main-guard", "errored", Severity.ERROR, (Finding("x"),), reason="it broke")
    known = {KnownFinding("missing-main-guard", "", "x"): 1}
    left = Baseline(Path("known.json"), known, Identity()).leave_out_known(broken)
    assert (left.status, left.reason, left.findings) == ("errored", "it broke", ())


def test_what_is_gone_is_said_and_taken_out(known: Path, torchdoctor, tmp_path: Path) -> None:
    _write(tmp_path, a="")
    result = torchdoctor(*COMMAND)
    assert (result.returncode, "not found any more: missing-main-guard" in result.stderr) == (0, True)
    torchdoctor(*COMMAND, "--write-baseline")
    assert [each["path"] for each in json.loads(known.read_text())["findings"]] == ["b.py"]


def test_what_was_not_looked_at_stays(known: Path, torchdoctor, tmp_path: Path) -> None:
    _write(tmp_path, a="", b="")
    command = ("scan", "a.py", "--select", "missing-main-guard", "--baseline", "known.json")
    assert "not found" in torchdoctor(*command).stderr
    torchdoctor(*command, "--write-baseline")
    torchdoctor("scan", ".", "--select", "illegal-filename", "--baseline", "known.json", "--write-baseline")
    assert [each["path"] for each in json.loads(known.read_text())["findings"]] == ["b.py"]


def test_baseline_of_another_folder_has_the_same_paths(known: Path, torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    moved = known.rename(tmp_path / "sub" / "known.json")
    data = json.loads(moved.read_text())
    for each in data["findings"]:
        each["path"] = f"../{each['path']}"
    moved.write_text(json.dumps(data))
    assert torchdoctor(*COMMAND[:-1], str(moved)).returncode == 0


def test_known_finding_still_limits_the_plan(known: Path, torchdoctor) -> None:
    # Only a full scan has a plan that is worth something; the bound of the guard is 0.
    report = json.loads(torchdoctor(*COMMAND, "--format", "json").stdout)
    assert any(bound["name"] == "main guard" or bound["workers"] == 0 for bound in report["loader"]["bounds"])


def test_finding_of_the_environment_is_known(torchdoctor, tmp_path: Path) -> None:
    sample = next(
        (Path(__file__).parents[1] / "samples" / "vc_redist_outdated").glob("bad-2.9-with-14.36.json")
    )
    command = ("scan", "--facts", sample, "--baseline", "known.json")
    assert torchdoctor(*command, "--write-baseline").returncode == 0
    assert torchdoctor(*command).returncode == 0
    assert torchdoctor("scan", "--facts", sample).returncode == 1


def test_configuration_names_the_baseline(known: Path, torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "torchdoctor.toml").write_text("baseline = 'known.json'", encoding="utf-8")
    assert torchdoctor("scan", ".", "--select", "missing-main-guard").returncode == 0


def test_baseline_has_no_names_of_the_machine(torchdoctor, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "zbeebl"
    folder.mkdir(parents=True)
    (folder / "a.py").write_text(GUARD, encoding="utf-8")
    env = {"LOGNAME": "zbeebl", "USERNAME": "zbeebl", "HOME": str(folder), "USERPROFILE": str(folder)}
    torchdoctor("scan", "home", "--baseline", "known.json", "--write-baseline", env=env)
    text = (tmp_path / "known.json").read_text()
    assert ("missing-main-guard" in text, "zbeebl" in text) == (True, False)
    assert torchdoctor("scan", "home", "--baseline", "known.json", env=env).returncode == 0


def test_baseline_below_the_scanned_folder_loses_what_is_gone(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    _write(tmp_path, **{"in/a": GUARD, "b": GUARD})
    command = ("scan", ".", "--select", "missing-main-guard", "--baseline", "in/known.json")
    torchdoctor(*command, "--write-baseline")
    _write(tmp_path, **{"in/a": "", "b": ""})
    assert "not found any more" in torchdoctor(*command).stderr
    torchdoctor(*command, "--write-baseline")
    assert json.loads((tmp_path / "in" / "known.json").read_text())["findings"] == []


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_linked_folder_is_the_same_one(known: Path, torchdoctor, tmp_path: Path) -> None:
    link = tmp_path.with_name("link")
    link.symlink_to(tmp_path)
    command = ("scan", str(link), "--select", "missing-main-guard", "--baseline", str(link / "known.json"))
    assert torchdoctor(*command).returncode == 0


@pytest.mark.parametrize("output", ["known.json", "./known.json", "torchdoctor.toml", "a.yaml"])
def test_report_replaces_nothing_that_is_read(output: str, known: Path, torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "torchdoctor.toml").write_text("jobs = 1", encoding="utf-8")
    (tmp_path / "a.yaml").write_text("num_workers: 2", encoding="utf-8")
    before = (tmp_path / output).read_bytes()
    for more in ((), ("--write-baseline",)):
        result = torchdoctor(*COMMAND, "--format", "json", "--output", output, *more)
        assert (result.returncode, "this would replace" in result.stderr) == (2, True)
    assert (tmp_path / output).read_bytes() == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (COUNTED % "Infinity", "is no baseline"),
        (COUNTED % "1e999", "is no baseline"),
        (COUNTED % "-1", "is no baseline"),
        (COUNTED % "true", "is no baseline"),
        (COUNTED % "1.5", "is no baseline"),
        ("", "is no baseline of torchdoctor"),
        ("[]", "is no baseline of torchdoctor"),
        ('{"schema_version": 2, "findings": []}', "of another version"),
        ('{"schema_version": 1, "findings": [], "facts": {}}', "is no baseline of torchdoctor"),
        ('{"schema_version": 1, "findings": [], "status": "passed"}', "is no baseline of torchdoctor"),
        (
            '{"schema_version": 1, "findings": [{"check": 1, "path": null, "message": "", "count": 1}]}',
            "is no",
        ),
        ("[" * 100_000, "is no baseline of torchdoctor"),
    ],
)
def test_other_file_is_refused(text: str, message: str, torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "known.json").write_text(text, encoding="utf-8")
    result = torchdoctor(*COMMAND[:1], *COMMAND[2:])
    assert (result.returncode, message in result.stderr, result.stderr.count("\n")) == (2, True, 1)
    # It is not lost either.
    assert torchdoctor("scan", *COMMAND[2:], "--write-baseline").returncode == 2
    assert (tmp_path / "known.json").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--baseline", "none.json"), "there is no such baseline; --write-baseline makes it"),
        (("--write-baseline",), "--write-baseline writes the file of --baseline FILE: name one"),
        (("--write-baseline", "--baseline", "x", "--from", "-"), "leave out --from"),
    ],
)
def test_unusable_arguments(options: tuple[str, ...], message: str, torchdoctor) -> None:
    result = torchdoctor("scan", *options, stdin="PyTorch version: 2.4.1+cu124\n")
    assert (result.returncode, message in result.stderr, result.stdout) == (2, True, "")


MACHINES = sorted((Path(__file__).parents[1] / "samples" / "machines").glob("*.json"))


@pytest.mark.parametrize("machine", MACHINES, ids=lambda path: path.stem)
def test_facts_are_no_baseline(machine: Path) -> None:
    with pytest.raises(UsageError, match="is no baseline"):
        read_baseline(machine, Identity())


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_problem_that_is_known_is_not_told_as_news(form: str, torchdoctor, tmp_path: Path) -> None:
    machine = next(each for each in MACHINES if each.stem.startswith("47-"))
    command = ("scan", "--facts", str(machine), "--baseline", "known.json", "--format", form)
    written = torchdoctor(*command, "--write-baseline")
    again = torchdoctor(*command)
    for result in (written, again):
        assert "Nothing new was found (1 finding is known from the baseline)" in result.stdout
        assert "keeps torch from" not in result.stdout


def test_scan_imports_what_takes_names_out_only_for_a_baseline() -> None:
    code = "import sys, torchdoctor.commands.scan; print('torchdoctor.redaction.paths.machine_paths' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
