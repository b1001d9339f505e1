"""`repair` mends a real environment with a real pip, looks again, and takes everything back."""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from tests.repair.conftest import Environment, make_wheel

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "torchdoctor" / "schemas" / "repair.json").read_text(encoding="utf-8")
)


def read_json(text: str) -> dict:
    data = json.loads(text)
    jsonschema.validate(data, SCHEMA)
    return data


@pytest.fixture(params=["missing", "outdated"])
def broken(environment: Environment, request: pytest.FixtureRequest) -> Environment:
    if request.param == "missing":
        environment.pip("uninstall", "-y", "tinydep")
    else:
        environment.install("tinydep==1.0")
    assert not environment.works()
    return environment


@pytest.fixture
def lacking(environment: Environment) -> Environment:
    environment.pip("uninstall", "-y", "tinydep")
    return environment


def test_fault_is_mended_and_brought_back(broken: Environment) -> None:
    planted = broken.digest()
    plan = broken.repair("--dry-run")
    assert plan.returncode == 1 and "tinydep" in plan.stdout and broken.digest() == planted
    result = broken.repair("--yes")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "Mended: it is not found any more" in result.stdout and broken.works()
    again = broken.repair("--yes")
    assert again.returncode == 0 and "Nothing to mend" in again.stdout
    [name] = [
        line.split()[0] for line in broken.repair("--list").stdout.splitlines() if "can be undone" in line
    ]
    undone = broken.repair("--undo", name)
    assert undone.returncode == 0, undone.stderr
    assert broken.digest() == planted
    assert "undone" in broken.repair("--list").stdout
    assert broken.repair("--undo").returncode == 2
    assert broken.repair("--yes").returncode == 0 and broken.works()


def test_healthy_environment_is_left_alone(environment: Environment) -> None:
    before = environment.digest()
    result = environment.repair("--yes", "--format", "json")
    data = read_json(result.stdout)
    assert result.returncode == 0 and data["plan"] == [] and data["id"] is None
    assert environment.digest() == before
    assert "no repair yet" in environment.repair("--list").stdout


def test_json_has_the_plan_and_what_came_of_it(lacking: Environment) -> None:
    plan = read_json(lacking.repair("--dry-run", "--format", "json").stdout)
    assert plan["dry_run"] and plan["results"] == [] and plan["plan"][0]["changes"] == "packages"
    data = read_json(lacking.repair("--yes", "--format", "json", "--no-redact").stdout)
    [step] = data["results"]
    assert step["verdict"] == "mended" and step["ran"][0]["exit_code"] == 0
    assert data["id"] and data["left"] == [] and data["exit_code"] == 0
    events = [json.loads(line) for line in (lacking.state / "repairs" / data["id"] / "journal.jsonl").open()]
    assert [event["event"] for event in events] == ["started", "step", "ran", "ended", "finished"]
    assert any(each.startswith("torch==") for each in events[0]["packages"])


def test_failing_pip_leaves_everything_as_it_was(lacking: Environment) -> None:
    (lacking.wheels / "tinydep-2.0-py3-none-any.whl").unlink()
    planted = lacking.digest()
    result = lacking.repair("--yes")
    assert result.returncode == 1 and lacking.digest() == planted
    assert "Failed. Pip ended with 1: No matching distribution found" in result.stdout
    assert "everything is as it was" in result.stdout


def test_damaged_wheel_leaves_everything_as_it_was(lacking: Environment) -> None:
    wheel = lacking.wheels / "tinydep-2.0-py3-none-any.whl"
    wheel.write_bytes(wheel.read_bytes()[:100])
    planted = lacking.digest()
    result = lacking.repair("--yes")
    assert result.returncode == 1 and "Failed." in result.stdout and lacking.digest() == planted


def test_step_that_makes_it_worse_is_taken_back(lacking: Environment) -> None:
    make_wheel(lacking.wheels, "tinydep", "2.0", {"tinydep/__init__.py": "raise RuntimeError('broken')\n"})
    planted = lacking.digest()
    result = lacking.repair("--yes")
    assert result.returncode == 1 and "Worse than before." in result.stdout, result.stdout
    assert "The step was taken back." in result.stdout and lacking.digest() == planted


def test_nobody_to_ask(lacking: Environment) -> None:
    planted = lacking.digest()
    result = lacking.repair()
    assert result.returncode == 2 and lacking.digest() == planted
    [line] = result.stderr.splitlines()
    assert "add --yes or --dry-run" in line


