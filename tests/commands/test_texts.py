"""`scan --from` and `explain --file` on many texts, as the command line runs them."""

import itertools
import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from subprocess import CompletedProcess

import jsonschema
import pytest

from torchdoctor.actions.explain_each import explain_each as explain_each_action
from torchdoctor.commands import explain_each
from torchdoctor.commands.schema import read_schema

Run = Callable[..., CompletedProcess[str]]
READERS = Path(__file__).parents[1] / "samples" / "readers"
UNKNOWN_ERROR = READERS / "unknown_error.txt"
TWO = "PyTorch version: 2.1.0+cu121\nIs debug build: False\n\nPyTorch version: 2.5.1+cpu\nIs debug build: False\n"


def validate(text: str, name: str) -> object:
    data = json.loads(text)
    jsonschema.validate(data, json.loads(read_schema(name).text))
    return data


def test_report_on_a_text(torchdoctor: Run) -> None:
    result = torchdoctor("scan", "--from", UNKNOWN_ERROR)
    assert result.returncode == 1
    assert "The NVIDIA driver is older than this torch needs" in result.stdout
    assert "driver 512.15 (line 13)" in result.stdout
    assert result.stderr == ""


MISMATCH = (
    "RuntimeError: The detected CUDA version (11.8) mismatches the version that was used to compile PyTorch (12.4)."
    " Please make sure to use the same CUDA versions.\n"
)
FULL_CARD = (
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of"
    " 8.00 GiB of which 0 bytes is free.\nPython 3.11.5, torch 2.5.1+cu121, RTX 3060, Windows 11\n"
)


def test_error_in_a_text_proves_what_a_check_cannot(torchdoctor: Run) -> None:
    result = torchdoctor("scan", "--from", "-", stdin=MISMATCH)
    assert result.returncode == 1
    assert "ERROR  The CUDA toolkit is not of the version that torch was built with" in result.stdout
    assert "line 1 of the text says: RuntimeError: The detected CUDA version (11.8)" in result.stdout
    assert "Let the build use an installed toolkit 12.x" in " ".join(result.stdout.split())


def test_check_that_passed_is_not_overruled(torchdoctor: Run) -> None:
    printed = (
        "PyTorch version: 2.4.1+cu124\nCUDA used to build PyTorch: 12.4\nCUDA runtime version: 12.6.20\n"
    )
    text = f"Collecting environment information...\n{printed}{MISMATCH}"
    data = json.loads(torchdoctor("scan", "--from", "-", "--format", "json", stdin=text).stdout)
    outcomes = {each["name"]: each["status"] for each in data["outcomes"]}
    assert outcomes["cuda-toolkit-mismatch"] == "passed"


def test_error_of_no_check_is_named(torchdoctor: Run) -> None:
    result = torchdoctor("scan", "--from", "-", stdin=FULL_CARD)
    assert result.returncode == 0
    said = " ".join(result.stdout.split())
    assert "Nothing wrong was found in what the text states; its error points to another problem." in said
    assert "What the error in the text points to certain: The GPU has run out of memory" in said


def test_error_beside_two_environments_is_of_neither(torchdoctor: Run) -> None:
    result = torchdoctor("scan", "--from", "-", stdin=TWO + MISMATCH)
    assert "of the text says" not in result.stdout


def test_json_report_on_a_text(torchdoctor: Run) -> None:
    data = validate(torchdoctor("scan", "--from", UNKNOWN_ERROR, "--format", "json").stdout, "report")
    assert isinstance(data, dict)
    assert {
        key: value
        for statement in data["text"]["statements"]
        if statement["topic"] == "NVIDIA driver"
        for key, value in statement.items()
        if key in ("topic", "value", "line")
    } == {"topic": "NVIDIA driver", "value": "512.15", "line": 13}
    assert data["facts"]["nvidia_driver"]["version"] == "512.15"


def test_the_facts_of_a_text_give_the_same_report(torchdoctor: Run, tmp_path: Path) -> None:
    direct = json.loads(torchdoctor("scan", "--from", UNKNOWN_ERROR, "--format", "json").stdout)
    (tmp_path / "report.json").write_text(json.dumps(direct), encoding="utf-8")
    again = json.loads(torchdoctor("scan", "--facts", tmp_path / "report.json", "--format", "json").stdout)

    def failed(report: dict[str, object]) -> list[object]:
        return [each["name"] for each in report["outcomes"] if each["status"] == "failed"]  # type: ignore[attr-defined]

    assert failed(direct) == failed(again) != []


