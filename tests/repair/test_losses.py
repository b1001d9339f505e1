"""An undo without a line of the journal or a file of what was kept brings back everything, or says what not."""

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from torchdoctor.check import Severity
from torchdoctor.knowledge.commands import PACKAGES, VARIABLES, PipCommand, VariableCommand
from torchdoctor.repair import running
from torchdoctor.repair.environment import PythonEnvironment
from torchdoctor.repair.journal import Journal, list_journals, make_journal
from torchdoctor.repair.plan import RepairStep
from torchdoctor.repair.undoing import undo

OLD = {
    "a/__init__.py": "1",
    "a/old.py": "1",
    "a-1.dist-info/METADATA": "1",
    "b/__init__.py": "1",
    "c.py": "1",
}


class Machine:
    """A folder of packages, which two steps change, and a variable, which the last step sets."""

    def __init__(self, folder: Path) -> None:
        self.site, self.state = folder / "site", folder / "state"
        self.variables: dict[str, tuple[str, int]] = {"PATH": ("C:\\x", 1)}

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.site / name).parent.mkdir(parents=True, exist_ok=True)
            (self.site / name).write_text(text)

    def pip(self, arguments: tuple[str, ...], *_: object) -> None:
        match arguments[-1]:
            case "a":
                shutil.rmtree(self.site / "a")
                shutil.rmtree(self.site / "a-1.dist-info")
                self.write({"a/__init__.py": "22", "a/new.py": "2", "a-2.dist-info/METADATA": "2"})
            case "b":
                # A file that the first step has changed as well.
                for name in ("b/__init__.py", "a/new.py"):
                    (self.site / name).unlink()
                self.write({"b/__init__.py": "22", "a/new.py": "333", "b/more.py": "2"})

    def set_variable(self, name: str, value: tuple[str, int] | None) -> None:
        self.variables.pop(name, None) if value is None else self.variables.update({name: value})

    def look(self) -> tuple[dict[str, str], dict[str, tuple[str, int]]]:
        files = {str(each.relative_to(self.site)): each for each in self.site.rglob("*") if each.is_file()}
        return {name: each.read_text() for name, each in files.items()}, dict(self.variables)


def make_step(subject: str, command: PipCommand | VariableCommand) -> RepairStep:
    return RepairStep("broken", "Broken", (), "", subject, (command,), Severity.ERROR)


STEPS = (
    make_step(PACKAGES, PipCommand(("install", "a"))),
    make_step(PACKAGES, PipCommand(("install", "b"))),
    make_step(VARIABLES, VariableCommand("NEW", "1")),
)


@pytest.fixture
def make_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Machine]:
    def make() -> Machine:
        machine = Machine(tmp_path / str(len(list(tmp_path.iterdir()))))
        machine.write(OLD)
        monkeypatch.setenv("TORCHDOCTOR_STATE_DIR", str(machine.state))
        monkeypatch.setattr(running, "run_pip", machine.pip)
        monkeypatch.setattr(running, "_check_space", lambda *_: None)
        monkeypatch.setattr(running, "read_variable", machine.variables.get)
        monkeypatch.setattr(running, "write_variable", machine.set_variable)
        monkeypatch.delenv("NEW", raising=False)
        return machine

    return make


def repair(machine: Machine, steps: tuple[RepairStep, ...] = STEPS) -> Journal:
    folders = (str(machine.site),)
    environment = PythonEnvironment("no-python", str(machine.site), folders, folders, None, has_pip=True)
    journal = make_journal()
    journal.write("started", python="no-python", prefix=str(machine.site))
    for number, step in enumerate(steps, 1):
        running.run_step(step, number, environment, journal, lambda _: None)
        journal.write("ended", number=number, verdict="mended")
    journal.write("finished", exit_code=0)
    return journal


def cut_off(machine: Machine) -> Journal:
    """Repair, and lose power when the second step has run, before that is noted."""

    def die(*_: object) -> None:
        raise ZeroDivisionError

    note = running._note_changes
    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(ZeroDivisionError):
        patch.setattr(running, "_note_changes", lambda folder: die() if folder.name == "2" else note(folder))
        patch.setattr(running, "undo_step", die)
        repair(machine)
    return list_journals()[-1]


def list_losses(journal: Journal) -> list[tuple[str, int | None, int]]:
    """List each line, each end of the journal, each file and each folder that can be lost."""
    count = len((journal.folder / "journal.jsonl").read_bytes().splitlines())
    kept = sorted(str(each.relative_to(journal.folder)) for each in journal.folder.rglob("*"))
    lines = [("journal.jsonl", number, number + 1) for number in range(count)]
    return [
        *lines,
        *(("journal.jsonl", number, count) for number in range(count)),
        *((each, None, 0) for each in kept),
    ]


def lose(journal: Journal, name: str, first: int | None, end: int) -> None:
    path = journal.folder / name
    if first is not None:
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:first] + lines[end:]))
    elif path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


@pytest.mark.parametrize("prepare", [repair, cut_off])
@pytest.mark.parametrize("is_named", [True, False])
def test_undo_after_any_loss_is_complete_or_not_begun(
    make_machine: Callable[[], Machine], prepare: Callable[[Machine], Journal], is_named: bool
) -> None:
    before = make_machine().look()
    losses = list_losses(prepare(make_machine()))
    assert len(losses) > 30
    for loss in losses:
        machine = make_machine()
        journal = prepare(machine)
        after = machine.look()
        assert after != before
        lose(journal, *loss)
        result = undo(journal.name if is_named else None)
        expected = before if result.exit_code == 0 else after
        assert machine.look() == expected, (loss, result)
        assert result.exit_code == 0 or result.problems, loss


def test_undo_brings_back_all_steps(make_machine: Callable[[], Machine]) -> None:
    machine = make_machine()
    before = machine.look()
    journal = repair(machine)
    (journal.folder / "snapshots" / "desktop.ini").write_text("of the system")
    assert undo(None).exit_code == 0 and machine.look() == before


def test_undo_sees_later_changes_of_what_an_earlier_step_changed(make_machine: Callable[[], Machine]) -> None:
    machine = make_machine()
    repair(machine)
    machine.write({"a/__init__.py": "by hand"})
    after = machine.look()
    with pytest.raises(Exception, match="changed after this repair"):
        undo(None)
    assert machine.look() == after
