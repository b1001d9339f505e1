"""`fleet` with saved facts: what is wrong on which machines, what differs, and the exit codes."""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from tests.fleet.conftest import SICK, make_facts
from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.commands.schema import read_schema


def _fleet(torchdoctor, *arguments: object):
    return torchdoctor("fleet", *map(str, arguments))


def _report(torchdoctor, *arguments: object) -> dict:
    report = json.loads(_fleet(torchdoctor, *arguments, "--format", "json").stdout)
    jsonschema.validate(report, json.loads(read_schema("fleet").text))
    return report


def test_machines_that_are_well(torchdoctor, room) -> None:
    result = _fleet(torchdoctor, room(a=make_facts(), b=make_facts()))
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("2 machines: 2 without findings.")
    assert "What they have" in result.stdout and "torch 2.8.0+cu128" in result.stdout


def test_a_sick_machine_is_named_with_what_mends_it(torchdoctor, room) -> None:
    result = _fleet(torchdoctor, room(a=make_facts(), sick=json.loads(SICK.read_text())))
    assert result.returncode == 1
    assert "1 of 2: sick (vc-redist-outdated)" in result.stdout
    assert "First step on sick" in result.stdout


def test_what_differs_is_named_with_what_most_have(torchdoctor, room) -> None:
    others = {name: make_facts() for name in "abc"}
    folder = room(**others, odd=make_facts(driver="551.23"), small=make_facts(commit_gib=9))
    text = _fleet(torchdoctor, folder).stdout
    assert "odd: NVIDIA driver 551.23" in text
    assert "small: commit limit 9 GiB" in text
    assert "from 9.0 GiB (small) to 64.0 GiB (a)" in text


def test_commit_limits_that_are_near_make_no_difference(torchdoctor, room) -> None:
    report = _report(torchdoctor, room(a=make_facts(commit_gib=48), b=make_facts(commit_gib=73.5)))
    assert [group["machines"]["count"] for group in report["configurations"]] == [2]


def test_requirements_of_the_configuration_are_judged_for_each_group(torchdoctor, room, tmp_path) -> None:
    config = tmp_path / "torchdoctor.toml"
    config.write_text('require = { torch = ">=2.9" }')
    folder = room(a=make_facts(torch="2.9.0+cu128"), b=make_facts())
    report = _report(torchdoctor, folder, "--config", config)
    assert [group["unmet"] for group in report["configurations"]] == [
        [], ["the project requires torch >=2.9; torch 2.8.0+cu128 is installed"]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"torch": "2.7.1+cu128"}, "torch differs: 2.8.0+cu128 on a; 2.7.1+cu128 on b"),
        ({"cuda": "12.6"}, "CUDA differs: 12.8 on a; 12.6 on b"),
        ({"cuda": None}, "CUDA differs: 12.8 on a; none on b"),
        ({"numpy": "1.26.4"}, "the major version of NumPy differs: 2 on a; 1 on b"),
    ],
)
def test_before_training_all_machines_have_to_be_equal(torchdoctor, room, changes, reason) -> None:
    folder = room(a=make_facts(), b=make_facts(**changes))
    assert _fleet(torchdoctor, folder, "--fail-on", "error").returncode == 0
    result = _fleet(torchdoctor, folder, "--before-training")
    assert (result.returncode, "Not ready for training" in result.stdout) == (1, True)
    assert reason in " ".join(result.stdout.split())


@pytest.mark.parametrize("changes", [{}, {"driver": "551.86"}, {"numpy": "2.3.5"}, {"commit_gib": 40}])
def test_before_training_other_differences_do_no_harm(torchdoctor, room, changes) -> None:
    result = _fleet(torchdoctor, room(a=make_facts(), b=make_facts(**changes)), "--before-training")
    assert (result.returncode, "Ready for training" in result.stdout) == (0, True), result.stdout


def test_before_training_findings_that_fail_are_obstacles(torchdoctor, room) -> None:
    # A build without CUDA beside an NVIDIA card.
    folder = room(b=make_facts(torch="2.8.0+cpu", cuda=None))
    result = _fleet(torchdoctor, folder, "--before-training")
    assert (result.returncode, "Ready for training" in result.stdout) == (0, True), result.stdout
    result = _fleet(torchdoctor, folder, "--before-training", "--fail-on", "warning")
    assert result.returncode == 1 and "were found on b" in result.stdout, result.stdout


