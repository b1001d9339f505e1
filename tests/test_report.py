"""What a finding saw is filled into the advice, unless a shell could run it."""

import json
import sys
from pathlib import Path

import pytest

from torchdoctor.advice import find_advice
from torchdoctor.check import Finding
from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.engine.library import load_knowledge
from torchdoctor.facts import Facts
from torchdoctor.loader.plan import LoaderPlan
from torchdoctor.renderers import json as json_renderer

SMALL_MACHINE = Path(__file__).parent / "samples" / "machines" / "02-laptop-8-gib-without-page-file.json"
KNOWLEDGE = load_knowledge()[0]


def _advise(path: str) -> str:
    finding = Finding("hidden", evidence={"path": path, "file": "torch.py"}, step="rename")
    advice = find_advice(finding, "shadowed-or-partial-torch", KNOWLEDGE, Facts())
    assert advice is not None
    return advice.text


@pytest.mark.parametrize(
    "path",
    [r"C:\work\torch.py", r"C:\Program Files (x86)\it's\torch.py", "/home/me/torch.py", r"D:\träin\torch.py"],
)
def test_path_is_filled_into_the_command(path: str) -> None:
    assert f'Rename-Item "{path}" "my_torch.py"' in _advise(path)


@pytest.mark.parametrize(
    "path",
    [
        r"C:\$(calc)\torch.py",
        "C:\\`calc`\\torch.py",
        r"C:\a&calc&\torch.py",
        r"C:\%PATH%\torch.py",
        'C:\\a" ; calc ; "\\torch.py',
        "C:\\a\ncalc\\torch.py",
        r"C:\Users\<user>\torch.py",
        "$env:X",
        "(calc)",
    ],
)
def test_path_that_a_shell_could_run_is_not(path: str) -> None:
    assert 'Rename-Item "torch.py" "my_torch.py"' in _advise(path)


@pytest.mark.parametrize(
    ("planned", "advised"),
    [(0, "0"), (2, "2"), (16, "4"), (None, "the number in the loader plan")],
    ids=["none", "fewer", "more", "unknown"],
)
def test_advised_workers_are_at_most_those_of_the_plan(planned: int | None, advised: str) -> None:
    finding = Finding("x", evidence={"setting": "data.num_workers", "most_workers": 4})
    plan = None if planned is None else LoaderPlan(planned, (), (), ())
    advice = find_advice(finding, "workers-in-config", KNOWLEDGE, Facts(), plan)
    assert advice is not None
    assert advice.text.startswith(f"Set data.num_workers to {advised}. ")


def test_scan_advises_the_workers_of_its_plan(torchdoctor, tmp_path: Path) -> None:
    (tmp_path / "train.yaml").write_text("data:\n  num_workers: 16\n", encoding="utf-8")
    result = torchdoctor("scan", "--facts", SMALL_MACHINE, ".", "--format", "json")
    report = json.loads(result.stdout)
    (finding,) = next(row for row in report["outcomes"] if row["name"] == "workers-in-config")["findings"]
    assert report["loader"]["num_workers"] == 0
    assert finding["fix"].startswith("Set data.num_workers to 0. ")


@pytest.mark.parametrize(
    ("sample", "fact", "field"),
    [
        ("34-paddle-with-a-second-openmp", "bundled_runtimes", "files"),
        ("52-new-card-beside-an-old-one-with-cu126", "companions", "installed"),
    ],
)
def test_work_grows_with_the_number_of_findings(sample: str, fact: str, field: str, tmp_path: Path) -> None:
    saved = json.loads((SMALL_MACHINE.parent / f"{sample}.json").read_text(encoding="utf-8"))
    few = saved["facts"][fact][field]

    def count_calls(number: int) -> int:
        saved["facts"][fact][field] = [
            {**few[place % len(few)], "name": f"{few[place % len(few)]['name']}{place // len(few) or ''}"}
            for place in range(number)
        ]
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(saved), encoding="utf-8")
        calls = 0

        def count(*_: object) -> None:
            nonlocal calls
            calls += 1

        sys.setprofile(count)
        try:
            json_renderer.render(scan(ScanRequest(facts_file=file)))
        finally:
            sys.setprofile(None)
        return calls

    count_calls(4)
    assert count_calls(400) < 2.5 * count_calls(200)
