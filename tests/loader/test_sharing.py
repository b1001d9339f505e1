"""Nothing that a dataset raises or prints names a person in a plan that is shared."""

import json
from dataclasses import replace

import pytest

from torchdoctor.facts import Absent, DatasetTrial, Facts, Failure, Member, Part, Processor
from torchdoctor.loader.plan import LoaderPlan, make_plan
from torchdoctor.loader.sharing import share_plan
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.renderers import json as json_renderer
from torchdoctor.renderers.html import plan as html_renderer

NAMES = ("rosalind", "quux", "globexo")
PLACE = "Globexo Files/Rosalind Quux/data.py"
# What datasets say of files, of people and of code.
SAID = (
    r"\\globexo-nas\patients\Rosalind Quux.dcm",
    "[Errno 2] No such file or directory: '/srv/globexo/Rosalind Quux/scan 1.png'",
    "no label for patient Rosalind Quux (Globexo GmbH)",
    "cannot identify image file 'D:\\Globexo\\quux\\rosalind.png'",
    "'rosalind.quux'",
    f'File "/mnt/x/{PLACE}", line 14, in __getitem__\n    raise ValueError("Rosalind Quux")\nValueError: Rosalind Quux',
    f"{PLACE} was read twice",
)
TRIAL = DatasetTrial(f"{PLACE}:Data", (), 1.0, None, kind="class", type_name="Data")
FAILED = Failure("sample", "raised", exception_type="ValueError", place="data.py:14", sample=0)
PART = Part("dataset", "Data", True, 10, 0)
PLACES = {
    "message": lambda said: replace(TRIAL, failure=replace(FAILED, message=said)),
    "message of a worker": lambda said: replace(TRIAL, failure=replace(FAILED, message=said, in_worker=True)),
    "death": lambda said: replace(TRIAL, failure=Failure("worker", "died", True, message=said)),
    "traceback": lambda said: replace(TRIAL, failure=replace(FAILED, traceback=said)),
    "output": lambda said: replace(TRIAL, output_tail=said),
    "collating": lambda said: replace(TRIAL, collate_error=said),
    "argument": lambda said: replace(TRIAL, arguments=(f"root={said}", said)),
    "pickle": lambda said: replace(TRIAL, parts=(replace(PART, pickled_bytes=Absent(said)),)),
    "member": lambda said: replace(
        TRIAL, parts=(replace(PART, unpicklable=(Member("dataset.x", "lock", said),)),)
    ),
    "sample": lambda said: replace(TRIAL, sample_unpicklable=(Member("sample.x", "lock", said),)),
}


def _share(trial: DatasetTrial) -> LoaderPlan:
    plan = make_plan(Facts({DatasetTrial: trial, Processor: Processor(16, 8)}))
    return share_plan(plan, lambda each: redact(each, Identity()))


def _find_reason(plan: LoaderPlan) -> str:
    return next(bound.reason for bound in plan.bounds if bound.name == "trial")


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("render", [json_renderer.render_plan, html_renderer.render_plan])
def test_no_name_is_left(render, place: str, said: str) -> None:
    output = render(_share(PLACES[place](said)), "1").lower()
    assert [name for name in NAMES if name in output] == []


def test_message_that_programs_print_stays() -> None:
    said = "'charmap' codec can't decode byte 0x9d in position 12: character maps to <undefined>"
    plan = _share(PLACES["message"](said))
    assert _find_reason(plan) == f"taking sample 0 raised ValueError: {said} (data.py:14)"


def test_own_message_has_the_place_without_folders() -> None:
    said = f"{PLACE} has no Other when it is imported (code under its main guard is not run)"
    plan = _share(replace(TRIAL, failure=Failure("load", "raised", message=said)))
    assert _find_reason(plan) == f"importing it: {said.replace(PLACE, '.../.../data.py')}"


def test_reason_of_the_setting_is_that_of_the_bound() -> None:
    data = json.loads(json_renderer.render_plan(_share(PLACES["message"](SAID[2])), "1"))["loader"]
    assert data["settings"][0]["reason"] == data["bounds"][0]["reason"]


@pytest.mark.parametrize(
    "folder", ["/srv/globexo/", "D:\\Globexo\\", r"Z:\tmp\quux 1\\", "C:/Users/quux/x/", ""]
)
def test_script_imports_from_the_file_by_its_name(folder: str) -> None:
    plan = _share(replace(TRIAL, target=f"{folder}zoo.py:Data"))
    output = json_renderer.render_plan(plan, "1")
    assert "from zoo import Data" in output
    assert [name for name in NAMES if name in output.lower()] == []


def test_script_imports_from_a_module() -> None:
    assert "from pkg.zoo import Data" in json_renderer.render_plan(
        _share(replace(TRIAL, target="pkg.zoo:Data")), "1"
    )