def test_wrong_interpreter(lacking: Environment, torchdoctor, tmp_path: Path) -> None:
    for python in (str(tmp_path / "nowhere"), str(lacking.wheels), ""):
        result = torchdoctor("repair", "--yes", "--python", python, env=lacking.variables)
        assert result.returncode == 2 and len(result.stderr.splitlines()) == 1, result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--undo", "--yes"),
        ("--list", "x"),
        ("--list", "--undo"),
        ("x",),
        ("--no-index", "--yes"),
        ("--find-links", "nowhere", "--yes"),
        ("--select", "no-such-check", "--yes"),
        ("--undo", "no-such-repair"),
        ("--format", "yaml", "--yes"),
    ],
)
def test_arguments_that_make_no_sense(torchdoctor, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    result = torchdoctor("repair", *arguments, env={"TORCHDOCTOR_STATE_DIR": str(tmp_path)})
    assert result.returncode == 2 and len(result.stderr.splitlines()) == 1, result.stderr


def test_selected_findings_only(lacking: Environment) -> None:
    result = lacking.repair("--yes", "--select", "torchvision-mismatch")
    assert result.returncode == 0 and not lacking.works()
    result = lacking.repair("--yes", "--select", "install")
    assert result.returncode == 0 and lacking.works()


def test_running_program_is_named(lacking: Environment) -> None:
    planted = lacking.digest()
    with subprocess.Popen([lacking.python, "-c", "input()"], stdin=subprocess.PIPE) as process:
        time.sleep(0.5)
        result = lacking.repair("--yes")
        process.communicate(b"\n", timeout=20)
    assert result.returncode == 1 and str(process.pid) in result.stderr and lacking.digest() == planted
    assert lacking.repair("--yes").returncode == 0


def test_second_repair_is_refused(lacking: Environment) -> None:
    code = (
        "import sys; from torchdoctor.repair.journal import only_repair\n"
        "with only_repair(): print('held', flush=True); sys.stdin.readline()"
    )
    variables = {**os.environ, **lacking.variables}
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=variables) as holder:
        assert holder.stdout is not None and holder.stdout.readline().strip() == b"held"
        for options in (("--yes",), ("--undo",)):
            result = lacking.repair(*options)
            assert result.returncode == 2 and f"process {holder.pid}" in result.stderr, result.stderr
        holder.communicate(b"\n", timeout=20)
    assert lacking.repair("--yes").returncode == 0


def test_environment_without_pip(lacking: Environment) -> None:
    lacking.pip("uninstall", "-y", "pip")
    result = lacking.repair("--yes")
    assert result.returncode == 1 and "has no pip" in result.stderr and len(result.stderr.splitlines()) == 1


def test_changes_after_a_repair_are_not_mixed_with_it(lacking: Environment) -> None:
    assert lacking.repair("--yes").returncode == 0
    (lacking.site / "tinydep" / "__init__.py").write_text("VERSION = 99  # mine\n")
    result = lacking.repair("--undo")
    assert result.returncode == 2 and "changed after this repair" in result.stderr
    assert lacking.works()


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("way", ["undo", "repair"])
def test_repair_that_is_killed_is_taken_back(broken: Environment, seed: int, way: str) -> None:
    planted = broken.digest()
    command = [sys.executable, "-m", "torchdoctor", *broken.make_command("--yes")]
    variables = {**os.environ, **broken.variables}
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=variables
    ) as process:
        _wait_for_journal(broken)
        time.sleep(random.Random(seed).random() * 2.5)
        process.kill()
    _wait_for_pip(broken)
    if way == "undo":
        result = broken.repair("--undo")
        assert result.returncode == 0, result.stderr
        assert broken.digest() == planted
    result = broken.repair("--yes")
    assert result.returncode == 0, result.stdout + result.stderr
    assert broken.works()


def _wait_for_journal(environment: Environment) -> None:
    deadline = time.monotonic() + 60
    while not list(environment.state.glob("repairs/*/snapshots")) and time.monotonic() < deadline:
        time.sleep(0.02)


def _wait_for_pip(environment: Environment) -> None:
    """Wait until what the killed process had started is gone, too."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        result = environment.repair("--dry-run")
        if result.returncode != 2:
            time.sleep(0.5)
            return


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no Ctrl-C to one process")
def test_interrupt_takes_the_step_back(lacking: Environment) -> None:
    planted = lacking.digest()
    command = [sys.executable, "-m", "torchdoctor", *lacking.make_command("--yes")]
    variables = {**os.environ, **lacking.variables}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables) as process:
        _wait_for_journal(lacking)
        process.send_signal(2)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130 and b"Traceback" not in stderr
    assert lacking.digest() == planted