@pytest.mark.parametrize("form", ["sarif", "github"])
def test_other_formats_of_a_report_on_a_text(torchdoctor: Run, form: str) -> None:
    assert "driver-too-old" in torchdoctor("scan", "--from", UNKNOWN_ERROR, "--format", form).stdout


def test_two_environments_are_two_reports(torchdoctor: Run, tmp_path: Path) -> None:
    (tmp_path / "issue.txt").write_text(TWO, encoding="utf-8")
    result = torchdoctor("scan", "--from", "issue.txt", "--format", "json")
    assert [report["text"]["source"] for report in json.loads(result.stdout)] == [
        "issue.txt, lines 1 to 1",
        "issue.txt, lines 4 to 4",
    ]
    assert "=== issue.txt, lines 4 to 4" in torchdoctor("scan", "--from", "issue.txt").stdout


def test_two_lines_that_differ_are_shown(torchdoctor: Run, tmp_path: Path) -> None:
    (tmp_path / "issue.txt").write_text("I use torch 2.5\npytorch version: 2.1.0+cu121\n", encoding="utf-8")
    assert "Two lines differ: torch is 2.5 in line 1" in torchdoctor("scan", "--from", "issue.txt").stdout


def test_the_question_of_a_report(torchdoctor: Run, tmp_path: Path) -> None:
    (tmp_path / "issue.txt").write_text("torch 2.5.1+cu124 on win11, python 3.11\n", encoding="utf-8")
    assert "python -m torch.utils.collect_env" in " ".join(
        torchdoctor("scan", "--from", "issue.txt").stdout.split()
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("scan", "--from", "no.txt"), "no.txt: No such file or directory"),
        (("scan", "--from", "empty.txt"), "empty.txt: no line says anything about a Python"),
        (("scan", "--from", "."), ".: Is a directory"),
        (("scan", "--from", "empty.txt", "."), "--from reads a text in place of a machine"),
        (("scan", "--from", "empty.txt", "--facts", "x"), "--from reads a text in place of a machine"),
        (("scan", "--from", "empty.txt", "--python", "x"), "--from reads a text in place of a machine"),
        (("scan", "--from", "empty.txt", "--fix"), "--from reads a text in place of a machine"),
        (("explain", "--format", "jsonl", "text"), "many texts are explained by --file alone"),
        (("explain", "--file", ".", "--scan"), "many texts are explained by --file alone"),
        (("explain", "--file", "folder"), "folder: no file with a text in this folder"),
        (("explain", "--file", "empty.txt", "--file", "bad.jsonl"), "bad.jsonl:1: not JSON"),
        (
            ("explain", "--file", "bad.jsonl"),
            'bad.jsonl:2: a line is a text, or an object with one under "text"',
        ),
    ],
)
def test_what_cannot_be_read(
    torchdoctor: Run, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "bad.jsonl").write_text('no\n{"x": 1}\n', encoding="utf-8")
    result = torchdoctor(*arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def write_texts(folder: Path) -> None:
    (folder / "texts").mkdir()
    (folder / "texts" / "a.log").write_text(
        "OSError: [WinError 1455] The paging file is too small", encoding="utf-8"
    )
    (folder / "texts" / "b.txt").write_text("nothing", encoding="utf-8")
    (folder / "texts" / "picture.png").write_bytes(b"\x89PNG")
    lines = [{"number": 7, "body": "AssertionError: Torch not compiled with CUDA enabled"}, "RuntimeError: x"]
    (folder / "texts" / "c.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")


def test_a_line_for_each_text(torchdoctor: Run, tmp_path: Path) -> None:
    write_texts(tmp_path)
    result = torchdoctor("explain", "--file", "texts", "--format", "jsonl")
    documents = [validate(line, "explanation") for line in result.stdout.splitlines()]
    names = [
        (document["file"], document["diagnoses"][0]["name"] if document["diagnoses"] else None)  # type: ignore[index]
        for document in documents
    ]
    assert [name for _, name in names] == ["paging-file-too-small", None, "cpu-only-build", None]
    assert names[2][0] == "7"
    assert names[3][0].endswith("c.jsonl:2")
    assert (result.returncode, result.stderr) == (1, "")


def test_an_array_of_many_texts(torchdoctor: Run, tmp_path: Path) -> None:
    write_texts(tmp_path)
    arguments = ("explain", "--file", "texts/a.log", "--file", "texts/b.txt", "--format", "json")
    assert len(json.loads(torchdoctor(*arguments).stdout)) == 2
    torchdoctor(*arguments, "--output", "out.json")
    assert len(json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))) == 2


