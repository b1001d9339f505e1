"""The command line: output formats, exit codes and one-line error messages."""

import json
import os
import shutil
import subprocess
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


def test_stdout_is_nothing_but_a_valid_json_report(torchdoctor) -> None:
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
def test_json_of_other_commands_is_valid(torchdoctor, command, name: str) -> None:
    _validate(torchdoctor(*command).stdout, name)


def test_report_of_saved_facts_is_valid(torchdoctor) -> None:
    result = torchdoctor("scan", "--facts", FACTS, "--format", "json")
    failed = [
        item["name"] for item in _validate(result.stdout, "report")["outcomes"] if item["status"] == "failed"
    ]
    assert (result.returncode, failed) == (1, ["vc-redist-outdated"])


def test_saved_facts_give_the_same_statuses(torchdoctor, tmp_path: Path) -> None:
    torchdoctor("facts", "--no-trials", "--output", "facts.json")
    direct = json.loads(torchdoctor("scan", "--no-trials", "--format", "json").stdout)
    from_file = json.loads(torchdoctor("scan", "--facts", "facts.json", "--format", "json").stdout)
    statuses = [
        [(item["name"], item["status"]) for item in report["outcomes"]] for report in (direct, from_file)
    ]
    assert statuses[0] == statuses[1]


def test_report_can_be_used_as_a_facts_file(torchdoctor, tmp_path: Path) -> None:
    torchdoctor("scan", "--facts", FACTS, "--format", "json", "--output", "report.json")
    assert torchdoctor("scan", "--facts", "report.json").returncode == 1


@pytest.mark.parametrize(("fail_on", "code"), [("error", 1), ("note", 1)])
def test_fail_on_sets_the_exit_code(torchdoctor, fail_on: str, code: int) -> None:
    assert torchdoctor("scan", "--facts", FACTS, "--fail-on", fail_on).returncode == code


def test_explanation_is_valid_json(torchdoctor) -> None:
    text = "OSError: [WinError 1455] The paging file is too small for this operation to complete."
    data = _validate(torchdoctor("explain", text, "--format", "json").stdout, "explanation")
    assert data["diagnoses"][0]["name"] == "paging-file-too-small"


@pytest.mark.parametrize("arguments", [(), ("-",), ("--file", "-")])
def test_explain_reads_a_pipe(torchdoctor, arguments: tuple[str, ...]) -> None:
    result = torchdoctor("explain", *arguments, stdin="OSError: [WinError 1455] x")
    assert (result.returncode, "paging-file-too-small" in result.stdout) == (0, True)


def test_explain_reads_a_file_that_its_text_names(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "my error.txt").write_text("OSError: [WinError 1455] x", encoding="utf-8")
    result = torchdoctor("explain", "my error.txt")
    assert (result.returncode, "the file my error.txt" in result.stderr) == (0, True)


def test_lists_entries_as_json(torchdoctor) -> None:
    entries = json.loads(torchdoctor("explain", "--list", "--format", "json").stdout)
    assert {"name", "title", "family", "severity"} == entries[0].keys()


def test_shows_an_entry_as_json(torchdoctor) -> None:
    entry = json.loads(torchdoctor("explain", "tdr-timeout", "--format", "json").stdout)
    assert (entry["name"], bool(entry["fix"])) == ("tdr-timeout", True)


def test_explain_does_not_guess(torchdoctor) -> None:
    assert torchdoctor("explain", "ValueError: shapes (2,3) and (4,5) not aligned").returncode == 1


def test_explain_scan_checks_this_machine(torchdoctor, fake_torch) -> None:
    env = fake_torch("raise OSError('[WinError 1455] The paging file is too small')")
    result = torchdoctor("explain", "[WinError 1455]", "--scan", "--format", "json", env=env)
    assert json.loads(result.stdout)["diagnoses"][0]["confirmed"] in (True, False, None)


