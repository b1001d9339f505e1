"""The command line: formats, exit codes, and one line for every mistake."""

import json
import os
import sys
from pathlib import Path

import jsonschema
import pytest

from torchdoctor.__main__ import main
from torchdoctor.commands import run as running
from torchdoctor.commands.schema import read_schema

FACTS = Path(__file__).parent / "samples" / "vc_redist_outdated" / "bad-2.9-with-14.36.json"


def _validate(text: str, name: str) -> dict:
    data = json.loads(text)
    jsonschema.validate(data, json.loads(read_schema(name).text))
    return data


def test_json_report_is_valid_and_alone_on_stdout(torchdoctor) -> None:
    _validate(torchdoctor("scan", "--no-trials", "--format", "json").stdout, "report")


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("facts", "--no-trials"), "facts"),
        (("explain", "tdr-timeout", "--format", "json"), "entry"),
        (("explain", "--list", "--format", "json"), "entries"),
        (("checks", "--format", "json"), "checks"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_other_json_is_valid(torchdoctor, command, name: str) -> None:
    _validate(torchdoctor(*command).stdout, name)


def test_report_of_saved_facts_is_valid(torchdoctor) -> None:
    ended = torchdoctor("scan", "--facts", FACTS, "--format", "json")
    failed = [
        item["name"] for item in _validate(ended.stdout, "report")["outcomes"] if item["status"] == "failed"
    ]
    assert (ended.returncode, failed) == (1, ["vc-redist-outdated"])


def test_facts_can_be_examined_elsewhere(torchdoctor, tmp_path: Path) -> None:
    torchdoctor("facts", "--no-trials", "--output", "facts.json")
    here = json.loads(torchdoctor("scan", "--no-trials", "--format", "json").stdout)
    there = json.loads(torchdoctor("scan", "--facts", "facts.json", "--format", "json").stdout)
    statuses = [[(item["name"], item["status"]) for item in report["outcomes"]] for report in (here, there)]
    assert statuses[0] == statuses[1]


def test_a_report_is_a_facts_file(torchdoctor, tmp_path: Path) -> None:
    torchdoctor("scan", "--facts", FACTS, "--format", "json", "--output", "report.json")
    assert torchdoctor("scan", "--facts", "report.json").returncode == 1


@pytest.mark.parametrize(("fail_on", "code"), [("error", 1), ("note", 1)])
def test_fail_on(torchdoctor, fail_on: str, code: int) -> None:
    assert torchdoctor("scan", "--facts", FACTS, "--fail-on", fail_on).returncode == code


def test_explanation_is_valid(torchdoctor) -> None:
    text = "OSError: [WinError 1455] The paging file is too small for this operation to complete."
    data = _validate(torchdoctor("explain", text, "--format", "json").stdout, "explanation")
    assert data["diagnoses"][0]["name"] == "paging-file-too-small"


def test_explain_reads_a_pipe(torchdoctor) -> None:
    ended = torchdoctor("explain", stdin="OSError: [WinError 1455] x")
    assert (ended.returncode, "paging-file-too-small" in ended.stdout) == (0, True)


def test_list_of_entries_is_json_where_asked(torchdoctor) -> None:
    entries = json.loads(torchdoctor("explain", "--list", "--format", "json").stdout)
    assert {"name", "title", "family", "severity"} == entries[0].keys()


def test_entry_is_json_where_asked(torchdoctor) -> None:
    entry = json.loads(torchdoctor("explain", "tdr-timeout", "--format", "json").stdout)
    assert (entry["name"], bool(entry["fix"])) == ("tdr-timeout", True)


def test_explain_does_not_guess(torchdoctor) -> None:
    assert torchdoctor("explain", "ValueError: shapes (2,3) and (4,5) not aligned").returncode == 1


def test_explain_scan_asks_the_machine(torchdoctor, fake_torch) -> None:
    env = fake_torch("raise OSError('[WinError 1455] The paging file is too small')")
    ended = torchdoctor("explain", "[WinError 1455]", "--scan", "--format", "json", env=env)
    assert json.loads(ended.stdout)["diagnoses"][0]["confirmed"] in (True, False, None)


def test_markup_and_control_sequences_are_only_text(torchdoctor) -> None:
    ended = torchdoctor("explain", "\x1b]0;owned\x07[red]OSError: [WinError 1455][/red]")
    assert "\x1b" not in ended.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("scan", "no/such/folder"),
        ("scan", "--select", "no-such-check"),
        ("scan", "--fail-on", "nonsense"),
        ("scan", "--format", "nonsense"),
        ("scan", "--facts", "no-such-file.json"),
        ("scan", "--python", "no-such-python"),
        ("scan", "--no-trials", "--output", "no/such/folder/report.json"),
        ("explain", "--file", "no-such-file.txt"),
        ("schema", "nonsense"),
        ("dlls", "no-such-folder"),
        ("dlls", "."),
    ],
    ids=lambda arguments: " ".join(arguments),
)
def test_mistake_is_one_line_on_stderr(torchdoctor, arguments: tuple[str, ...]) -> None:
    ended = torchdoctor(*arguments)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended.stderr


