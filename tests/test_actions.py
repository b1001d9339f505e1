"""The actions, the workflows, the hooks and the problem matcher: their steps are run as a runner runs them."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from torchdoctor.actions.formats import REPORT_FORMATS

ROOT = Path(__file__).parents[1]
GUARD = "from torch.utils.data import DataLoader\nfor batch in DataLoader([1], num_workers=2):\n    pass\n"
CERTAIN = (
    'OSError: [WinError 1455] The paging file is too small for this operation to complete. Error loading "C:\\'
    'x\\lib\\site-packages\\torch\\lib\\cudnn_adv_infer64_8.dll" or one of its dependencies.'
)


def _read(name: str) -> dict:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


WORKFLOWS = (
    "action.yml",
    ".github/actions/explain-issue/action.yml",
    ".github/workflows/ci.yml",
    ".github/workflows/release.yml",
)


def _find_commands(value: object) -> list[str]:
    if isinstance(value, dict):
        own = [value["run"]] if isinstance(value.get("run"), str) else []
        return own + [command for item in value.values() for command in _find_commands(item)]
    return [command for item in value for command in _find_commands(item)] if isinstance(value, list) else []


@pytest.mark.parametrize("name", WORKFLOWS)
def test_no_text_of_others_becomes_part_of_a_command(name: str) -> None:
    commands = _find_commands(_read(name))
    assert commands and not any("${{" in command for command in commands)


@pytest.fixture
def runner(tmp_path: Path):
    """Return a function that runs a step of an action with inputs, and returns the result and its outputs."""
    if os.name == "nt" or shutil.which("bash") is None:
        pytest.skip("needs bash")
    files = {name: tmp_path / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV")}
    doctor = tmp_path / "bin" / "torchdoctor"
    doctor.parent.mkdir()
    doctor.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m torchdoctor "$@"\n', encoding="utf-8")
    doctor.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()

    def run(action: str, step: str, **inputs: str):
        description = _read(f"{action}/action.yml" if action else "action.yml")
        (wanted,) = (each for each in description["runs"]["steps"] if each.get("id") == step)
        values = {name: each["default"] for name, each in description["inputs"].items()} | {
            name.replace("_", "-"): value for name, value in inputs.items()
        }

        def fill(match: re.Match[str]) -> str:
            if match[1] == "github.action_path":
                return str(ROOT / action)
            return values[match[1].removeprefix("inputs.")]

        env = {key: re.sub(r"\$\{\{ ([\w.-]+) \}\}", fill, text) for key, text in wanted["env"].items()}
        for file in files.values():
            file.write_text("", encoding="utf-8")
        result = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", wanted["run"]],
            cwd=work,
            env={
                **os.environ,
                **{name: str(file) for name, file in files.items()},
                "RUNNER_TEMP": str(tmp_path),
                "TORCHDOCTOR": str(doctor),
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                **env,
            },
            capture_output=True,
            text=True,
            timeout=300,
        )
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        return result, outputs, files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")

    run.work = work
    return run


def test_action_is_green_for_healthy_code(runner) -> None:
    (runner.work / "a.py").write_text("import torch\n", encoding="utf-8")
    result, outputs, summary = runner("", "scan", paths="a.py", options="--no-trials\n--select=source")
    assert (result.returncode, outputs) == (0, {"exit-code": "0", "sarif-file": "torchdoctor.sarif"})
    assert (result.stdout, "Nothing wrong was found." in summary) == ("", True)


@pytest.mark.parametrize(
    ("code", "check"),
    [
        (GUARD, "missing-main-guard"),
        ("import torch.distributed as d\nd.init_process_group('nccl')\n", "nccl-unavailable"),
        (
            "import multiprocessing\nimport torch\nmultiprocessing.set_start_method('fork')\n",
            "fork-start-method",
        ),
    ],
)
def test_action_is_red_for_a_planted_fault(code: str, check: str, runner) -> None:
    (runner.work / "bad name.py").write_text(code, encoding="utf-8")
    options = "--no-trials\n--select=source\n--fail-on=note"
    result, outputs, summary = runner("", "scan", paths="\nbad name.py\n", options=options)
    assert (result.returncode, outputs["exit-code"]) == (1, "1")
    assert re.match(rf"::\w+ title=torchdoctor%3A {check},file=bad name.py,line=\d+", result.stdout)
    assert check in summary
    sarif = json.loads((runner.work / "torchdoctor.sarif").read_text(encoding="utf-8"))
    assert sarif["runs"][0]["results"][0]["ruleId"] == check


def test_action_says_what_is_wrong_with_its_inputs(runner) -> None:
    result, outputs, _ = runner("", "scan", options="--select=nosuch")
    assert (result.returncode, outputs) == (2, {"exit-code": "2"})
    assert "nosuch is neither a check nor a family" in result.stderr


def test_action_takes_no_option_for_a_path(runner) -> None:
    result, _, _ = runner("", "scan", paths="--fix")
    assert (result.returncode, "--fix: no such file or folder" in result.stderr) == (2, True)


ISSUE = ".github/actions/explain-issue"


def test_issue_gets_a_comment_where_the_answer_is_certain(runner, tmp_path: Path) -> None:
    result, outputs, summary = runner(ISSUE, "explain", body=f"My $(touch owned) `touch owned`\n{CERTAIN}")
    assert (result.returncode, outputs) == (0, {"proposed": "true"})
    comment = (tmp_path / "comment.md").read_text(encoding="utf-8")
    assert comment == summary
    assert comment.startswith("### Windows has no commit memory left")
    assert "nobody has read it" in comment
    assert not list(runner.work.iterdir())


@pytest.mark.parametrize(
    "body", ["", "It does not work, please help.", "WinError 1455 paging file too small"]
)
def test_issue_gets_none_on_less(body: str, runner, tmp_path: Path) -> None:
    result, outputs, summary = runner(ISSUE, "explain", body=body)
    assert (result.returncode, outputs) == (0, {"proposed": "false"})
    assert (summary.startswith("No comment is proposed"), (tmp_path / "comment.md").exists()) == (True, False)


def test_comment_is_posted_only_if_that_is_asked_for() -> None:
    description = _read(f"{ISSUE}/action.yml")
    assert description["inputs"]["post"]["default"] == "false"
    post = description["runs"]["steps"][-1]
    assert "inputs.post == 'true'" in post["if"] and "proposed == 'true'" in post["if"]


def test_matcher_reads_the_concise_format(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(GUARD, encoding="utf-8")
    line = torchdoctor("scan", "a.py", "--select", "source", "--format", "concise").stdout.splitlines()[0]
    matcher = json.loads((ROOT / ".github/torchdoctor-matcher.json").read_text(encoding="utf-8"))
    pattern = matcher["problemMatcher"][0]["pattern"][0]
    match = re.match(pattern["regexp"], line)
    assert match is not None
    fields = {key: match[pattern[key]] for key in ("file", "line", "severity", "code")}
    assert fields == {"file": "a.py", "line": "2", "severity": "error", "code": "missing-main-guard"}


def test_hooks_run_the_command(torchdoctor, tmp_path: Path) -> None:
    hooks = {each["id"]: each["entry"].split()[1:] for each in _read(".pre-commit-hooks.yaml")}
    (tmp_path / "a.py").write_text(GUARD, encoding="utf-8")
    assert torchdoctor(*hooks["torchdoctor"], "a.py").returncode == 1
    assert torchdoctor(*hooks["torchdoctor-fix"], "a.py").returncode == 0
    assert "__main__" in (tmp_path / "a.py").read_text(encoding="utf-8")


def test_changelog_names_every_format() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").lower()
    assert all(form in text for form in REPORT_FORMATS)
