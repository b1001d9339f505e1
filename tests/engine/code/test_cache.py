"""Answers are used again only for the same bytes, imports and checks; else the files are examined."""

import os
import random
from pathlib import Path

import pytest

from torchdoctor.check import Bound, Edit, Finding, Location, Replacement, Severity
from torchdoctor.core import user_folders
from torchdoctor.engine.code import answer_codec
from torchdoctor.engine.code.examination import CodeOptions, ExaminedCode, examine_code, reads_code
from torchdoctor.engine.code.file_examiner import FileAnswer, FileExaminer
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import Outcome
from torchdoctor.facts import Facts

REGISTRY = load_registry()
CHECKS = [check for check in REGISTRY.checks if reads_code(check)]
PROJECTS = Path(__file__).parents[2] / "projects"
TRAINING = "from data import get_loader\nfor batch in get_loader():\n    print(batch)\n"
LOADER = (
    "from torch.utils.data import DataLoader\ndef get_loader():\n    return DataLoader([1], num_workers={})\n"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache, which is empty."""
    monkeypatch.setenv(user_folders.CACHE_VARIABLE, str(tmp_path / "kept"))
    return tmp_path / "kept" / "code"


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were examined, not answered from the cache."""
    names: list[str] = []
    examine = FileExaminer.examine

    def record(self: FileExaminer, found: Path) -> FileAnswer:
        names.append(found.name)
        return examine(self, found)

    monkeypatch.setattr(FileExaminer, "examine", record)
    return names


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose script works at import with a loader of another file."""
    (tmp_path / "code" / "data").mkdir(parents=True)
    write(tmp_path / "code", "data/__init__.py", "from data.make import get_loader\n")
    write(tmp_path / "code", "data/make.py", LOADER.format(2))
    write(tmp_path / "code", "train.py", TRAINING)
    return tmp_path / "code"


def write(project: Path, name: str, text: str) -> None:
    (project / name).write_text(text, encoding="utf-8")


def scan(*paths: Path, cached: bool = True, checks=CHECKS) -> ExaminedCode:
    return examine_code(paths, checks, Facts(), REGISTRY.knowledge, options=CodeOptions(uses_cache=cached))


def test_second_examination_reads_no_file_and_finds_the_same(examined: list[str]) -> None:
    first = scan(PROJECTS)
    assert examined and any(outcome.findings for outcome in first.outcomes)
    examined.clear()
    assert scan(PROJECTS) == first == scan(PROJECTS, cached=False)
    assert set(examined) and examined.count("dataset.py") == 1


def test_only_the_changed_file_is_examined(project: Path, examined: list[str]) -> None:
    write(project, "other.py", "import os\nos.fork()\n")
    assert len(scan(project).outcomes) == len(CHECKS)
    examined.clear()
    write(project, "other.py", "import os\nos.getuid()\n")
    assert scan(project) == scan(project, cached=False)
    assert examined[0] == "other.py" and examined.count("train.py") == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("data/make.py", LOADER.format(0)),
        ("data/__init__.py", LOADER.format(0)),
        ("data/make.py", "from settings import N\n" + LOADER.format("N")),
        ("data.py", LOADER.format(0)),
        ("data/__init__.py", ""),
    ],
    ids=["file that is imported by an import", "import", "constant", "module before package", "empty"],
)
def test_script_is_examined_again_when_what_it_imports_changes(project: Path, name: str, text: str) -> None:
    assert _find_guards(scan(project)) == ["train.py"]
    write(project, name, text)
    changed = scan(project)
    assert changed == scan(project, cached=False) and _find_guards(changed) == []


def test_script_is_examined_again_when_an_import_appears(project: Path) -> None:
    (project / "data" / "make.py").rename(project / "make.py")
    assert _find_guards(scan(project)) == []
    (project / "make.py").rename(project / "data" / "make.py")
    assert _find_guards(scan(project)) == ["train.py"]


def _find_guards(examined: ExaminedCode) -> list[str]:
    return [
        Path(finding.location.path).name
        for outcome in examined.outcomes
        for finding in outcome.findings
        if outcome.name == "missing-main-guard" and finding.location is not None
    ]


def test_any_order_of_changes_finds_what_a_first_examination_finds(project: Path) -> None:
    choices = {
        "train.py": [TRAINING, "import data\nfor x in data.get_loader(): pass\n", "(", "x = 1\n"],
        "data/__init__.py": [
            "from data.make import get_loader\n",
            "from .make import *\n",
            LOADER.format(3),
            None,
        ],
        "data/make.py": [LOADER.format(2), LOADER.format(0), "from settings import N\n" + LOADER.format("N")],
        "settings.py": ["N = 4\n", "N = 0\n", "from more import N\n", None],
        "more.py": ["N = 1\n", "N = 0\n", None],
        "data.py": [LOADER.format(1), None],
        "c.yaml": ["num_workers: 16\n", "num_workers: 0\n"],
    }
    draw = random.Random(7)
    seen = set()
    for _ in range(120):
        name = draw.choice(list(choices))
        text = draw.choice(choices[name])
        (project / name).unlink(missing_ok=True)
        if text is not None:
            write(project, name, text)
        found = scan(project)
        assert found == scan(project, cached=False), (name, text)
        seen.add(tuple(len(outcome.findings) for outcome in found.outcomes))
    assert len(seen) > 3


def test_answers_belong_to_the_folder_and_the_paths(project: Path, monkeypatch, folder: Path) -> None:
    scan(project)
    monkeypatch.chdir(project)
    relative = scan(Path())
    (finding,) = (finding for outcome in relative.outcomes for finding in outcome.findings)
    assert finding.location is not None and finding.location.path == "train.py"
    assert scan(project) == scan(project, cached=False)
    assert len(list(folder.iterdir())) == 3


def test_nothing_is_kept_of_single_files(project: Path, folder: Path) -> None:
    assert _find_guards(scan(project / "train.py", project / "data" / "make.py")) == ["train.py"]
    assert not folder.exists()


def test_damaged_file_is_not_used(project: Path, folder: Path, examined: list[str]) -> None:
    expected = scan(project)
    (file,) = folder.iterdir()
    data = file.read_bytes()
    for damaged in (b"", data[:-9], data.replace(b"train", b"brain"), b"x\n[]", b"\xff" * 40, b"[" * 100_000):
        file.write_bytes(damaged)
        examined.clear()
        assert scan(project) == expected
        assert "train.py" in examined


@pytest.mark.skipif(os.name == "nt", reason="links and named pipes need other calls on Windows")
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_link_or_pipe_in_its_place_is_left_alone(project: Path, folder: Path, tmp_path, kind: str) -> None:
    before = scan(project)
    [file] = folder.iterdir()
    file.unlink()
    other = tmp_path / "other.txt"
    other.write_text("mine")
    if kind == "link":
        file.symlink_to(other)
    else:
        os.mkfifo(file)
    assert scan(project) == before
    assert other.read_text() == "mine"


@pytest.mark.parametrize("place", ["file", "missing home"])
def test_code_is_examined_without_a_place_to_keep_answers(
    project: Path, monkeypatch, tmp_path, place
) -> None:
    if place == "file":
        write(tmp_path, "taken", "")
        monkeypatch.setenv(user_folders.CACHE_VARIABLE, str(tmp_path / "taken"))
    else:
        monkeypatch.delenv(user_folders.CACHE_VARIABLE)
        monkeypatch.setattr(user_folders, "_find_folder", _raise)
    assert scan(project) == scan(project, cached=False)


def _raise(*_: str) -> Path:
    raise RuntimeError("no home folder")


def test_changed_check_examines_all_files_again(
    project: Path, examined: list[str], monkeypatch, tmp_path
) -> None:
    scan(project)
    examined.clear()
    monkeypatch.setattr("torchdoctor.engine.code.cache.__version__", "0")
    scan(project)
    assert "train.py" in examined


def test_changed_plugin_examines_all_files_again(
    project: Path, examined: list[str], install_plugin, monkeypatch, tmp_path: Path
) -> None:
    code = """
from collections.abc import Iterator
from torchdoctor.check import Finding, check
from torchdoctor.source import SourceFile

@check
def their_problem(source: SourceFile) -> Iterator[Finding]:
    yield Finding("seen")
"""
    entry = (PROJECTS.parent.parent / "knowledge_base" / "missing_main_guard.md").read_text(encoding="utf-8")
    install_plugin(tmp_path / "site", {"their_problem": code}, {"their_problem": entry})
    monkeypatch.syspath_prepend(tmp_path / "site")
    registry = load_registry()
    checks = [check for check in registry.checks if check.name == "their-problem"]
    options = CodeOptions(uses_cache=True)

    def scan_theirs() -> int:
        outcomes = examine_code([project], checks, Facts(), registry.knowledge, options=options).outcomes
        return sum(len(outcome.findings) for outcome in outcomes)

    assert scan_theirs() == 3 == len(examined)
    assert scan_theirs() == 3 == len(examined)
    write(tmp_path / "site", "their_checks/helper.py", "")
    assert scan_theirs() == 3 == len(examined) - 3


def test_what_removed_imports_led_to_is_forgotten(project: Path, folder: Path) -> None:
    write(project, "settings.py", "N = 2\n")
    write(project, "data/make.py", "from settings import N\n" + LOADER.format("N"))
    scan(project)
    (file,) = folder.iterdir()
    assert b"settings" in file.read_bytes()
    write(project, "data/make.py", LOADER.format(2))
    (project / "settings.py").unlink()
    scan(project)
    assert b"settings" not in file.read_bytes()


def test_fewer_checks_have_answers_of_their_own(project: Path) -> None:
    scan(project)
    fewer = [check for check in CHECKS if check.name != "missing-main-guard"]
    assert scan(project, checks=fewer).outcomes == scan(project, checks=fewer, cached=False).outcomes


def test_answer_that_a_slow_machine_gave_is_not_kept(project: Path, monkeypatch) -> None:
    slow = Outcome("missing-main-guard", "passed", Severity.ERROR, unread=("train.py",))
    with monkeypatch.context() as patch:
        patch.setattr(FileExaminer, "examine", lambda self, found: FileAnswer((slow,), is_lasting=False))
        scan(project)
    assert scan(project) == scan(project, cached=False)


def test_oldest_answers_are_deleted(project: Path, folder: Path) -> None:
    folder.mkdir(parents=True)
    for number in range(60):
        name = f".{number}.json.tmp" if number == 5 else f"{number}.json"
        write(folder, name, "")
        os.utime(folder / name, (number, number))
    scan(project)
    names = {file.name for file in folder.iterdir()}
    assert len(names) == 40 and "59.json" in names and not {"20.json", ".5.json.tmp"} & names


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_only_the_user_can_read_the_answers(project: Path, folder: Path) -> None:
    scan(project)
    assert [file.stat().st_mode & 0o777 for file in (folder, *folder.iterdir())] == [0o700, 0o600]


def test_answer_comes_back_as_it_was() -> None:
    edit = Edit("a.py", "change", (Replacement(1, 2, "x\ud800"),))
    finding = Finding(
        "seen",
        Location("a.py", 3, 4, 5, 6, 7),
        {"a": [1, None]},
        Severity.NOTE,
        edit,
        "step",
        Bound("b", 1, "c"),
    )
    outcome = Outcome("name", "failed", Severity.ERROR, (finding, Finding("x")), ("p",), "r", ("u",), 2)
    answer = FileAnswer((outcome,), "notice", is_lasting=False)
    assert answer_codec.decode(answer_codec.encode(answer)) == answer
    odd = Finding("seen", evidence={"a": (1, 2)})
    assert answer_codec.encode(FileAnswer((Outcome("n", "failed", Severity.ERROR, (odd,)),))) is None


def test_every_finding_of_the_projects_can_be_kept() -> None:
    examiner = FileExaminer(CHECKS, Facts(), REGISTRY.knowledge, [PROJECTS])
    answers = [examiner.examine(file) for file in sorted(PROJECTS.rglob("*.py"))]
    assert all(answer_codec.encode(answer) is not None for answer in answers)
    assert sum(bool(answer.outcomes) for answer in answers) > 3
