"""`scan --diff` shows edits, `scan --fix` makes them, and comments suppress findings."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from torchdoctor.actions.formats import REPORT_FORMATS
from torchdoctor.check import Edit, Replacement
from torchdoctor.commands.fix import PlannedChanges, plan_changes, write_change, write_changes
from torchdoctor.commands.scan import ScanRequest
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.code.edits import drop_unusable_edits
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.runner import run_checks
from torchdoctor.facts import Facts
from torchdoctor.source import SourceFile
from torchdoctor.source.edits.changes import Change
from torchdoctor.source.files.reading import parse_source

UNGUARDED = """from torch.utils.data import DataLoader

data = [1, 2, 3]
for batch in DataLoader(data, num_workers=2):  # every epoch
    print(batch)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "train.py"
    file.write_bytes(UNGUARDED.replace("\n", "\r\n").encode())
    return file


def _scan(torchdoctor, *arguments: object):
    return torchdoctor("scan", *arguments, "--select", "missing-main-guard")


def test_diff_shows_the_edit_and_changes_nothing(torchdoctor, script: Path) -> None:
    before = script.read_bytes()
    result = _scan(torchdoctor, script, "--diff")
    assert (result.returncode, "+if __name__" in result.stdout, script.read_bytes()) == (1, True, before)


def test_fix_removes_the_finding(torchdoctor, script: Path) -> None:
    assert _scan(torchdoctor, script).returncode == 1
    result = _scan(torchdoctor, script, "--fix")
    assert (result.returncode, _scan(torchdoctor, script).returncode) == (0, 0), result.stdout


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("other.py", "import train\n"),
        ("other.py", "import os, train as t\n"),
        ("other.py", "def f():\n    from train import data\n"),
        ("other.py", "from .train import data\n"),
        ("other.py", "from . import train\n"),
        ("sub/other.py", "import importlib\nimportlib.import_module('train')\n"),
        ("sub/other.py", "import runpy\nrunpy.run_path('../train.py')\n"),
        ("other.ipynb", '{"cells": [{"source": ["from train import data\\n"]}]}'),
    ],
)
def test_script_that_others_import_gets_no_guard(
    name: str, text: str, torchdoctor, script: Path, tmp_path: Path
) -> None:
    other = tmp_path / name
    other.parent.mkdir(exist_ok=True)
    other.write_text(text, encoding="utf-8")
    before = script.read_bytes()
    result = _scan(torchdoctor, script, "--fix")
    assert (f"{other} may import it" in result.stderr, script.read_bytes()) == (True, before)