def test_before_training_untried_imports_and_old_facts_are_told(torchdoctor, room) -> None:
    old = {**make_facts(), "taken_at": "2025-01-02T03:04:05+00:00"}
    text = " ".join(_fleet(torchdoctor, room(a=make_facts(), b=old), "--before-training").stdout.split())
    assert "import torch was not tried on a, b" in text
    assert "the facts are from 2025-01-02 (b) to 2026-01-02 (a)" in text


def test_different_steps_of_a_problem_are_told_apart(torchdoctor, room) -> None:
    samples = SICK.parents[1] / "unsupported_gpu_arch"
    old, new = (json.loads(file.read_text()) for file in _find_two_steps(sorted(samples.glob("bad-*.json"))))
    report = _report(torchdoctor, room(old=old, new=new))
    groups = [each for each in report["findings"] if each["name"] == "unsupported-gpu-arch"]
    assert [each["machines"]["count"] for each in groups] == [1, 1]
    assert groups[0]["fix"] != groups[1]["fix"]


def _find_two_steps(files: list[Path]) -> tuple[Path, Path]:
    """Return two samples that different steps mend."""
    steps: dict[str, Path] = {}
    for file in files:
        report = scan(ScanRequest(facts_file=file, select=("unsupported-gpu-arch",)))
        for outcome, finding in report.findings():
            advice = report.advise(outcome.name, finding)
            assert advice is not None
            steps.setdefault(advice.step, file)
    first, second, *_ = steps.values()
    return first, second


def test_consequence_is_told_as_one(torchdoctor) -> None:
    machines = SICK.parents[1] / "machines"
    findings = _report(torchdoctor, machines)["findings"]
    # Consequences are told last.
    assert findings == sorted(findings, key=lambda each: bool(each["causes"]))
    consequences = [each for each in findings if each["causes"]]
    assert consequences
    show = functools.cache(
        lambda name: " ".join(_fleet(torchdoctor, machines / f"{name}.json").stdout.split())
    )
    for each in consequences:
        text = show(each["example"])
        assert f"a consequence of {', '.join(each['causes'])}" in text


def test_before_training_what_is_not_known_is_an_obstacle(torchdoctor, room) -> None:
    facts = make_facts()
    del facts["facts"]["torch_install"]
    result = _fleet(torchdoctor, room(a=make_facts(), b=facts), "--before-training")
    assert (result.returncode, "torch is not known on b" in result.stdout) == (1, True)


def test_bad_file_is_named_and_the_others_are_examined(torchdoctor, room) -> None:
    result = _fleet(torchdoctor, room(a=make_facts(), bad='{"facts": '))
    assert (result.returncode, "bad:" in result.stdout, "2 machines" in result.stdout) == (2, True, True)
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "content", ["", "[]", "null", '{"facts": {}}', "\x00" * 100, "[" * 100_000, '{"facts": {"memory": 1}}']
)
def test_no_content_of_a_file_stops_the_report(torchdoctor, room, content: str) -> None:
    result = _fleet(torchdoctor, room(a=make_facts(), bad=content))
    assert result.stdout.startswith("2 machines: "), result.stderr


def test_facts_of_another_version_are_told(torchdoctor, room) -> None:
    result = _fleet(torchdoctor, room(a=make_facts(), old=make_facts(version="0.0.9")))
    assert "Observed by torchdoctor 0.0.9 (this is " in result.stdout and "old" in result.stdout


def test_failed_probe_of_a_machine_is_a_failure_of_the_doctor(torchdoctor, room) -> None:
    facts = make_facts()
    facts["facts"]["vc_runtime"] = {"absent": "the probe failed: OSError: no"}
    result = _fleet(torchdoctor, room(a=facts))
    assert (result.returncode, "The doctor's own failures" in result.stdout) == (3, True)


