"""Nothing that a file, a fact or a variable holds stops the report, or leaves a traceback."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from torchdoctor.facts.codec import FactsError, read_facts
from torchdoctor.probes.torch_trials import TRIAL_SECONDS, TRIAL_SECONDS_VARIABLE, read_time_limit

SCRIPT = "from torch.utils.data import DataLoader\nfor batch in DataLoader([1], num_workers=2):\n    pass\n"
on_posix = pytest.mark.skipif(os.name == "nt", reason="this file cannot be made on Windows")
Doctor = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def doctor(tmp_path: Path) -> Doctor:
    """Return a function that runs the doctor in an empty folder, and looks at what it says."""

    def run(*arguments: str, folder: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        code = "import os, sys, runpy; folder = sys.argv.pop(1)\n"
        code += "if folder: os.mkdir(folder); os.chdir(folder); os.rmdir(os.path.join('..', folder))\n"
        code += "sys.argv[0] = 'torchdoctor'; from torchdoctor.__main__ import main; main()"
        result = subprocess.run(
            [sys.executable, "-c", code, folder, *arguments],
            cwd=tmp_path, env={**os.environ, **variables}, capture_output=True,
            text=True, encoding="utf-8", errors="surrogateescape", timeout=120,
        )  # fmt: skip
        assert "Traceback" not in result.stderr
        for stream in (result.stdout, result.stderr):
            assert [each for each in stream if not each.isprintable() and each != "\n"] == []
        if result.returncode >= 2:
            assert result.stderr.count("\n") == 1, result.stderr
        return result

    return run


def scan(doctor: Doctor, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return doctor("scan", "--no-trials", "--select", "missing-main-guard,posix-only", *arguments, **variables)


CODINGS = ("hex", "rot13", "zip", "uu", "undefined", "idna", "utf-16", "mbcs", "../x", "unicode_escape")
BAD_FILES: dict[str, bytes] = {
    **{f"coding {name}": f"# -*- coding: {name} -*-\nx = 1\n".encode() for name in CODINGS},
    "parentheses": b"x = " + b"(" * 5000 + b")" * 5000,
    "signs": b"x = " + b"-" * 100_000 + b"1",
    "attributes": b"x = a" + b".b" * 30_000,
    "sum": b"x = " + b"1 + " * 30_000 + b"1",
    "null byte": b"x = '\0'",
    "surrogate": b"x = '\xed\xa0\x80'",
    "integer": b"from torch.utils.data import DataLoader\nDataLoader([1], num_workers=0x"
    + b"f" * 10_000
    + b")",
    "infinity": b"from torch.utils.data import DataLoader\nDataLoader([1], num_workers=int(1e999))",
    "power": b"from torch.utils.data import DataLoader\nn = 9\n"
    + b"n = n * n\n" * 9
    + b"DataLoader([1], num_workers=n)",
}


@pytest.mark.parametrize("name", sorted(BAD_FILES))
def test_bad_file_spoils_only_itself(doctor: Doctor, tmp_path: Path, name: str) -> None:
    (tmp_path / "bad.py").write_bytes(BAD_FILES[name] + b"\n" + SCRIPT.encode())
    (tmp_path / "good.py").write_text(SCRIPT, encoding="utf-8")
    result = scan(doctor, ".")
    assert (result.returncode, "good.py:2" in result.stdout) == (1, True), result.stdout + result.stderr
    # The bad file was either read or named.
    assert "bad.py" in result.stdout + result.stderr


@on_posix
@pytest.mark.parametrize("format_name", ["text", "json", "sarif", "github"])
@pytest.mark.parametrize("name", [b"\xff\xfe.py", b"a\x1b[31m\r\xe2\x80\xaeb.py", b"x\ny.py"])
def test_any_file_name_is_reported(doctor: Doctor, tmp_path: Path, name: bytes, format_name: str) -> None:
    with open(os.fsencode(tmp_path) + b"/" + name, "w", encoding="utf-8") as file:
        file.write(SCRIPT)
    result = scan(doctor, "--format", format_name, str(tmp_path))
    assert result.returncode == 1, result.stderr
    if format_name in ("json", "sarif"):
        json.loads(result.stdout)


@on_posix
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_file_is_not_read(doctor: Doctor, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "facts.json"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    assert doctor("scan", "--facts", str(path)).returncode == 2
    (tmp_path / "train.py").write_text(SCRIPT, encoding="utf-8")
    path.rename(tmp_path / "setup.py")
    assert scan(doctor, ".").returncode == 1


@pytest.mark.parametrize("command", [
    ["scan", ""], ["scan", "--facts", ""], ["dlls", ""], ["explain", "--file", ""], ["explain", "--search", " "],
    ["explain", "1455", "--output", ""], ["scan", "--bogus"], ["bogus"], ["scan", "--format"], ["dlls"],
    ["scan", "--bogus\x1b[31m"], *([*form, "x\x1b[31m\r\a\u202e"] for form in (
        ["run", "--"], ["run", "--python"], ["run", "--bogus"], ["dlls"], ["scan"],
        ["explain", "--file"], ["loader"], ["facts", "--python"], ["repair", "--python"], ["bogus"],
    )),
])  # fmt: skip
def test_unusable_argument_is_refused(doctor: Doctor, command: list[str]) -> None:
    assert doctor(*command).returncode == 2


LONG = "a" * 300


@pytest.mark.parametrize(
    "command",
    [["explain", "--file", LONG], ["repair", "--dry-run", "--no-index", "--find-links", LONG], ["new-check", LONG + "-b"],
     ["loader", LONG], ["scan", LONG], ["scan", "--facts", LONG], ["scan", "--config", LONG]],
    ids=lambda command: " ".join(command[:2])[:20],
)  # fmt: skip
def test_name_that_is_too_long_is_refused(doctor: Doctor, command: list[str]) -> None:
    assert doctor(*command).returncode == 2


@pytest.mark.parametrize("form", ["junit", "sarif"])
def test_file_that_is_not_read_is_in_the_formats_of_gates(doctor: Doctor, tmp_path: Path, form: str) -> None:
    (tmp_path / "broken.py").write_text(f"{SCRIPT}def f(:\n")
    output = doctor("scan", ".", "--no-trials", "--select", "source", "--format", form).stdout
    assert "broken.py: not read" in output


@pytest.mark.parametrize(("path", "exit_code"), [("broken.py", 2), (".", 0)], ids=["named", "found"])
def test_named_file_that_is_not_read_fails(doctor: Doctor, tmp_path: Path, path: str, exit_code: int) -> None:
    (tmp_path / "broken.py").write_text(f"{SCRIPT}def f(:\n")
    (tmp_path / "whole.py").write_text("import torch\n")
    assert doctor("scan", path, "--no-trials", "--select", "source").returncode == exit_code


_TRAINING = "from torch.utils.data import DataLoader\nfor b in DataLoader(ds, num_workers=4): pass\n"


@pytest.mark.parametrize("name", ["train.py", "train.pyw", "train", "train.PY"])
def test_code_is_read_whatever_its_name(doctor: Doctor, tmp_path: Path, name: str) -> None:
    first = "#!/usr/bin/env python3\n" if name == "train" else ""
    (tmp_path / name).write_text(first + _TRAINING, encoding="utf-8")
    result = doctor("scan", name, "--no-trials", "--select", "source")
    assert (result.returncode, "missing-main-guard" in result.stdout) == (1, True)


@pytest.mark.parametrize(
    ("files", "exit_code"),
    [
        ({}, 0),
        ({"notes.txt": "for b in loader"}, 0),
        ({"train.py": _TRAINING + "def ("}, 2),
        ({"train.py": _TRAINING + "def (", "other.py": "import os"}, 0),
    ],
    ids=["empty", "no code", "broken code", "broken and whole code"],
)
def test_what_was_not_read_is_not_passed(
    doctor: Doctor, tmp_path: Path, files: dict[str, str], exit_code: int
) -> None:
    (tmp_path / "project").mkdir()
    for name, text in files.items():
        (tmp_path / "project" / name).write_text(text, encoding="utf-8")
    result = doctor("scan", "project", "--no-trials", "--select", "source")
    assert result.returncode == exit_code
    assert "project" in result.stderr
    assert ("0 passed" in result.stdout) == (len(files) < 2)


@pytest.mark.parametrize("name", ["notes.txt", "tool", "LICENSE.md"])
def test_named_file_that_is_no_code_fails(doctor: Doctor, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(_TRAINING, encoding="utf-8")
    result = doctor("scan", name, "--no-trials", "--select", "source")
    assert (result.returncode, "neither Python code" in result.stderr) == (2, True)


@on_posix
@pytest.mark.parametrize("command", [["explain", "--file"], ["scan", "--from"]])
def test_named_pipe_is_refused(doctor: Doctor, tmp_path: Path, command: list[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    result = doctor(*command, str(tmp_path / "pipe"))
    assert (result.returncode, "pipe: not a regular file" in result.stderr) == (2, True)


@on_posix
@pytest.mark.parametrize("command", [["explain"], ["explain", "--file"], ["scan", "--from"]])
def test_text_of_terabytes_is_refused_unread(doctor: Doctor, tmp_path: Path, command: list[str]) -> None:
    os.truncate(os.open(tmp_path / "text", os.O_CREAT | os.O_WRONLY), 1 << 40)
    started = time.monotonic()
    assert doctor(*command, str(tmp_path / "text")).returncode == 2
    assert time.monotonic() - started < 10


@on_posix
@pytest.mark.parametrize("command", [["explain", "--file", "/dev/zero"], ["scan", "/dev/zero"]])
def test_device_is_refused(doctor: Doctor, command: list[str]) -> None:
    assert doctor(*command).returncode == 2


def test_search_that_finds_nothing_says_so(doctor: Doctor) -> None:
    assert doctor("explain", "--search", "zebra").stderr.endswith("no entry has all of these words: zebra\n")


def test_dash_is_the_screen(doctor: Doctor, tmp_path: Path) -> None:
    assert "paging" in doctor("explain", "WinError 1455", "--output", "-").stdout
    assert list(tmp_path.iterdir()) == []


@on_posix
def test_help_on_a_full_disk(tmp_path: Path) -> None:
    command = f"{sys.executable} -m torchdoctor --help > /dev/full"
    assert subprocess.run(["bash", "-c", command], capture_output=True, timeout=60).returncode == 2


@on_posix
def test_torch_of_links_and_pipes_is_examined(doctor: Doctor, tmp_path: Path) -> None:
    package = tmp_path / "packages" / "torch"
    information = tmp_path / "packages" / "torch-2.9.0.dist-info"
    for folder in (package / "lib", information):
        folder.mkdir(parents=True)
    os.mkfifo(package / "version.py")
    os.mkfifo(information / "RECORD")
    (information / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: torch\nVersion: 2.9.0\n", encoding="utf-8"
    )
    (package / "__init__.py").write_text("", encoding="utf-8")
    result = doctor("facts", "--no-trials", PYTHONPATH=str(tmp_path / "packages"))
    assert result.returncode == 0, result.stderr
    (information / "RECORD").unlink()
    (information / "RECORD").write_text("torch/__init__.py,sha256=x,0\ntorch/lib/z.py,,1\n", encoding="utf-8")
    (package / "lib" / "z.py").write_text("1", encoding="utf-8")
    (package / "a").symlink_to("nowhere")
    for name in ("b", "c"):
        (package / name).symlink_to(".")
    result = doctor("facts", "--no-trials", PYTHONPATH=str(tmp_path / "packages"))
    record = json.loads(result.stdout)["facts"]["torch_record"]
    # The links form circles, and one leads nowhere; the files beside them are still found.
    assert (record["files"], record["missing"], record["altered"]) == (2, [], [])


@pytest.mark.skipif(
    sys.version_info[:3] == (3, 13, 0), reason="Python 3.13.0 cannot import psutil in such a folder"
)
@on_posix
@pytest.mark.parametrize(
    "command", [["scan", "--no-trials"], ["facts", "--no-trials"], ["loader"], ["explain", "1455"]]
)
def test_deleted_folder_and_long_path_entries(doctor: Doctor, command: list[str]) -> None:
    path = os.pathsep.join([os.environ["PATH"], "/" + "a" * 300, "/" + "b/" * 3000])
    ended = doctor(*command, folder="gone", PATH=path)
    if command[0] == "explain":
        assert ended.returncode in (0, 1)
    else:
        # No child can be started there, which says nothing of torch.
        assert ended.returncode == 2 and "the current folder cannot be read" in ended.stderr


@on_posix
@pytest.mark.parametrize(
    "command",
    [
        "fleet .", "fleet f.json", "fleet f.json --output x", "new-check foo-bar", "scan --output x", "scan . --fix", "scan --fix x.py",
        "explain --file f --format jsonl --output x", "explain 1455 --output x", "run --write-launcher x.bat x.py",
        "repair --find-links . --no-index --dry-run", "facts --output x", "dlls .", "dlls x.whl", "scan --from f", "repair --undo",
    ],
)  # fmt: skip
def test_path_in_a_deleted_folder_is_no_defect(doctor: Doctor, command: str) -> None:
    result = doctor(*command.split(), folder="gone")
    assert "defect" not in result.stderr and result.returncode in (0, 1, 2)


def list_numbers(facts: object, place: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    items = facts.items() if isinstance(facts, dict) else enumerate(facts) if isinstance(facts, list) else ()
    for key, value in items:
        yield from list_numbers(value, (*place, key))
    if isinstance(facts, (int, float)):
        yield place


ABSURD = ("1" + "0" * 400, "1e400", "NaN", "-Infinity", "true", "18446744073709551616", '"x"', "9" * 5000)


@pytest.fixture(scope="module")
def facts() -> dict[str, object]:
    """Return the facts file of this machine."""
    command = [sys.executable, "-m", "torchdoctor", "facts", "--no-trials"]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)
    observed: dict[str, object] = json.loads(result.stdout)
    return observed


@pytest.mark.parametrize("value", ABSURD, ids=lambda value: value[:20])
def test_absurd_number_is_refused_by_name(tmp_path: Path, facts: dict[str, object], value: str) -> None:
    file = tmp_path / "facts.json"
    for place in [("schema_version",), *list_numbers(facts["facts"], ("facts",))]:
        changed = json.loads(json.dumps(facts))
        inner = changed
        for key in place[:-1]:
            inner = inner[key]
        was_bool = isinstance(inner[place[-1]], bool)
        inner[place[-1]] = "@"
        file.write_text(json.dumps(changed).replace('"@"', value), encoding="utf-8")
        if was_bool and value == "true":
            continue
        with pytest.raises(FactsError) as raised:
            read_facts(file)
        assert "\n" not in str(raised.value)
        assert len(str(raised.value)) < 300


@pytest.mark.parametrize("value", ["inf", "nan", "1e400", "-1", "0", "x", ""])
def test_absurd_time_limit(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TRIAL_SECONDS_VARIABLE, value)
    assert read_time_limit() == TRIAL_SECONDS


@on_posix
@pytest.mark.parametrize(("arguments", "exit_code"), [
    (["scan", "--no-trials", "nothing.py"], 2), (["explain", "WinError 126 torch"], 0), (["--version"], 0),
    (["explain", "not known"], 1), (["run", "nothing.py"], 2), (["dlls", "nothing"], 2), (["loader"], 0),
])  # fmt: skip
@pytest.mark.parametrize("streams", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "2>/dev/full", "| true"])
def test_closed_streams_keep_the_exit_code(arguments: list[str], exit_code: int, streams: str) -> None:
    command = [sys.executable, "-m", "torchdoctor", *arguments]
    result = subprocess.run(
        ["bash", "-c", f'set -o pipefail; "$@" {streams}', "bash", *command], capture_output=True, timeout=120
    )
    assert (result.returncode, b"Exception ignored" in result.stderr) == (exit_code, False), result.stderr


RAISES = (
    "class Bad(Exception):\n    def __str__(self): raise RuntimeError\n    __repr__ = __str__\nraise Bad\n"
)


def test_exception_that_cannot_say_what_it_is(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / "packages" / "torch").mkdir(parents=True)
    (tmp_path / "packages" / "torch" / "__init__.py").write_text(RAISES, encoding="utf-8")
    result = doctor("facts", PYTHONPATH=str(tmp_path / "packages"))
    trial = json.loads(result.stdout)["facts"]["torch_import_trial"]
    assert (trial["outcome"], trial["exception_type"], trial["exception_message"]) == ("raised", "Bad", "")


def test_bad_facts_file_among_good_ones(doctor: Doctor, tmp_path: Path, facts: dict[str, object]) -> None:
    (tmp_path / "good.json").write_text(json.dumps(facts), encoding="utf-8")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    files = ("good.json", "bad.json", "good.json", "missing.json")
    result = subprocess.run(
        [sys.executable, "-m", "torchdoctor", "scan", *(f"--facts={each}" for each in files)],
        cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=120,
    )  # fmt: skip
    assert (result.returncode, result.stdout.count("Examined:"), result.stderr.count("\n")) == (2, 2, 2)


def test_nothing_was_examined(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_text('{"schema_version": 1, "facts": {}}', encoding="utf-8")
    assert "Nothing was examined" in doctor("scan", "--facts", "empty.json").stdout


# Each command with an option --output.
WRITING = [
    ["scan", "--no-trials", "--select", "source", "train.py"], ["scan", "--no-trials", "--select", "source", "."],
    ["explain", "--file", "train.py"], ["explain", "1455"], ["explain", "--last"], ["facts", "--no-trials"], ["dlls", "."],
    ["dlls", "b.dll"], ["loader", "train.py:dataset"], ["repair", "--dry-run"], ["fleet", "."],
]  # fmt: skip


@pytest.mark.parametrize("output", ["train.py", "b.dll"])
@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_report_replaces_no_code_and_no_program(
    doctor: Doctor, tmp_path: Path, command: list[str], output: str
) -> None:
    contents = {"train.py": SCRIPT.encode(), "b.dll": b"MZ\0\0" * 100}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    result = doctor(*command, "--output", output)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1), result.stderr
    assert {name: (tmp_path / name).read_bytes() for name in contents} == contents


def test_each_command_that_writes_is_tried(doctor: Doctor) -> None:
    names = re.findall(r"(?m)^  ([a-z-]+)  ", doctor("--help").stdout)
    writing = {name for name in names if "--output" in doctor(name, "--help").stdout}
    assert writing == {command[0] for command in WRITING}


def test_name_that_is_written_nearly_so_is_offered(doctor: Doctor) -> None:
    assert "missing-main-guard" in doctor("explain", "missing-main-gard").stdout


TORCHES = {
    "a version without end": "__version__ = 10 ** 6000",
    "an attribute that ends the program": "def __getattr__(name): raise SystemExit(name)",
    "another object": (
        "import sys\nclass T:\n    __spec__ = None\n    def __getattr__(self, name): raise KeyError\n"
        "sys.modules['torch'] = T()"
    ),
}
OVERWRITE = (
    "import os, tempfile\nfor folder, _, files in os.walk(tempfile.gettempdir()):\n    for name in files:\n"
    "        path = os.path.join(folder, name)\n        os.unlink(path)\n        {}\nos._exit(0)\n"
)
ANSWERS = {
    "a pipe": "os.mkfifo(path)",
    "a device": "os.symlink('/dev/zero', path)",
    "nesting": "open(path, 'w').write('[' * 5_000_000)",
    "a terabyte": "os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY), 1 << 40)",
    "folders": "[(os.mkdir('d'), os.chdir('d')) for _ in [os.chdir(folder)] for _ in range(3000)]",
}


def scan_torch(doctor: Doctor, folder: Path, code: str) -> dict[str, object]:
    (folder / "packages" / "torch").mkdir(parents=True)
    (folder / "packages" / "torch" / "__init__.py").write_text(code, encoding="utf-8")
    (folder / "temporary").mkdir()
    result = doctor(
        "scan", "--select", "torch-import-failed", "--format", "json",
        PYTHONPATH=str(folder / "packages"), TMPDIR=str(folder / "temporary"), TORCHDOCTOR_TRIAL_SECONDS="20",
    )  # fmt: skip
    assert list((folder / "temporary").iterdir()) == []
    report: dict[str, object] = json.loads(result.stdout)
    return report["facts"]["torch_import_trial"]  # type: ignore[index]


@on_posix
@pytest.mark.parametrize("name", sorted(TORCHES))
def test_odd_torch_is_imported(doctor: Doctor, tmp_path: Path, name: str) -> None:
    assert scan_torch(doctor, tmp_path, TORCHES[name])["outcome"] == "imported"


def test_version_of_torch_is_cut(doctor: Doctor, tmp_path: Path) -> None:
    trial = scan_torch(doctor, tmp_path, "__version__ = '2' * 20_000_000")
    assert len(str(trial["version"])) == 40_000


@on_posix
@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_answer_that_torch_replaced_is_none(doctor: Doctor, tmp_path: Path, name: str) -> None:
    trial = scan_torch(doctor, tmp_path, OVERWRITE.format(ANSWERS[name]))
    assert trial["outcome"] == "died"