def test_defect_in_run_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["torchdoctor", "run", "x.py"])
    monkeypatch.setattr(running, "run", lambda arguments, watcher: [][1])
    with pytest.raises(SystemExit) as ended:
        main()
    assert (ended.value.code, capsys.readouterr().err.count("\n")) == (3, 1)


def test_output_that_cannot_be_written_leaves_nothing_behind(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    ended = torchdoctor("explain", "--list", "--output", "reports")
    assert (ended.returncode, os.listdir(tmp_path)) == (2, ["reports"])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no mode bits")
def test_output_can_be_read_by_others(torchdoctor, tmp_path: Path) -> None:
    torchdoctor("explain", "--list", "--output", "list.txt")
    (tmp_path / "usual").touch()
    assert (tmp_path / "list.txt").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="a named pipe of POSIX stands for every device")
def test_output_to_a_device_does_not_replace_it(torchdoctor, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    ended = torchdoctor("explain", "tdr-timeout", "--output", "pipe")
    assert (ended.returncode, os.read(reader, 1 << 16) != b"") == (0, True)


@pytest.mark.parametrize("content", [b"", b"MZ" + bytes(500), b"PK\x03\x04 not really a zip", b"\x00" * 4096])
def test_garbage_instead_of_a_wheel_is_one_line(torchdoctor, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "torch.whl").write_bytes(content)
    ended = torchdoctor("dlls", "torch.whl")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr


def test_garbage_instead_of_a_dll_is_a_finding(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "c10.dll").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    ended = torchdoctor("dlls", ".", "--format", "json")
    failed = [
        item["name"] for item in _validate(ended.stdout, "dlls")["outcomes"] if item["status"] == "failed"
    ]
    assert (ended.returncode, failed) == (1, ["dll-wrong-architecture"])


@pytest.mark.skipif(os.name == "nt", reason="a shell script stands for a broken interpreter")
@pytest.mark.parametrize("script", ["exit 0", "echo garbage; exit 5", "kill -9 $$"])
def test_interpreter_that_is_none_is_one_line(torchdoctor, tmp_path: Path, script: str) -> None:
    fake = tmp_path / "python"
    fake.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    fake.chmod(0o755)
    ended = torchdoctor("scan", "--python", fake)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr


@pytest.mark.parametrize("encoding", ["cp437", "cp936", "cp1252", "ascii"])
def test_any_console_encoding_will_do(torchdoctor, encoding: str) -> None:
    ended = torchdoctor(
        "explain", "OSError: [WinError 1455] 页面文件太小", env={"PYTHONIOENCODING": encoding}
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_home_folder_is_redacted_in_json(torchdoctor, tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "CUDA_PATH": str(tmp_path / "cuda")}
    assert str(tmp_path) not in torchdoctor("facts", "--no-trials", env=env).stdout


def test_no_redact_keeps_the_home_folder(torchdoctor, tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "CUDA_PATH": str(tmp_path / "cuda")}
    shown = torchdoctor("facts", "--no-trials", "--no-redact", env=env).stdout
    assert json.dumps(str(tmp_path))[1:-1] in shown


def test_version(torchdoctor) -> None:
    assert torchdoctor("--version").stdout.startswith("torchdoctor ")


def test_examined_interpreter_is_an_argument(torchdoctor) -> None:
    report = json.loads(
        torchdoctor("scan", "--no-trials", "--python", sys.executable, "--format", "json").stdout
    )
    assert report["facts"]["interpreter"]["bits"] == 64