def test_lines_hold_the_machines_and_are_read_again(torchdoctor, room, tmp_path: Path) -> None:
    folder = room(a=make_facts(), sick=json.loads(SICK.read_text()), bad="{")
    output = tmp_path / "rows.jsonl"
    assert _fleet(torchdoctor, folder, "--format", "jsonl", "--output", output).returncode == 2
    schema = json.loads(read_schema("fleet-machine").text)
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    for row in rows:
        jsonschema.validate(row, schema)
    assert [row["name"] for row in rows] == ["a", "bad", "sick"]
    before, after = _report(torchdoctor, folder), _report(torchdoctor, output)
    assert {**before, "taken_at": ""} == {**after, "taken_at": ""}


def test_several_formats_are_written_at_once(torchdoctor, room, tmp_path: Path) -> None:
    html, markdown = tmp_path / "room.html", tmp_path / "room.md"
    folder = room(a=make_facts(), sick=json.loads(SICK.read_text()))
    options = ["--format", "html", "--output", html, "--format", "markdown", "--output", markdown]
    assert _fleet(torchdoctor, folder, *options).returncode == 1
    assert "<table" in html.read_text() and "| error | `vc-redist-outdated`: `" in markdown.read_text()


def test_parquet_has_a_row_for_each_machine(torchdoctor, room, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    output = tmp_path / "room.parquet"
    folder = room(a=make_facts(), sick=json.loads(SICK.read_text()), bad="{")
    _fleet(torchdoctor, folder, "--format", "parquet", "--output", output)
    rows = parquet.read_table(output).to_pylist()
    assert [(row["name"], row["severity"], row["problem"] is None) for row in rows] == [
        ("a", None, True), ("bad", None, False), ("sick", "error", True)
    ]  # fmt: skip


def test_parquet_without_a_file_is_refused(torchdoctor, room) -> None:
    result = _fleet(torchdoctor, room(a=make_facts()), "--format", "parquet")
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)


def test_processes_give_the_same_as_one(torchdoctor, room, tmp_path: Path) -> None:
    folder = room(**{f"pc{number:03d}": make_facts(driver=f"57{number % 3}.16") for number in range(100)})
    outputs = [tmp_path / f"{jobs}.jsonl" for jobs in (1, 2)]
    for jobs, output in enumerate(outputs, 1):
        _fleet(torchdoctor, folder, "--jobs", jobs, "--format", "jsonl", "--output", output)
    assert outputs[0].read_bytes() == outputs[1].read_bytes()


@pytest.mark.parametrize(
    "arguments",
    [(), ("--dask", "a", "--ray", "b"), ("missing.json", "--select", "no-such-check"), ("--seconds", "0")],
)
def test_wrong_arguments_are_one_line(torchdoctor, arguments: tuple[str, ...]) -> None:
    result = _fleet(torchdoctor, *arguments)
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1), result.stderr


def test_missing_file_is_named(torchdoctor) -> None:
    result = _fleet(torchdoctor, "missing.json")
    assert result.returncode == 2 and "missing.json" in result.stdout


def test_secrets_and_home_folders_are_hidden_in_shared_formats(torchdoctor, room, tmp_path: Path) -> None:
    facts = make_facts()
    facts["facts"]["torch_install"] = {"absent": r"C:\Users\Jane Doe\p\torch cannot be read"}
    folder = room(a=facts)
    forms = ("json", "jsonl", "html", "markdown")
    _fleet(
        torchdoctor,
        folder,
        *(each for form in forms for each in ("--format", form, "--output", f"out.{form}")),
    )
    assert {form: "Jane" in (tmp_path / f"out.{form}").read_text() for form in forms} == dict.fromkeys(
        forms, False
    )
    kept = _fleet(torchdoctor, folder, "--format", "jsonl", "--no-redact").stdout
    assert "Jane" in kept


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("name", ["pipe.json", "pipe.jsonl"])
def test_pipe_is_not_waited_for(torchdoctor, tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    result = _fleet(torchdoctor, tmp_path / name)
    assert result.returncode == 2 and "not a regular file" in " ".join(result.stdout.split())


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "html", "markdown", "parquet"])
def test_names_that_are_no_text_are_written_in_each_format(torchdoctor, room, tmp_path, form: str) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow.parquet")
    facts = {**make_facts(), "taken_at": "\ud800"}
    output = tmp_path / "output"
    result = _fleet(torchdoctor, room(a=facts), "--format", form, "--output", output)
    assert (result.returncode, result.stderr) == (0, "")
    assert b"\\ud800" not in output.read_bytes()