def test_prints_no_control_sequence_of_the_input(torchdoctor) -> None:
    result = torchdoctor("explain", "\x1b]0;owned\x07[red]OSError: [WinError 1455][/red]")
    assert "\x1b" not in result.stdout


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
        ("explain", "--clipboard", "a text"),
        ("explain", "--last", "--file", "error.txt"),
        ("explain", "--list", "--open"),
        ("schema", "nonsense"),
        ("dlls", "no-such-folder"),
        ("dlls", "."),
    ],
    ids=lambda arguments: " ".join(arguments),
)
def test_usage_error_is_one_line_on_stderr(torchdoctor, arguments: tuple[str, ...]) -> None:
    result = torchdoctor(*arguments)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.stderr


def test_unexpected_exception_in_run_is_one_line_on_stderr(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["torchdoctor", "run", "x.py"])
    monkeypatch.setattr(running, "run", lambda arguments, watcher: [][1])
    with pytest.raises(SystemExit) as exit_info:
        main()
    assert (exit_info.value.code, capsys.readouterr().err.count("\n")) == (3, 1)


def test_failed_output_leaves_no_file_behind(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    result = torchdoctor("explain", "--list", "--output", "reports")
    assert (result.returncode, os.listdir(tmp_path)) == (2, ["reports"])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no mode bits")
def test_output_file_has_the_usual_permissions(torchdoctor, tmp_path: Path) -> None:
    torchdoctor("explain", "--list", "--output", "list.txt")
    (tmp_path / "usual").touch()
    assert (tmp_path / "list.txt").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="a named pipe of POSIX stands for every device")
def test_output_to_a_device_does_not_replace_it(torchdoctor, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    result = torchdoctor("explain", "tdr-timeout", "--output", "pipe")
    assert (result.returncode, os.read(reader, 1 << 16) != b"") == (0, True)


@pytest.mark.parametrize("content", [b"", b"MZ" + bytes(500), b"PK\x03\x04 not really a zip", b"\x00" * 4096])
def test_broken_wheel_is_one_line_on_stderr(torchdoctor, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "torch.whl").write_bytes(content)
    result = torchdoctor("dlls", "torch.whl")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1), result.stderr


def test_broken_dll_is_a_finding(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "c10.dll").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    result = torchdoctor("dlls", ".", "--format", "json")
    failed = [
        item["name"] for item in _validate(result.stdout, "dlls")["outcomes"] if item["status"] == "failed"
    ]
    assert (result.returncode, failed) == (1, ["dll-wrong-architecture"])


@pytest.mark.skipif(os.name == "nt", reason="a shell script stands for a broken interpreter")
@pytest.mark.parametrize("script", ["exit 0", "echo garbage; exit 5", "kill -9 $$"])
def test_broken_interpreter_is_one_line_on_stderr(torchdoctor, tmp_path: Path, script: str) -> None:
    fake = tmp_path / "python"
    fake.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    fake.chmod(0o755)
    result = torchdoctor("scan", "--python", fake)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1), result.stderr


@pytest.mark.parametrize("encoding", ["cp437", "cp850", "cp932", "cp936", "cp1252", "ascii", "utf-8"])
def test_works_with_any_console_encoding(torchdoctor, encoding: str) -> None:
    result = torchdoctor(
        "explain", "OSError: [WinError 1455] 页面文件太小", env={"PYTHONIOENCODING": encoding}
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_home_folder_is_redacted_in_json(torchdoctor, tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "CUDA_PATH": str(tmp_path / "cuda")}
    assert str(tmp_path) not in torchdoctor("facts", "--no-trials", env=env).stdout


def test_no_redact_keeps_the_home_folder(torchdoctor, tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "CUDA_PATH": str(tmp_path / "cuda")}
    output = torchdoctor("facts", "--no-trials", "--no-redact", env=env).stdout
    assert json.dumps(str(tmp_path))[1:-1] in output


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full and a shell that closes streams")
@pytest.mark.parametrize(
    ("redirection", "exit_code"), [("<&-", 1), (">&-", 1), ("2>&-", 1), (">/dev/full", 2)]
)
def test_stream_that_is_closed_or_full_is_no_defect(redirection: str, exit_code: int) -> None:
    command = f'"{sys.executable}" -m torchdoctor explain "not a known text" {redirection}'
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert (result.returncode, "defect" in result.stderr) == (exit_code, False), result.stderr


def test_empty_path_of_an_interpreter_is_an_error(torchdoctor) -> None:
    result = torchdoctor("scan", "--python", "")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)


