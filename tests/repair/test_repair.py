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

SCHEMAS = Path(__file__).parents[2] / "torchdoctor" / "schemas"
SCHEMA = json.loads((SCHEMAS / "repair.json").read_text(encoding="utf-8"))
JOURNAL_SCHEMA = SCHEMAS / "repair-journal.json"


def read_json(text: str) -> dict:
    data = json.loads(text)
    jsonschema.validate(data, SCHEMA)
    return data


@pytest.fixture(params=["lacking", "outdated"])
def broken(request: pytest.FixtureRequest) -> Environment:
    environment: Environment = request.getfixturevalue(request.param)
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


def test_undo_without_id_goes_no_further_back_than_the_last_repair(lacking: Environment) -> None:
    assert lacking.repair("--yes").returncode == 0
    lacking.pip("uninstall", "-y", "tinydep")
    assert lacking.repair("--yes").returncode == 0
    assert lacking.repair("--undo").returncode == 0 and not lacking.works()
    lacking.install("tinydep")
    mended = lacking.digest()
    result = lacking.repair("--undo")
    assert result.returncode == 2 and "--undo ID takes back an older one" in result.stderr
    assert lacking.digest() == mended


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
    assert [event["event"] for event in events] == [
        "started", "step", "kept", "ran", "ended", "finished",
    ]  # fmt: skip
    assert any(each.startswith("torch==") for each in events[0]["packages"])
    assert lacking.repair("--undo").returncode == 0
    schema = json.loads(JOURNAL_SCHEMA.read_text(encoding="utf-8"))
    lines = (lacking.state / "repairs" / data["id"] / "journal.jsonl").read_text().splitlines()
    assert [json.loads(line)["event"] for line in lines][-2:] == ["undoing", "undone"]
    for line in lines:
        jsonschema.validate(json.loads(line), schema)


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


@pytest.mark.skipif(os.name == "nt", reason="Windows starts a program by its path")
@pytest.mark.parametrize("way", ["name on PATH", "relative", "link to the environment"])
def test_running_program_is_seen_however_it_was_started(lacking: Environment, way: str) -> None:
    planted = lacking.digest()
    folder = Path(lacking.python).parent
    link = lacking.folder.parent / "link"
    link.symlink_to(lacking.folder)
    command = {"name on PATH": "python", "relative": "./python"}.get(way, str(link / "bin" / "python"))
    env = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    with subprocess.Popen(
        ["bash", "-c", f'exec {command} -c "input()"'], stdin=subprocess.PIPE, cwd=folder, env=env
    ) as process:
        time.sleep(0.5)
        result = lacking.repair("--yes")
        process.communicate(b"\n", timeout=20)
    assert result.returncode == 1 and str(process.pid) in result.stderr and lacking.digest() == planted


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


def test_full_disk_for_the_journal_is_said(lacking: Environment) -> None:
    planted = lacking.digest()
    for count in range(1, 6):
        code = (
            "import os, sys\n"
            f"fsync, left = os.fsync, [{count}]\n"
            "def fail(descriptor):\n"
            "    left[0] -= 1\n"
            "    if left[0] < 0: raise OSError(28, 'No space left on device')\n"
            "    fsync(descriptor)\n"
            "os.fsync = fail\n"
            "from torchdoctor.__main__ import main\n"
            f"sys.argv = ['torchdoctor', *{lacking.make_command('--yes')!r}]; main()"
        )
        env = {**os.environ, **lacking.variables}
        ended = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
        said = ended.stdout + ended.stderr
        assert "No space left on device" in said and "Traceback" not in said and "defect" not in said, count
        lacking.repair("--undo")
        assert lacking.digest() == planted, count
    assert lacking.repair("--yes").returncode == 0 and lacking.works()


def test_going_back_that_fails_is_not_called_unchanged(lacking: Environment) -> None:
    code = (
        "import sys\n"
        "from torchdoctor.repair import pip, running, snapshot\n"
        "def fail(*_): raise pip.StepError('pip ended with 1')\n"
        "def lose(self): raise snapshot.SnapshotError('x: what was kept of it was changed')\n"
        "running.run_pip = fail; snapshot.Snapshot.verify = lose\n"
        "from torchdoctor.__main__ import main\n"
        f"sys.argv = ['torchdoctor', *{lacking.make_command('--yes')!r}]; main()"
    )
    env = {**os.environ, **lacking.variables}
    ended = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert "not everything is as it was" in ended.stdout and "Nothing was changed" not in ended.stdout
    assert ended.returncode == 1


def test_finding_in_other_words_is_not_mended(lacking: Environment) -> None:
    # The step puts an old release in the place of a missing one.
    (lacking.wheels / "tinydep-2.0-py3-none-any.whl").unlink()
    files = {"tinydep/__init__.py": "VERSION = 2\n"}
    make_wheel(lacking.wheels, "tinydep", "2.0", files, requires="nowhere==7; extra == 'x'")
    code = (
        "import sys\n"
        "from torchdoctor.repair import running\n"
        "run = running.run_pip\n"
        "def misplace(arguments, *others): run([a.replace('tinydep>=2', 'tinydep==1.0') for a in arguments], *others)\n"
        "running.run_pip = misplace\n"
        "from torchdoctor.__main__ import main\n"
        f"sys.argv = ['torchdoctor', *{lacking.make_command('--yes')!r}]; main()"
    )
    env = {**os.environ, **lacking.variables}
    ended = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert ended.returncode == 1 and "Mended" not in ended.stdout and not lacking.works(), ended.stdout


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


# Of each two, every combination.
@pytest.mark.parametrize(
    ("broken", "seed", "way"),
    [("lacking", 0, "undo"), ("lacking", 1, "repair"), ("outdated", 0, "repair"), ("outdated", 1, "undo")],
    indirect=["broken"],
)
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