def test_name_of_a_script_in_other_imports_is_no_matter(torchdoctor, script: Path, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(
        "from a import train\nimport a.train_it\ntrain = 1\n", encoding="utf-8"
    )
    _scan(torchdoctor, script, "--fix")
    assert b"__main__" in script.read_bytes()


def test_fix_keeps_line_endings_and_comments(torchdoctor, script: Path) -> None:
    _scan(torchdoctor, script, "--fix")
    raw = script.read_bytes()
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert b"# every epoch" in raw


def test_diff_without_findings_is_empty(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("print(1)\n", encoding="utf-8")
    result = _scan(torchdoctor, tmp_path / "good.py", "--diff")
    assert (result.returncode, result.stdout) == (0, "")


def test_fix_needs_a_path(torchdoctor) -> None:
    result = torchdoctor("scan", "--fix")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)


def test_comment_suppresses_a_finding(torchdoctor, script: Path) -> None:
    text = UNGUARDED.replace("# every epoch", "# torchdoctor: ignore[missing-main-guard]")
    script.write_text(text, encoding="utf-8")
    result = _scan(torchdoctor, script)
    assert (result.returncode, "suppressed by a comment" in result.stdout) == (0, True)


def test_unreadable_file_is_reported_and_the_rest_is_scanned(torchdoctor, script: Path) -> None:
    script.with_name("broken.py").write_text(
        "from torch.utils.data import DataLoader\nDataLoader([], num_workers=2)\ndef (:\n", encoding="utf-8"
    )
    result = _scan(torchdoctor, script.parent)
    assert (result.returncode, result.stderr.count("\n"), "broken.py" in result.stderr) == (1, 1, True)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_writing_keeps_encoding_permissions_and_line_endings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.py"
    text = f"# coding: {encoding.removesuffix('-sig')}\r\nx = 'é'\r\n"
    path.write_bytes(text.encode(encoding))
    os.chmod(path, 0o754)
    write_change(Change(str(path), text, text + "y = 1\r\n", ("",), encoding))
    assert path.read_bytes() == (text + "y = 1\r\n").encode(encoding)
    assert os.name == "nt" or path.stat().st_mode & 0o777 == 0o754
    assert [file.name for file in tmp_path.iterdir()] == ["a.py"]


CODINGS = ("cp1252", "koi8-r", "shift_jis", "euc_kr", "utf-8-sig", "utf-7", "unicode_escape", "punycode")


@pytest.mark.parametrize("coding", CODINGS)
def test_fix_keeps_the_texts_of_the_program(torchdoctor, tmp_path: Path, coding: str) -> None:
    path = tmp_path / "train.py"
    letter = next(each for each in "éЖ漢한" if each in each.encode(coding, "replace").decode(coding))
    text = f"# coding: {coding.removesuffix('-sig')}\n{UNGUARDED}print('{letter}')\n"
    path.write_bytes(text.encode(coding))
    before = path.read_bytes()
    patch, result = _scan(torchdoctor, path, "--diff"), _scan(torchdoctor, path, "--fix")
    after = path.read_bytes()
    assert f"'{letter}'" in after.decode(coding)
    # What is not changed is named.
    named = "not changed" in result.stderr or "not read" in result.stderr
    assert ((after != before) != named, bool(patch.stdout) == (after != before)) == (True, True), (
        result.stderr
    )


def test_changed_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("new\n", encoding="utf-8")
    with pytest.raises(UsageError, match="changed since"):
        write_change(Change(str(path), "old\n", "older\n", ("",)))


@pytest.mark.parametrize("kind", ["read-only", "hard links"])
def test_file_that_is_to_stay_is_left_and_named(torchdoctor, script: Path, kind: str) -> None:
    other = script.with_name("other.py")
    shutil.copy(script, other)
    if kind == "read-only":
        os.chmod(script, 0o444)
    else:
        os.link(script, script.with_name("copy.txt"))
    before = script.read_bytes()
    result = _scan(torchdoctor, script.parent, "--fix")
    assert (script.read_bytes() == before, other.read_bytes() == before) == (True, False)
    assert kind in " ".join(result.stderr.split()), result.stderr
    assert result.returncode == 1


def test_text_that_an_editor_saves_in_between_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.py"
    path.write_text("old\n", encoding="utf-8")
    chmod = os.chmod

    def save_in_between(*arguments: Any) -> None:
        path.write_text("of the editor\n", encoding="utf-8")
        chmod(*arguments)

    monkeypatch.setattr("os.chmod", save_in_between)
    with pytest.raises(UsageError, match="changed since"):
        write_change(Change(str(path), "old\n", "new\n", ("",)))
    assert [(file.name, file.read_text(encoding="utf-8")) for file in tmp_path.iterdir()] == [
        ("a.py", "of the editor\n")
    ]


def _find_advice(torchdoctor, script: Path) -> str:
    report = json.loads(_scan(torchdoctor, script, "--format", "json").stdout)
    [finding] = [finding for outcome in report["outcomes"] for finding in outcome["findings"]]
    return finding["fix"]


def test_finding_names_the_command_that_removes_it(torchdoctor, tmp_path: Path) -> None:
    script = tmp_path / "my code" / "train.py"
    script.parent.mkdir()
    script.write_text(UNGUARDED, encoding="utf-8")
    [command] = re.findall(r"^ +torchdoctor (.*)$", _find_advice(torchdoctor, script), re.MULTILINE)
    result = torchdoctor(*shlex.split(command, posix=os.name != "nt"))
    assert (result.returncode, _scan(torchdoctor, script).returncode) == (0, 0), result.stderr


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "Let torchdoctor make the change; `--diff` in place of `--fix` shows it first:"),
        (
            {"other.py": "import train\n"},
            "`--fix` leaves this file as it is, because {}other.py may import it.",
        ),
        (
            {"plugins.py": "import importlib\ndef load(name): return importlib.import_module(name)\n"},
            "`--fix` leaves this file as it is, because {}plugins.py imports modules or runs files whose names "
            "only a run shows, and may import it.",
        ),
        (
            {f"part{number}.py": "import os\n" for number in range(402)},
            "Let torchdoctor make the change; `--diff` in place of `--fix` shows it first, or says that it is "
            "not made because other files may import it:",
        ),
    ],
    ids=["alone", "imported", "imported-by-a-variable-name", "in-a-large-project"],
)
def test_advice_names_the_command_only_where_it_makes_the_change(
    files: dict[str, str], said: str, torchdoctor, script: Path, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    first, _, rest = _find_advice(torchdoctor, script).partition("\n")
    assert (first, "By hand: In " in rest) == (said.format(f"{tmp_path}{os.sep}"), True)


def test_edit_that_mends_nothing_is_not_offered() -> None:
    source = parse_source("train.py", UNGUARDED.encode())
    checks = [each for each in load_registry().checks if each.name == "missing-main-guard"]
    [outcome] = run_checks(checks, Facts({SourceFile: (source,)}), load_registry().knowledge)
    [finding] = outcome.findings
    idle = replace(finding, edit=Edit("train.py", "add a space", (Replacement(0, 0, " "),)))
    elsewhere = replace(finding, edit=Edit("other.py", "add a guard", finding.edit.replacements))
    kept = drop_unusable_edits(
        [replace(outcome, findings=(each,)) for each in (finding, idle, elsewhere)], checks, source
    )
    assert [each.findings[0].edit is not None for each in kept] == [True, False, False]


@pytest.mark.parametrize("name", ["$(calc).py", "a`calc`.py", "a;calc.py", "$HOME.py", "a&calc.py"])
def test_file_that_a_shell_would_misread_is_in_no_command(torchdoctor, tmp_path: Path, name: str) -> None:
    script = tmp_path / name
    script.write_text(UNGUARDED, encoding="utf-8")
    advice = _find_advice(torchdoctor, script)
    assert (name in advice, "quote it for your shell" in advice) == (False, True)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_link_to_a_file_that_was_not_named_is_left(torchdoctor, tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text(UNGUARDED, encoding="utf-8")
    (tmp_path / "code").mkdir()
    link = tmp_path / "code" / "link.py"
    link.symlink_to(outside)
    result = _scan(torchdoctor, link.parent, "--fix")
    assert outside.read_text(encoding="utf-8") == UNGUARDED
    assert "a link to a file outside" in " ".join(result.stderr.split())
    _scan(torchdoctor, link, "--fix")
    assert (outside.read_text(encoding="utf-8") != UNGUARDED, link.is_symlink()) == (True, True)


@pytest.mark.skipif(os.name == "nt", reason="these names cannot be made on Windows")
@pytest.mark.parametrize("name", ["a\x1b[31m.py", 'a"b.py', "a\\b.py", "a\n--- b.py", "é\u202e.py"])
def test_diff_of_any_file_name_applies(torchdoctor, tmp_path: Path, name: str) -> None:
    script = tmp_path / name
    script.write_text(UNGUARDED, encoding="utf-8")
    result = _scan(torchdoctor, script, "--diff")
    patch = result.stdout.replace(str(tmp_path).lstrip("/") + "/", "")
    assert [each for each in patch if not each.isprintable() and each != "\n"] == []
    applied = subprocess.run(
        ["git", "apply", "-"], input=patch, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8"
    )
    assert (applied.returncode, script.read_text(encoding="utf-8") != UNGUARDED) == (0, True), applied.stderr


def test_second_run_changes_nothing(torchdoctor, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        "from torch.utils.data import DataLoader\n"
        "functions = [lambda b: b, lambda b: b[0]]\n"
        "loaders = [DataLoader(d, num_workers=2, collate_fn=lambda b: b[i]) for i in range(2)]\n"
        "for x in DataLoader(d, num_workers=2, collate_fn=lambda b: b[0]):\n    print(x)\n",
        encoding="utf-8",
    )
    _scan(torchdoctor, script, "--fix")
    assert _scan(torchdoctor, script, "--diff").stdout == ""


def test_last_line_says_what_was_changed_and_what_was_left(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(UNGUARDED, encoding="utf-8")
    (tmp_path / "b.py").write_text(
        "import multiprocessing as mp\nmp.set_start_method('fork')\n", encoding="utf-8"
    )
    lines = [_scan_code(torchdoctor, tmp_path) for _ in range(2)]
    left = "left: 1 finding in the code, to mend by hand as the report says"
    assert lines == [
        f"torchdoctor: --fix made 1 change in 1 file; {left}",
        f"torchdoctor: --fix made no change; {left}",
    ]


def _scan_code(torchdoctor, folder: Path) -> str:
    options = ("--no-trials", "--select", "source", "--fix")
    return torchdoctor("scan", folder, *options).stderr.splitlines()[-1]


@pytest.mark.parametrize("is_written", [False, True])
def test_interrupted_fix_says_how_many_files_it_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_written: bool
) -> None:
    changes = tuple(Change(str(tmp_path / name), "", "x = 1\n", ("",)) for name in ("a.py", "b.py", "c.py"))
    called: list[str] = []

    def write(change: Change) -> None:
        called.append(change.path)
        if len(called) < 2 or is_written:
            Path(change.path).write_bytes(b"x = 1\n")
        if len(called) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("torchdoctor.commands.fix.write_change", write)
    with pytest.raises(KeyboardInterrupt, match=f"has changed {2 if is_written else 1} of 3 files"):
        write_changes(PlannedChanges(changes))


# Names that systems allow, and that are no text, are more than one line, or look like something else.
ODD_NAMES = (
    b"\xff\xfe.py", b"d\xff/b.py", b"new\nline.py", b"tab\there.py", b"cr\r.py", b"a\x1b[31m.py", b"\xe2\x80\xae.py",
    b" .py", b"-h.py", b"--fix.py", b"'.py", b'".py', b"$(x).py", b"%s.py", b"{0}.py", b"[a](b).py", b"<b>.py", b"&amp;.py",
    b"::error::a.py", b"\xed\xa0\x80.py", b"a" * 200 + b".py", b"\xf0\x9f\x90\x8d.py", b"caf\xe9 1.py", b"x\x80\n\xff/y\n.py",
    b"..py", b"a..py", b"*.py", b"?.py", b"#.py", b"a\\b.py", b"a:b.py", b"a|b.py", b"\x01.py", b"\x7f.py", b"\xc2\x85.py",
)  # fmt: skip


@pytest.fixture(scope="module")
def odd_files(tmp_path_factory: pytest.TempPathFactory) -> dict[bytes, bytes]:
    """Return the path of a file for each odd name."""
    folder = os.fsencode(tmp_path_factory.mktemp("odd"))
    paths = {name: os.path.join(folder, b"code", name) for name in ODD_NAMES}
    try:
        for path in paths.values():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "xb") as file:
                file.write(UNGUARDED.encode())
    except OSError:
        pytest.skip("the system has no such names")
    return paths


def _run_on(paths: dict[bytes, bytes], *options: str) -> subprocess.CompletedProcess[bytes]:
    folder = os.path.dirname(os.path.commonpath(paths.values()))
    command = [
        sys.executable,
        "-m",
        "torchdoctor",
        "scan",
        "code",
        "--no-trials",
        "--select",
        "missing-main-guard",
    ]
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": root}
    return subprocess.run([*command, *options], cwd=folder, capture_output=True, timeout=120, env=environment)


@pytest.mark.parametrize("form", REPORT_FORMATS)
def test_files_of_any_name_are_reported(odd_files: dict[bytes, bytes], form: str) -> None:
    result = _run_on(odd_files, "--format", form)
    assert (result.returncode, result.stderr) == (1, b"")
    text = result.stdout.decode("utf-8")
    assert [each for each in text if not (each.isprintable() or each in "\n\t")] == []


def test_files_of_any_name_are_changed(odd_files: dict[bytes, bytes]) -> None:
    before = _run_on(odd_files, "--diff")
    assert before.stderr == b""
    assert (before.returncode, before.stdout.count(b"\n+if __name__")) == (1, len(ODD_NAMES))
    result = _run_on(odd_files, "--fix")
    lines = result.stderr.decode("utf-8").splitlines()
    assert (result.returncode, len(lines)) == (0, len(ODD_NAMES) + 1), result.stderr
    assert lines[-1].endswith("left: nothing")
    unchanged = [
        name for name, path in odd_files.items() if b"__main__" not in Path(os.fsdecode(path)).read_bytes()
    ]
    assert unchanged == []
    shown = "\n".join(lines)
    assert all(
        part in shown for part in ("\\xff\\xfe.py:", "d\\xff/b.py:", "new\\nline.py:", "\\x1b[31m.py:")
    )


def test_importer_of_any_name_is_shown_with_escapes(odd_files: dict[bytes, bytes], tmp_path: Path) -> None:
    for name in (b"\xff\n.py", b"train.py"):
        with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
            file.write(UNGUARDED.encode() if name == b"train.py" else b"import train\n")
    planned = plan_changes(ScanRequest((tmp_path,), select=("missing-main-guard",)))
    [line] = planned.left
    assert f"because {tmp_path}{os.sep}\\xff\\n.py may import it" in line


def test_diff_fails_for_an_error_that_no_edit_removes(torchdoctor, tmp_path: Path) -> None:
    code = 'import torch.multiprocessing as mp\n\nmp.set_start_method("fork")\n'
    (tmp_path / "fork.py").write_text(code, encoding="utf-8")
    result = torchdoctor("scan", tmp_path / "fork.py", "--diff")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "torchdoctor: 1 finding has no change: scan without --diff shows what to do\n"


def test_diff_of_a_named_file_that_cannot_be_read_fails(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "from torch.utils.data import DataLoader\nDataLoader([], num_workers=2)\ndef (\n", encoding="utf-8"
    )
    result = torchdoctor("scan", tmp_path / "broken.py", "--diff")
    assert (result.returncode, result.stdout) == (2, "")
    assert "broken.py: not read: line 3" in result.stderr


def test_diff_has_no_other_format(torchdoctor, script: Path) -> None:
    result = _scan(torchdoctor, script, "--diff", "--format", "json")
    assert (result.returncode, result.stdout) == (2, "")
    assert "--diff writes a unified diff: leave out --format" in result.stderr


def test_diff_names_the_cells_that_were_not_read(torchdoctor, tmp_path: Path) -> None:
    code = "from torch.utils.data import DataLoader\nDataLoader([], num_workers=2)\n"
    cells = [
        {"cell_type": "code", "source": each, "metadata": {}, "outputs": []} for each in (code, "def (\n")
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    result = torchdoctor("scan", tmp_path / "a.ipynb", "--diff")
    assert result.returncode == 2
    assert "a.ipynb: not read: cell 2" in result.stderr