def test_short_query_lists_entries(torchdoctor) -> None:
    result = torchdoctor("explain", "1455")
    assert (result.returncode, "torchdoctor explain paging-file-too-small" in result.stdout) == (1, True)


def test_search_lists_entries(torchdoctor) -> None:
    result = torchdoctor("explain", "--search", "page file")
    assert (result.returncode, result.stdout.splitlines()[0].split()[0]) == (0, "paging-file-too-small")


def test_search_without_a_hit_exits_with_1(torchdoctor) -> None:
    assert torchdoctor("explain", "--search", "zebra").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "suggestion"),
    [
        (("scan", "--select", "missing-main-gard"), "missing-main-guard"),
        (("scan", "--select", "gpus"), "gpu"),
        (("scan", "--format", "jsn"), "json"),
        (("scan", "--fail-on", "eror"), "error"),
    ],
)
def test_misspelt_word_gets_a_suggestion(torchdoctor, arguments: tuple[str, ...], suggestion: str) -> None:
    result = torchdoctor(*arguments)
    assert (result.returncode, f"did you mean {suggestion}?" in result.stderr) == (2, True), result.stderr


def test_prints_its_version(torchdoctor) -> None:
    assert torchdoctor("--version").stdout.startswith("torchdoctor ")


def test_scan_examines_the_given_interpreter(torchdoctor) -> None:
    report = json.loads(
        torchdoctor("scan", "--no-trials", "--python", sys.executable, "--format", "json").stdout
    )
    assert report["facts"]["interpreter"]["bits"] == 64


def test_each_of_several_variables_has_its_own_step(torchdoctor) -> None:
    variables = {"KMP_DUPLICATE_LIB_OK": "TRUE", "CUDA_LAUNCH_BLOCKING": "1"}
    select = ("--select", "hurtful-environment-variables")
    screen = torchdoctor("scan", "--no-trials", "-v", *select, env=variables).stdout
    assert [screen.count(f"Remove-Item Env:{name}") for name in variables] == [1, 1]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("torchdoctor new", ["new-check"]),
        ("torchdoctor scan --format ju", ["junit"]),
        ("torchdoctor scan --select gpu-b", ["gpu-build-without-card"]),
        ("torchdoctor explain paging", ["paging-file-too-small"]),
    ],
)
def test_shell_completes(typed: str, offered: list[str]) -> None:
    script = shutil.which("torchdoctor", path=str(Path(sys.executable).parent))
    if script is None:
        pytest.skip("the command is not installed beside this Python")
    env = {
        **os.environ,
        "_TORCHDOCTOR_COMPLETE": "complete_bash",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(typed.split()) - 1),
    }
    result = subprocess.run([script], env=env, capture_output=True, text=True, timeout=60)
    assert result.stdout.split() == offered


def test_completion_is_shown_and_writes_no_profile(torchdoctor, tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "PATH": os.environ["PATH"]}
    assert "--install-completion" not in torchdoctor("--help").stdout
    assert torchdoctor("--install-completion", env=environment).returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_damaged_compiled_modules_are_compiled_anew(torchdoctor, tmp_path: Path) -> None:
    env = {"PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""}
    whole = torchdoctor("explain", "WinError 1455", env=env)
    # Before these, nothing of the doctor runs.
    needed = ("damaged_caches", "version", "__init__", "__main__")
    copies = [path for path in tmp_path.rglob("torchdoctor/**/*.pyc") if not path.name.startswith(needed)]
    assert len(copies) > 50
    for copy in copies:
        copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    again = torchdoctor("explain", "WinError 1455", env=env)
    assert (again.returncode, again.stdout) == (0, whole.stdout), again.stderr