@pytest.mark.parametrize("name", ["a.json", "new.jsonl"])
def test_output_among_the_facts_is_refused(torchdoctor, room, name: str) -> None:
    folder = room(a=make_facts())
    before = (folder / "a.json").read_bytes()
    result = _fleet(torchdoctor, folder, "--format", "jsonl", "--output", folder / name)
    assert (result.returncode, (folder / "a.json").read_bytes()) == (2, before)
    assert "would be read as a machine" in result.stderr


@pytest.fixture(scope="module")
def row(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """Return the line that `fleet` writes of a machine that is well."""
    file = tmp_path_factory.mktemp("row") / "a.json"
    file.write_text(json.dumps(make_facts()), encoding="utf-8")
    command = [sys.executable, "-m", "torchdoctor", "fleet", str(file), "--format", "jsonl"]
    return json.loads(subprocess.run(command, capture_output=True, check=True, timeout=120).stdout)


@pytest.mark.parametrize(
    "changes",
    [
        {"findings": [{"name": "x", "severity": "fatal", "message": "m"}]},
        {"configuration": None},
        {"problem": "gone"},
        {"findings": 5},
        {"configuration": {"absent": "x"}},
        {"name": {"absent": "x"}},
        {"findings": [{"absent": "x"}]},
        {"findings": [{"name": {"absent": "x"}, "severity": "note", "message": "m"}]},
    ],
)
def test_line_that_fleet_did_not_write_is_named(torchdoctor, tmp_path: Path, row: dict, changes) -> None:
    output = tmp_path / "rows.jsonl"
    output.write_text(json.dumps({**row, **changes}))
    result = _fleet(torchdoctor, output)
    assert result.returncode == 2 and ": not examined: " in result.stderr
    assert result.stderr.count("\n") == 1 and "1 not examined" in result.stdout


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_is_not_examined_is_said_on_stderr(torchdoctor, room, tmp_path: Path, form: str) -> None:
    folder = room(a=make_facts(), b="{", c="{")
    (tmp_path / "empty").mkdir()
    result = _fleet(torchdoctor, folder, "--format", form)
    said = "torchdoctor: b: not examined: "
    assert result.returncode == 2 and result.stderr.startswith(said), result.stderr
    assert result.stderr.count("\n") == (1 if form == "text" else 2)
    assert ("; and 1 more\n" in result.stderr) == (form == "text")
    empty = _fleet(torchdoctor, tmp_path / "empty", "--format", form)
    assert (empty.returncode, empty.stderr.count("\n")) == (2, 1) and "no facts" in empty.stderr


def test_what_is_named_twice_is_one_machine(torchdoctor, room) -> None:
    folder = room(a=make_facts())
    assert _fleet(torchdoctor, folder, folder).stdout.startswith("1 machine:")


def test_table_without_cells_in_a_step_is_no_defect(torchdoctor, room, tmp_path: Path) -> None:
    output = tmp_path / "rows.jsonl"
    _fleet(torchdoctor, room(a=make_facts()), "--format", "jsonl", "--output", output)
    finding = {"name": "x", "severity": "error", "message": "m", "fix": "|---|"}
    output.write_text(json.dumps({**json.loads(output.read_text()), "findings": [finding]}))
    assert _fleet(torchdoctor, output).returncode == 1


@pytest.mark.parametrize("depth", [900, 960, 990, 5000])
def test_nested_facts_spoil_only_themselves(torchdoctor, room, depth: int) -> None:
    facts = json.dumps(make_facts()).replace(
        '"memory": {', '"memory": ' + "[" * depth + "]" * depth + ', "x": {'
    )
    result = _fleet(torchdoctor, room(a=make_facts(), deep=facts))
    assert result.returncode == 2 and result.stderr.startswith("torchdoctor: deep: not examined: ")
    assert result.stdout.startswith("2 machines: 1 without findings, 1 not examined.")


def test_gate_in_markdown_has_no_markup_of_the_facts(torchdoctor, room) -> None:
    torch = "1\n# Approved\n<img src=x> [click](http://x) \x1b[31m"
    result = _fleet(torchdoctor, room(a=make_facts(torch=torch)), "--before-training", "--format", "markdown")
    assert "\x1b" not in result.stdout
    assert "<img" not in result.stdout.replace("\\<img", "").split("### ")[0]
    assert "\n# Approved" not in result.stdout


def test_gate_judges_all_checks(torchdoctor, room) -> None:
    folder = room(a=make_facts())
    assert _fleet(torchdoctor, folder, "--before-training", "--select", "memory").returncode == 2
    ignoring = _fleet(torchdoctor, folder, "--before-training", "--ignore", "memory")
    assert ignoring.returncode == 0 and "these checks are left out: memory" in ignoring.stdout


def test_linked_folders_are_read_once(torchdoctor, room, tmp_path: Path) -> None:
    folder = room(a=make_facts())
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.json").write_text(json.dumps(make_facts()), encoding="utf-8")
    (folder / "linked").symlink_to(other)
    (folder / "loop").symlink_to(folder)
    (folder / "again").symlink_to(other)
    assert _fleet(torchdoctor, folder).stdout.startswith("2 machines: 2 without findings.")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads every folder")
def test_folder_that_cannot_be_read_is_named(torchdoctor, room) -> None:
    folder = room(a=make_facts())
    (folder / "closed").mkdir(mode=0)
    result = _fleet(torchdoctor, folder, "--before-training")
    assert (result.returncode, "the folder cannot be read" in result.stdout) == (1, True)


@pytest.mark.parametrize("option", ["--output", "facts"])
def test_path_that_is_too_long_is_named(torchdoctor, room, option: str) -> None:
    name = "a" * 300 + ".jsonl"
    arguments = [name] if option == "facts" else [room(a=make_facts()), "--format", "jsonl", "--output", name]
    result = _fleet(torchdoctor, *arguments)
    assert result.returncode == 2 and "defect" not in result.stderr + result.stdout


def test_why_a_value_is_not_known_is_no_difference(torchdoctor, room) -> None:
    machines = {}
    for name in "abc":
        machines[name] = make_facts()
        machines[name]["facts"]["nvidia_driver"] = {"absent": f"process {name} said no"}
    report = _report(torchdoctor, room(**machines))
    assert [group["machines"]["count"] for group in report["configurations"]] == [3]


def test_commit_limits_that_differ_much_are_told(torchdoctor, room) -> None:
    sizes = (10, 10, 30, 30, 40, 100, 100, 100, 100)
    machines = {f"p{number}": make_facts(commit_gib=size) for number, size in enumerate(sizes)}
    report = _report(torchdoctor, room(**machines))
    assert all(group["differences"] for group in report["configurations"][1:])


def test_lines_in_utf_16_are_read(torchdoctor, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"name": "pc-1", **make_facts()}) + "\n", encoding="utf-16")
    assert _fleet(torchdoctor, file).stdout.startswith("1 machine: 1 without findings.")


def test_folders_of_the_same_name_are_told_apart(torchdoctor, tmp_path: Path) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name / "room"
        folder.mkdir(parents=True)
        (folder / "pc.json").write_text(json.dumps(make_facts()), encoding="utf-8")
    rows = _fleet(
        torchdoctor, tmp_path / "one" / "room", tmp_path / "two" / "room", "--format", "jsonl"
    ).stdout
    assert len({json.loads(row)["name"] for row in rows.splitlines()}) == 2


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1"])
def test_seconds_are_a_number(torchdoctor, seconds: str) -> None:
    result = _fleet(torchdoctor, "--dask", "tcp://127.0.0.1:9", "--seconds", seconds)
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)
    assert "seconds" in result.stderr


def test_machine_of_which_nothing_is_known_is_not_well(torchdoctor, room, tmp_path: Path) -> None:
    folder = room(a=make_facts())
    (folder / "b.json").write_text('{"schema_version": 1, "facts": {}}', encoding="utf-8")
    result = torchdoctor("fleet", str(folder))
    assert result.returncode == 2 and "b.json: it states no fact" in result.stderr
    assert result.stdout.startswith("2 machines: 1 without findings, 1 not examined.")