def test_many_texts_as_text(torchdoctor: Run, tmp_path: Path) -> None:
    write_texts(tmp_path)
    shown = torchdoctor("explain", "--file", "texts/a.log", "--file", "texts/b.txt").stdout
    assert shown.index("=== texts") < shown.index("paging-file-too-small") < shown.index("Not recognised")


def test_a_text_that_cannot_be_read_does_not_stop_the_others(torchdoctor: Run, tmp_path: Path) -> None:
    write_texts(tmp_path)
    result = torchdoctor("explain", "-f", "no.txt", "-f", "texts/a.log", "--format", "jsonl")
    assert (result.returncode, len(result.stdout.splitlines())) == (2, 1)
    assert result.stderr == "torchdoctor: no.txt: No such file or directory\n"


@pytest.mark.parametrize("form", ["text", "jsonl"])
@pytest.mark.parametrize("place", ["commands.explain_each.explain_stream", "renderers.explanation.{}"])
def test_a_defect_in_one_text_does_not_stop_the_others(
    form: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_texts(tmp_path)
    module, _, name = place.format("render_line" if form == "jsonl" else "render_part").rpartition(".")
    works, calls = getattr(import_module(f"torchdoctor.{module}"), name), itertools.count()

    def fail_once(*arguments: object, **options: object) -> object:
        if next(calls) == 0:
            raise ValueError("not a number: 2.00.")
        return works(*arguments, **options)

    monkeypatch.setattr(f"torchdoctor.{module}.{name}", fail_once)
    code = explain_each_action([tmp_path / "texts" / "a.log"] * 2, form, jobs=1)
    output = capsys.readouterr()
    assert code == 3
    assert "a.log: defect in torchdoctor: ValueError: not a number: 2.00." in output.err
    assert output.out.count("paging-file-too-small") >= 1


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("cut", [0, 300, -1])
def test_lines_of_a_run_that_was_cut_off_are_kept(
    torchdoctor: Run, tmp_path: Path, cut: int, jobs: str
) -> None:
    write_texts(tmp_path)
    arguments = ("explain", "--file", "texts", "-f", "no.txt", "--format", "jsonl", "--output", "out.jsonl")
    output = tmp_path / "out.jsonl"
    assert torchdoctor(*arguments).returncode == 2
    whole = output.read_bytes()
    output.unlink()
    output.with_name("out.jsonl.torchdoctor-part").write_bytes(whole[:cut])
    assert torchdoctor(*arguments, "--jobs", jobs).returncode == 2
    assert output.read_bytes() == whole


def test_only_texts_that_changed_are_explained_again(torchdoctor: Run, tmp_path: Path) -> None:
    write_texts(tmp_path)
    arguments = ("explain", "--file", "texts", "--format", "jsonl", "--output", "out.jsonl")
    torchdoctor(*arguments)
    output = tmp_path / "out.jsonl"
    # Whoever explained a text again would not write this.
    marked = output.read_bytes().replace(b"paging-file-too-small", b"marked")
    output.write_bytes(marked)
    torchdoctor(*arguments)
    assert output.read_bytes() == marked
    (tmp_path / "texts" / "a.log").write_text("OSError: [WinError 1455]", encoding="utf-8")
    torchdoctor(*arguments)
    assert b"paging-file-too-small" in output.read_bytes()


def test_standard_input_is_one_of_many_texts(torchdoctor: Run, tmp_path: Path) -> None:
    write_texts(tmp_path)
    arguments = ("explain", "--file", "-", "--file", "texts/a.log", "--format", "jsonl", "--jobs", "2")
    lines = torchdoctor(*arguments, stdin="AssertionError: Torch not compiled with CUDA enabled").stdout
    names = [json.loads(line)["diagnoses"][0]["name"] for line in lines.splitlines()]
    assert names == ["cpu-only-build", "paging-file-too-small"]


@pytest.mark.parametrize("form", ["text", "json", "jsonl"])
def test_output_is_no_text_of_the_next_run(torchdoctor: Run, tmp_path: Path, form: str) -> None:
    folder = tmp_path / "dd"
    (folder / "more").mkdir(parents=True)
    (folder / "a.txt").write_text("OSError: [WinError 1455] x\n", encoding="utf-8")
    for output in (folder / "out.jsonl", folder / "more" / "out.txt", folder / "out"):
        result = torchdoctor("explain", "--file", folder, "--format", form, "--output", output)
        assert result.returncode == 2 and "would be read as a text: write it elsewhere" in result.stderr
        assert not output.exists()
    allowed = torchdoctor("explain", "--file", folder, "--format", form, "--output", folder / "out.json")
    assert allowed.returncode == 0, allowed.stderr


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the folder /proc of Linux")
@pytest.mark.parametrize("command", [("explain", "--file"), ("scan", "--from")])
def test_what_the_system_makes_up_is_no_text(torchdoctor: Run, command: tuple[str, ...]) -> None:
    result = torchdoctor(*command, "/proc/self/status")
    assert result.returncode == 2
    assert result.stderr == "torchdoctor: /proc/self/status: made by the system, not a file with a text\n"


def test_folders_that_the_system_makes_up_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("proc", "logs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text("a")
    monkeypatch.setattr(explain_each, "MADE_UP_FOLDERS", {str(tmp_path / "proc")})
    assert list(explain_each._list_files([tmp_path])) == [tmp_path / "logs" / "a.txt"]


ERROR = "AssertionError: Torch not compiled with CUDA enabled"


def _list_names(result) -> list[str]:
    return [json.loads(line)["file"] for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("ticket-5", "ticket-5"),
        (5, "5"),
        (True, "true"),
        (False, "false"),
        ("a\nb\r\n", "a b"),
        ("a\0b\x1b[2J\n\n", "ab"),
        ("\ud800x", "?x"),
        ("\U0001f600", "\U0001f600"),
        ("", "x.jsonl:1"),
        (" \n", "x.jsonl:1"),
        (None, "x.jsonl:1"),
        ([1], "x.jsonl:1"),
    ],
    ids=repr,
)
def test_id_of_a_record_is_one_line_of_text(given: object, shown: str, torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(json.dumps({"id": given, "text": ERROR}), encoding="utf-8")
    result = torchdoctor("explain", "--file", "x.jsonl", "--format", "jsonl")
    assert _list_names(result) == [shown]


def _write_tickets(tmp_path: Path) -> None:
    for name in ("m/a@x.com.txt", "m/b@x.com.txt", "m/rosalind/log.txt", "m/quux/log.txt", "m/log.txt"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(ERROR, encoding="utf-8")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_names_that_are_shown_alike_have_numbers(jobs: str, torchdoctor, tmp_path: Path) -> None:
    _write_tickets(tmp_path)
    result = torchdoctor("explain", "--file", "m", "--format", "jsonl", "--jobs", jobs)
    assert _list_names(result) == [
        "m/<email>",
        "m/<email> (2)",
        "m/log.txt",
        "m/.../log.txt",
        "m/.../log.txt (2)",
    ]


def test_names_in_json_have_the_same_numbers(torchdoctor, tmp_path: Path) -> None:
    _write_tickets(tmp_path)
    told = [
        _list_names(torchdoctor("explain", "--file", "m", "--format", "jsonl")),
        [
            each["file"]
            for each in json.loads(torchdoctor("explain", "--file", "m", "--format", "json").stdout)
        ],
    ]
    assert told[0] == told[1]


def test_same_id_twice_stays_the_same(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(f"{json.dumps({'id': 5, 'text': ERROR})}\n" * 2, encoding="utf-8")
    assert _list_names(torchdoctor("explain", "--file", "x.jsonl", "--format", "jsonl")) == ["5", "5"]
