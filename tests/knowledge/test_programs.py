"""Programs are found by their signs, and their settings stand in the steps of entries."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.knowledge import EntryError, Program, find_program, parse_program
from torchdoctor.knowledge.programs import SETTINGS, index_programs

KNOWLEDGE, _ = load_knowledge()
PROGRAMS = {program.name: program for program in KNOWLEDGE.programs}
STEPS = [(entry.name, step) for entry in KNOWLEDGE.entries.values() for step in entry.body.steps]
SAMPLES = Path(__file__).parents[1] / "samples" / "explain" / "programs.jsonl"
FILE = """program = "Painter"
signs = ["painter/run.py"]
place = "in `run.bat`"
cpu = "add `--cpu` {place}"
references = ["https://example.org"]
"""


def make(name: str, *signs: str, like: str = "", **settings: str) -> Program:
    return Program(name, signs, (), settings, ("https://example.org",), like)


@pytest.mark.parametrize("name", PROGRAMS)
def test_settings_complete_a_sentence(name: str) -> None:
    program = PROGRAMS[name]
    assert program.settings["program"]
    assert [sign for sign in program.signs if len(sign) < 5 or sign != sign.strip("\n")] == []
    assert [
        text
        for text in program.settings.values()
        if text.endswith(".") or "{" in re.sub(r"\{(?:place|cuda_set)\}", "", text) or "\n" in text
    ] == []
    assert all(reference.startswith("https://") for reference in program.references)
    assert all(text.count("`") % 2 == 0 for text in program.settings.values())


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_that_it_is_like_exists(name: str) -> None:
    assert PROGRAMS[name].like in {"", *PROGRAMS}


@pytest.mark.parametrize("name", PROGRAMS)
def test_setting_has_a_place_in_an_entry(name: str) -> None:
    """A setting that no step shows would be dead."""
    fields = {field for _, step in STEPS for field in re.findall(r"\{(\w+)\|", step.text)}
    conditions = {name for _, step in STEPS for name in (step.needs, *step.excluded_by)}
    elsewhere = {"program", "python_path", "folder", "place", "maker", "launcher"}
    elsewhere |= {"finished", "likely_python", "likely_folder", "other_pythons"}
    assert PROGRAMS[name].settings.keys() - elsewhere - fields - conditions == set()


@pytest.mark.parametrize(("entry", "step"), STEPS, ids=lambda value: getattr(value, "tag", value))
def test_condition_of_a_step_is_a_setting_that_it_shows(entry: str, step) -> None:
    # Besides settings, a step may depend on what the entry reads, and on these values of the text.
    of_texts = {
        "build_arguments",
        "built_package",
        "caller_file",
        "caller_package",
        "card_set",
        "series",
        "conda_environment",
        "custom_node",
        "fitting_torchaudio",
        "fitting_torchcodec",
        "fitting_torchvision",
        "fitting_xformers",
        "group_file",
        "mmcv_list",
        "no_earlier",
        "own_installer",
        "other_wheel",
        "package",
        "pip_arguments",
        "plain_command",
        "requirements_file",
        "same_release_set",
        "setup_command",
        "wanted_package",
        "starting",
        "trains",
        "zero_works",
    }
    symptoms = KNOWLEDGE.entries[entry].symptoms
    read = {name for symptom in symptoms for name in re.findall(r"\(\?P<(\w+)>", symptom.pattern or "")}
    assert {step.needs, *step.excluded_by} - {""} <= SETTINGS | read | of_texts
    assert step.needs not in SETTINGS or f"{{{step.needs}|" in step.text


def test_every_setting_is_one_of_some_program() -> None:
    assert {key for program in PROGRAMS.values() for key in program.settings} == SETTINGS


@pytest.mark.parametrize("line", SAMPLES.read_text(encoding="utf-8").splitlines(), ids=lambda line: line[:60])
def test_answer_has_the_setting_of_the_program(line: str) -> None:
    sample = json.loads(line)
    explanation = explain(sample["text"], KNOWLEDGE)
    assert explanation.values.get("program") == sample["program"]
    assert explanation.diagnoses[0].name == sample["entry"]
    answer = "\n".join(explanation.diagnoses[0].fix)
    assert [text for text in sample["shows"] if text not in answer] == [], answer
    assert [text for text in sample.get("hides", []) if text in answer] == [], answer


def test_every_program_has_a_sample() -> None:
    sampled = {json.loads(line)["program"] for line in SAMPLES.read_text(encoding="utf-8").splitlines()}
    assert {program.settings["program"] for program in PROGRAMS.values()} - sampled == set()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("cpu =", "gpu ="), "unknown key 'gpu'"),
        (('"add `--cpu` {place}"', "true"), "cpu is a text"),
        (('"add `--cpu` {place}"', '""'), "cpu is a text"),
        (('["painter/run.py"]', '"painter"'), "signs is a list of texts"),
        (('["painter/run.py"]', "[]"), "a name, signs and references"),
        (('program = "Painter"', ""), "a name, signs and references"),
        (("signs =", "signs ["), "painter: "),
    ],
    ids=lambda value: value if isinstance(value, str) else value[1],
)
def test_damaged_file_is_named(change: tuple[str, str], message: str) -> None:
    with pytest.raises(EntryError, match=r"^painter: ") as caught:
        parse_program("painter", FILE.replace(*change))
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_program_has_the_settings_of_the_one_that_it_is_like() -> None:
    first = make("a", "aaaa", program="A", place="in A", cpu="add `--cpu` {place}")
    second = make("b", "bbbb", like="a", program="B", place="in B")
    third = make("c", "cccc", like="b", program="C")
    by_name = {program.name: program for program in index_programs([third, first, second])}
    assert by_name["c"].fit_to({}).settings["cpu"] == "add `--cpu` in B"
    assert [by_name[name].ancestors for name in "abc"] == [0, 1, 2]


def test_program_in_the_folder_of_a_launcher_is_started_in_its_way() -> None:
    painter = make("a", "aaaa", program="A", application="yes", place="in A", cpu="add `--cpu` {place}")
    launcher = make("b", "bbbbbbbb", program="B", application="yes", launcher="yes", place="in B")
    library = make("c", "cccc", program="C", cpu="write `cpu`")
    programs = index_programs([painter, launcher, library])
    for text, name, place in (("bbbbbbbb", "b", ""), ("aaaa", "a", "in A"), ("bbbbbbbb aaaa", "a", "in B")):
        found = find_program(programs, text)
        assert found is not None and found.name == name
        assert found.fit_to({}).settings.get("cpu", "").endswith(place)
    both = find_program(programs, "cccc bbbbbbbb")
    assert both is not None and both.name == "b"


def test_portable_package_is_not_said_to_have_the_python_of_a_launcher() -> None:
    python = r"C:\ComfyUI_windows_portable\python_embeded\python.exe"
    program = find_program(KNOWLEDGE.programs, f"{python}\nThe ComfyUI of Stability Matrix fails, too.")
    assert program is not None
    assert "usual_python" not in program.fit_to({"python": python}).list_values({"python": python})


def test_programs_that_are_like_each_other_do_not_hang() -> None:
    programs = index_programs([make("a", "aaaa", like="b"), make("b", "bbbb", like="a", cpu="x")])
    assert {program.settings["cpu"] for program in programs} == {"x"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("D:/Painter/run.py", "painter"),
        (r"File D:\\painter\\run.py", "painter"),
        ("nothing", None),
        ("painter/run.py and library/core.py", "painter"),
        ("library/core.py", "library"),
        ("painter/run.py portable/", "portable"),
        ("painter/run.py, not portable/", "painter"),
        ("I do not use the portable/ of painter/run.py", "painter"),
        ("painter/run.py; all guides are for portable/", "painter"),
        ("I don't have painter/run.py", None),
        ("not portable/, or is it? E:/portable/", "portable"),
        ("it does not start in portable/", "portable"),
    ],
)
def test_finds_the_program_by_its_signs(text: str, name: str | None) -> None:
    programs = index_programs(
        [
            make("painter", r"painter\run.py", application="yes"),
            make("library", r"library\core.py"),
            make("portable", "portable\\", like="painter"),
        ]
    )
    found = find_program(programs, text)
    assert (found.name if found else None) == name


NAMED = {
    "Painter shows black pictures": "painter",
    "my painters are black": None,
    "Painter and Drawer show black pictures": None,
    "black pictures, as in Painter": None,
    "Painter Deluxe shows black pictures": "deluxe",
    'Painter\n  File "a.py", line 1': None,
    "library is slow": None,
    "black pictures, and I do not use Painter": None,
    "Painter, not Drawer, shows black pictures": "painter",
}


@pytest.mark.parametrize(("text", "name"), NAMED.items())
def test_finds_the_only_program_that_a_text_without_code_names(text: str, name: str | None) -> None:
    programs = index_programs(
        [
            replace(make("painter", "painter\\run.py", application="yes"), names=("painter",)),
            replace(make("drawer", "drawer\\run.py", application="yes"), names=("drawer",)),
            replace(make("deluxe", "deluxe\\run.py", like="painter"), names=("painter deluxe",)),
            replace(make("library", "library\\core.py"), names=("library",)),
        ]
    )
    found = find_program(programs, text)
    assert (found.name if found else None) == name


def test_python_of_a_program_is_named_with_its_folder() -> None:
    text = ".\\python_embeded\\python.exe -s ComfyUI\\main.py\nAssertionError: Torch not compiled with CUDA enabled"
    steps = explain(text, KNOWLEDGE).diagnoses[0].fix
    assert "Open a terminal in the folder `ComfyUI_windows_portable`" in steps[0]
    commands = "\n".join(steps)
    assert r".\python_embeded\python.exe -c" in commands and not re.search(r"^ *python ", commands, re.M)


def test_whole_path_of_a_text_wins_over_that_of_the_program() -> None:
    text = (
        '  File "D:\\ComfyUI_windows_portable\\python_embeded\\Lib\\site-packages\\torch\\cuda\\__init__.py", line 310\n'
        "AssertionError: Torch not compiled with CUDA enabled"
    )
    steps = "\n".join(explain(text, KNOWLEDGE).diagnoses[0].fix)
    assert (
        r"D:\ComfyUI_windows_portable\python_embeded\python.exe" in steps and "Open a terminal" not in steps
    )


@pytest.mark.parametrize(
    ("line", "is_usual"),
    [
        ("", True),
        (r'  File "D:\Fooocus\python_embeded\lib\site-packages\torch\cuda\__init__.py", line 1, in f', True),
        (r'  File "D:\Matrix\Fooocus\venv\lib\site-packages\torch\cuda\__init__.py", line 1, in f', False),
        (r'  File "D:\My Fooocus, 2\venv\lib\site-packages\torch\cuda\__init__.py", line 1, in f', False),
        (r"(myenv) D:\Fooocus>python launch.py", False),
        (r"(venv) D:\Fooocus>python launch.py", False),
    ],
)
def test_layout_of_a_program_is_not_named_where_the_text_shows_another(line: str, is_usual: bool) -> None:
    text = f"Fooocus version: 2.5.5\n{line}\nAssertionError: Torch not compiled with CUDA enabled"
    explanation = explain(text, KNOWLEDGE)
    answer = "\n".join(explanation.diagnoses[0].fix)
    assert ("take that of a package which you unpack again" in answer) == is_usual
    assert "--always-cpu" in answer
    assert "packages_in" not in explanation.values


def test_person_without_a_card_from_nvidia_gets_no_cuda_build() -> None:
    text = "No module named 'torch._C'\nI don't have an NVIDIA card."
    values = explain(text, KNOWLEDGE).values
    assert (values["maker"], values["build_index"]) == ("none", "cpu")
    assert "maker" not in explain("No GPU detected\nNo module named 'torch._C'", KNOWLEDGE).values


def test_message_about_a_damaged_file_is_short() -> None:
    with pytest.raises(EntryError) as caught:
        parse_program("painter", FILE + f'{"x" * 5000} = "y"\n')
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("text", "python"),
    [
        (
            r'File "D:\sd.webui\webui\launch.py", line 48, in <module>',
            r"D:\sd.webui\system\python\python.exe",
        ),
        (
            r'File "C:\webui_forge_cu121_torch231\webui\launch.py", line 54, in <module>',
            r"C:\webui_forge_cu121_torch231\system\python\python.exe",
        ),
        (
            r'File "C:\stable-diffusion-webui\launch.py", line 54, in <module>',
            r"C:\stable-diffusion-webui\venv\Scripts\python.exe",
        ),
    ],
)
def test_package_of_a_web_ui_has_its_own_python(text: str, python: str) -> None:
    assert (
        explain(f"{text}\nAssertionError: Torch not compiled with CUDA enabled", KNOWLEDGE).values["python"]
        == python
    )


def test_verification_of_a_relative_python_is_a_block_of_its_own() -> None:
    text = 'ComfyUI version: 0.3.40\n.\\python_embeded\\python.exe -s ComfyUI\\main.py\nOSError: [WinError 193] x. Error loading "torch\\lib\\shm.dll"'
    diagnosis = explain(text, KNOWLEDGE).diagnoses[0]
    for part in (*diagnosis.fix, diagnosis.verify):
        assert not re.search(r"[^\n ] *```\w+$", part, re.MULTILINE), part


def test_card_of_an_error_is_not_that_of_the_computer() -> None:
    text = "RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU\nRadeon RX 6700 XT"
    assert explain(text, KNOWLEDGE).values["maker"] == "amd"


def test_script_is_read_from_the_command_that_started_it() -> None:
    text = "(venv) C:\\llm>torchrun --nproc_per_node=1 train_sft.py --bf16\nRuntimeError: use_libuv was requested but PyTorch was build without libuv support"
    assert explain(text, KNOWLEDGE, on_screen=True).values["script"] == "train_sft.py"


def test_program_without_a_name_whose_model_is_missing_has_that_of_its_file() -> None:
    (program,) = index_programs([make("painter", "painter:", like="other", python_path=".\\p\\python.exe")])
    assert program.settings["program"] == "painter"
    assert program.settings["folder"] == "the folder of painter"


def test_the_processor_is_called_slow_once() -> None:
    """The steps that have the field `cpu` say it."""
    steps = [step for entry in KNOWLEDGE.entries.values() for step in entry.body.steps]
    for program in KNOWLEDGE.programs:
        assert "slow" not in program.settings.get("cpu", ""), program.name
    asking = [step.text for step in steps if "{cpu|" in step.text]
    assert asking
    assert [text for text in asking if "slow" not in text] == []


def test_extension_with_an_environment_of_its_own_is_not_told_another_python() -> None:
    python = r"C:\ComfyUI_windows_portable\ComfyUI\custom_nodes\some-node\_env\Scripts\python.exe"
    program = find_program(KNOWLEDGE.programs, python)
    assert program is not None
    assert "usual_python" not in program.fit_to({"python": python}).list_values({"python": python})
