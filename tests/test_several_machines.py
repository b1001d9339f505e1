"""`scan` with several facts files: a report of each, and the exit code of the worst."""

import json
from pathlib import Path

import jsonschema
import pytest

from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.commands.schema import read_schema
from torchdoctor.renderers import terminal

SAMPLES = Path(__file__).parent / "samples"
SICK = SAMPLES / "vc_redist_outdated" / "bad-2.9-with-14.36.json"
WELL = next(SAMPLES.glob("paging_file_too_small/good-*.json"))


def _scan(torchdoctor, *files: Path, form: str = "text"):
    options = [text for file in files for text in ("--facts", file)]
    return torchdoctor("scan", *options, "--format", form)


def _without_time(report: dict) -> dict:
    return {key: value for key, value in report.items() if key != "taken_at"}


@pytest.mark.parametrize(
    ("files", "code"),
    [((WELL, SICK), 1), ((SICK, WELL), 1), ((WELL, WELL), 0)],
    ids=["last", "first", "none"],
)
def test_exit_code_is_the_worst(torchdoctor, files: tuple[Path, ...], code: int) -> None:
    assert _scan(torchdoctor, *files).returncode == code


def test_text_has_each_report_below_the_name_of_its_file(torchdoctor) -> None:
    well, sick = (_scan(torchdoctor, file).stdout for file in (WELL, SICK))
    both = _scan(torchdoctor, WELL, SICK).stdout
    assert both == f"=== {WELL}\n\n{well}\n=== {SICK}\n\n{sick}"


def test_json_is_an_array_of_valid_reports(torchdoctor) -> None:
    reports = json.loads(_scan(torchdoctor, WELL, SICK, form="json").stdout)
    for report in reports:
        jsonschema.validate(report, json.loads(read_schema("report").text))
    assert [report["facts_file"] for report in reports] == [str(WELL), str(SICK)]


def test_a_report_is_the_same_alone(torchdoctor) -> None:
    reports = json.loads(_scan(torchdoctor, WELL, SICK, form="json").stdout)
    alone = [json.loads(_scan(torchdoctor, file, form="json").stdout) for file in (WELL, SICK)]
    assert list(map(_without_time, reports)) == list(map(_without_time, alone))


def test_sarif_has_a_run_of_its_own_category_for_each_file(torchdoctor) -> None:
    runs = json.loads(_scan(torchdoctor, WELL, SICK, form="sarif").stdout)["runs"]
    ids = [run["automationDetails"]["id"] for run in runs]
    assert ids == [f"torchdoctor/{str(file).replace(chr(92), '/').strip('/')}/" for file in (WELL, SICK)]


def test_annotations_name_the_file(torchdoctor) -> None:
    lines = _scan(torchdoctor, WELL, SICK, form="github").stdout.splitlines()
    assert [f"::{SICK}: " in line for line in lines] == [True]


def test_file_that_cannot_be_read_is_named_and_the_others_are_reported(torchdoctor) -> None:
    result = _scan(torchdoctor, WELL, Path("missing.json"), SICK)
    assert (result.returncode, "missing.json" in result.stderr) == (2, True)
    assert [
        report["facts_file"]
        for report in json.loads(_scan(torchdoctor, WELL, Path("no"), form="json").stdout)
    ] == [str(WELL)]


@pytest.mark.parametrize(("turn", "form"), enumerate(["text", "html", "markdown", "json"]))
def test_any_field_may_be_unknown(turn: int, form: str, torchdoctor, tmp_path: Path) -> None:
    data = json.loads(next(SAMPLES.glob("machines/04-*.json")).read_text(encoding="utf-8"))
    files = []
    for subject, values in data["facts"].items():
        for name in values if isinstance(values, dict) else ():
            changed = {**data, "facts": {**data["facts"], subject: {**values, name: {"absent": "not known"}}}}
            files.append(tmp_path / f"{subject}.{name}.json")
            files[-1].write_text(json.dumps(changed), encoding="utf-8")
    assert len(files) > 100
    # The formats take turns.
    result = _scan(torchdoctor, *files[turn::4], form=form)
    assert (result.returncode, result.stderr) == (1, "")


@pytest.mark.parametrize("number", range(0, len(list(SAMPLES.glob("machines/*.json"))), 3))
def test_a_field_may_be_unknown_on_any_machine(number: int, tmp_path: Path) -> None:
    files = sorted(SAMPLES.glob("machines/*.json"))
    for offset, file in enumerate(files[number : number + 3]):
        data = json.loads(file.read_text(encoding="utf-8"))
        fields = [
            (subject, name)
            for subject, values in data["facts"].items()
            for name in (values if isinstance(values, dict) else ())
        ]
        # The fields take turns, so that all machines together have each of them.
        for subject, name in fields[(number + offset) % 27 :: 27]:
            unknown = {**data["facts"][subject], name: {"absent": "not known"}}
            changed = tmp_path / "facts.json"
            changed.write_text(
                json.dumps({**data, "facts": {**data["facts"], subject: unknown}}), encoding="utf-8"
            )
            report = scan(ScanRequest(facts_file=changed))
            assert terminal.render(report, verbose=True), (file.name, subject, name)
