"""The baseline: known findings stay known where code moves, and a new one fails."""

import json
from pathlib import Path

import pytest

from torchdoctor.check import Finding, Location, Severity
from torchdoctor.domain.redaction import Identity
from torchdoctor.engine.runner import Outcome
from torchdoctor.policy.baseline import Baseline, KnownFinding

GUARD = "from torch.utils.data import DataLoader\nfor batch in DataLoader([1], num_workers=2):\n    pass\n"
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


def test_moved_line_and_changed_number_stay_known(known: Path, torchdoctor, tmp_path: Path) -> None:
    _write(tmp_path, a="import torch\n\n\n" + GUARD.replace("=2", "=8"))
    assert torchdoctor(*COMMAND).returncode == 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_new_finding_fails_and_is_the_only_one(jobs: str, known: Path, torchdoctor, tmp_path: Path) -> None:
    _write(tmp_path, c=GUARD)
    result = torchdoctor(*COMMAND, "--format", "json", "--jobs", jobs)
    assert (result.returncode, _find_places(result)) == (1, [("c.py", 2)])


def test_one_more_of_a_known_kind_in_a_file_is_new(tmp_path: Path) -> None:
    findings = tuple(Finding("4 workers", Location("a.py", line)) for line in (1, 2, 3))
    outcome = Outcome("missing-main-guard", "failed", Severity.ERROR, findings)
    known = {KnownFinding("missing-main-guard", "a.py", "# workers"): 2}
    elsewhere = Baseline(tmp_path / "known.json", known, Identity()).leave_out_known(outcome)
    assert (elsewhere.known, elsewhere.findings) == (0, findings)
    here = Baseline(Path("known.json"), known, Identity()).leave_out_known(outcome)
    assert (here.status, here.known, here.findings) == ("failed", 2, findings[2:])


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no baseline of torchdoctor"),
        ("[]", "is no baseline of torchdoctor"),
        ('{"schema_version": 2, "findings": []}', "of another version"),
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
