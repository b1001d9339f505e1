"""Cases choose the short answer and the steps by the values of a text."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.knowledge.diagnosed import HEAD, KNOWLEDGE, LOADING, diagnose
from torchdoctor.domain import remedies
from torchdoctor.explain import explain
from torchdoctor.knowledge import EntryError, parse_entry
from torchdoctor.knowledge.programs import SETTINGS
from torchdoctor.source.idioms.shell import posix_programs

CHECKS = Path(__file__).parents[2] / "checks"


CURES = Path(__file__).parents[1] / "samples" / "explain" / "cures.jsonl"


ENTRY = parse_entry("some-entry", HEAD)


@pytest.mark.parametrize(
    ("values", "lead", "steps"),
    [
        ({}, "Lead.", ("Early.", "Any.", "Late.")),
        ({"dll": "CUDNN64_9.dll", "torch_version": "2.9.1"}, "Newer.", ("Late.", "Early.", "Any.")),
        ({"dll": "c10.dll", "torch_version": "2.8"}, "Lead.", ("Early.", "Any.", "Late.")),
        ({"dll": "c10.dll", "torch_version": "new"}, "Lead.", ("Early.", "Any.", "Late.")),
        ({"path": r"C:\Torch\hub\a.py"}, "Of a path.", ("Late.", "Any.")),
        ({"path": r"C:\\Torch\\hub\\a.py"}, "Of a path.", ("Late.", "Any.")),
        ({"package": "torch"}, "Lead.", ("Early.", "Any.", "Late.")),
        ({"package": "numpy"}, "Of {package|another}.", ("Early.", "Any.")),
    ],
    ids=[
        "unknown",
        "all",
        "outside-the-range",
        "no-version",
        "path",
        "spelled-path",
        "excluded",
        "not-torch",
    ],
)
def test_case_chooses_answer_and_steps(values: dict[str, str], lead: str, steps: tuple[str, ...]) -> None:
    assert ENTRY.choose_fix(values) == (lead, steps)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ('cases = [{ dll = "x", says = "a" }]', "says and steps"),
        (
            'cases = [{ steps = "late", says = "a" }, { dll = "x", steps = "late", says = "b" }]',
            "the last one",
        ),
        ('cases = [{ dll = "x", steps = "other", says = "a" }]', "a step that is not there"),
        ('cases = [{ torch_version = ">new", steps = "late", says = "a" }]', "not a version clause"),
        ('cases = [{ supposes = "numpy", steps = "late", says = "a" }]', "packages with versions"),
        ('symptoms = [{ text = "x", claims = true }]', "the head names none"),
    ],
    ids=["no-steps", "late-condition", "unknown-step", "range", "supposed", "claim-without-packages"],
)
def test_damaged_case_names_the_entry(head: str, message: str) -> None:
    with pytest.raises(EntryError, match=rf"^some-entry: .*{message}"):
        parse_entry("some-entry", re.sub(r"cases = \[.*?\n\]", head, HEAD, flags=re.DOTALL))


@pytest.mark.parametrize(
    ("code", "path", "first"),
    [
        (126, r"torch\lib\fbgemm.dll", "torch==2.4.1"),
        (126, r"torch\lib\shm.dll", "--force-reinstall"),
        (126, r"torch\lib\c10_xpu.dll", "whl/xpu"),
        (126, r"torch\lib\cudnn_cnn_infer64_8.dll", "--force-reinstall"),
        (126, r"intel_extension_for_pytorch\bin\intel-ext-pt-gpu.dll", "uninstall -y intel-extension"),
        (1114, r"torch\lib\c10.dll", "vc_redist.x64.exe"),
        (193, r"torch\lib\cublas64_12.dll", "--force-reinstall"),
    ],
    ids=lambda value: str(value).rpartition("\\")[2],
)
def test_first_step_cures_the_dll_that_failed(code: int, path: str, first: str) -> None:
    assert first in diagnose(LOADING.format(code, path)).fix[0]


# The beginning of a step that speaks of what an earlier one has shown.
REFERS_BACK = (
    r"If (?:that (?:number|does not)|it (?:stays|still|has|begins|prints|ends|is [\d`]|says))|Otherwise\b"
)


@pytest.mark.parametrize("line", CURES.read_text(encoding="utf-8").splitlines(), ids=lambda line: line[:60])
def test_first_steps_cure_and_steps_for_others_are_left_out(line: str) -> None:
    sample = json.loads(line)
    assert sample.keys() & {"steps", "shows"}
    diagnosis = diagnose(sample["text"])
    answer = "\n".join((diagnosis.title, diagnosis.lead, *diagnosis.fix, diagnosis.verify))
    # Words may stand on two lines.
    printed = (answer, " ".join(answer.split()))
    assert diagnosis.name == sample["entry"]
    assert len(sample.get("steps", [])) <= len(diagnosis.fix)
    assert not re.match(REFERS_BACK, diagnosis.fix[0]), "nothing stands before the first step"
    firsts = zip(sample.get("steps", []), diagnosis.fix, strict=False)
    assert [part for part, step in firsts if part not in step] == [], diagnosis.fix
    assert [text for text in sample.get("shows", []) if not any(text in each for each in printed)] == [], (
        answer
    )
    assert [text for text in sample.get("hides", []) if any(text in each for each in printed)] == [], answer


@pytest.mark.parametrize("line", CURES.read_text(encoding="utf-8").splitlines(), ids=lambda line: line[:60])
def test_no_two_steps_have_the_same_commands(line: str) -> None:
    fix = diagnose(json.loads(line)["text"]).fix
    commands = [blocks for step in fix if (blocks := re.findall(r"```\w*\n(.*?)```", step, re.DOTALL))]
    assert [blocks for blocks in commands if commands.count(blocks) > 1] == []


# Commands that are about the package which is built, and what a text tells of it.
ABOUT_THE_BUILT = re.compile(r"(?m)^.*(?:--no-build-isolation|pip download|import torch, ).*\bPACKAGE\b.*$")


TELL_THE_BUILT = ("built_package", "built_module", "build_arguments")


@pytest.mark.parametrize("line", CURES.read_text(encoding="utf-8").splitlines(), ids=lambda line: line[:60])
def test_no_command_has_a_placeholder_for_the_package_that_the_text_names(line: str) -> None:
    diagnosis = diagnose(json.loads(line)["text"])
    is_named = all(diagnosis.values.get(name) for name in TELL_THE_BUILT)
    answer = "\n".join((*diagnosis.fix, diagnosis.verify))
    assert not is_named or ABOUT_THE_BUILT.findall(answer) == []


@pytest.mark.parametrize("code", [126, 127])
@pytest.mark.parametrize(
    ("path", "name"),
    [
        (r"torch_sparse\_convert_cuda.pyd", "extension-built-for-other-torch"),
        (r"torchaudio\lib\_torchaudio.pyd", "torchvision-mismatch"),
        (r"xformers\_C.pyd", "extension-built-for-other-torch"),
    ],
    ids=["torch-sparse", "torchaudio", "xformers"],
)
def test_package_that_failed_is_the_subject(code: int, path: str, name: str) -> None:
    assert diagnose(LOADING.format(code, path)).name == name


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_step_stands_alone(name: str) -> None:
    steps = [step.text for step in KNOWLEDGE.entries[name].body.steps]
    # `explain` shows no table, and steps in another order.
    counted = r"\bsteps? \d|(?<!its )\b(?:first|second|third|fourth) step\b|\bsteps? (?:above|below)\b"
    others = (
        rf"{counted}|\btable (?:above|below)|the table\b|the (?:next|previous) (?:step|section)|\bsee above\b"
        r"|\A(?:Or|Otherwise|Then)\b"
    )
    assert [text for text in steps if re.search(others, text)] == []
    assert not re.search(counted, KNOWLEDGE.entries[name].body.verify)


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_steps_of_each_case_are_there(name: str) -> None:
    entry = KNOWLEDGE.entries[name]
    tags = {step.tag for step in entry.body.steps}
    assert tags.issuperset(tag for case in entry.cases for tag in case.steps)
    assert (entry.shared is None) == (not entry.steps_of)
    assert (entry.lender is None) == (not entry.borrows_from)


@pytest.mark.parametrize("name", [name for name, entry in KNOWLEDGE.entries.items() if entry.borrows_from])
def test_borrowed_steps_are_only_those_that_a_case_names(name: str) -> None:
    entry = KNOWLEDGE.entries[name]
    own = {step.tag for step in replace(entry, lender=None).body.steps}
    borrowed = {step.tag for step in entry.body.steps} - own
    assert borrowed and borrowed <= {tag for case in entry.cases for tag in case.steps}


@pytest.mark.parametrize("name", [name for name, entry in KNOWLEDGE.entries.items() if entry.cases])
def test_every_step_is_shown_by_some_case_or_check(name: str) -> None:
    """Where a case fits all texts, a tagged step that no case names is never printed."""
    entry = KNOWLEDGE.entries[name]
    if entry.cases[-1].conditions or entry.shared is not None:
        return
    check = CHECKS / f"{name.replace('-', '_')}.py"
    # Checks of several entries take the step for a card from the first, posix-only that for a program from
    # the second.
    tables = (Path(remedies.__file__), Path(posix_programs.__file__))
    sources = [file for file in (check, *tables) if file.exists()]
    source = "".join(file.read_text(encoding="utf-8") for file in sources)
    named = {tag for case in entry.cases for tag in case.steps}
    tags = {step.tag for step in entry.body.steps if step.tag and f'"{step.tag}"' not in source}
    assert tags - named == set()


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_no_two_steps_of_a_case_make_an_environment_in_the_same_folder(name: str) -> None:
    """The packages of one Python would stay in the environment of the other."""
    entry = KNOWLEDGE.entries[name]
    for case in entry.cases:
        steps = [step for step in entry.body.steps if step.tag in case.steps]
        folders = [set(re.findall(r"-m venv (\S+)", step.text)) for step in steps]
        assert sum(map(len, folders)) == len(set().union(*folders)), (case.says, folders)


def test_shared_steps_follow_those_of_the_entry_itself() -> None:
    entry = KNOWLEDGE.entries["unsupported-python-version"]
    own = [
        step.tag
        for step in entry.body.steps
        if step.tag and re.search(rf"<!-- {step.tag}(?: if \w+| unless [\w ]+)? -->", entry.markdown)
    ]
    tags = [step.tag for step in entry.body.steps if step.tag]
    assert tags[: len(own)] == own and {"fitting", "other-index"} <= set(tags) - set(own)


def test_case_for_all_texts_of_the_shared_entry_hides_none_of_the_own_cases() -> None:
    lead, _ = KNOWLEDGE.entries["unsupported-python-version"].choose_fix({})
    assert lead.startswith("pip finds no torch")
    assert all(case.conditions for case in KNOWLEDGE.entries["unsupported-python-version"].cases[:-1])


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_comment_stands_at_the_start_of_its_step(name: str) -> None:
    assert [step.text for step in KNOWLEDGE.entries[name].body.steps if "<!--" in step.text] == []


def test_pasted_pip_command_is_named_to_the_end_of_its_line() -> None:
    arguments = "torch==2.5.0 --index-url https://download.pytorch.org/whl/cu124"
    text = f"pip install {arguments}\nFatal error in launcher: Unable to create process"
    assert explain(text, KNOWLEDGE).values["pip_arguments"] == arguments


@pytest.mark.parametrize("command", ["pip install torch & calc", "pip install $(calc)", 'pip install "a;b"'])
def test_pip_command_that_a_shell_could_read_otherwise_is_not_named(command: str) -> None:
    assert "pip_arguments" not in explain(f"{command}\nError: x", KNOWLEDGE).values


def test_every_field_has_something_that_fills_it() -> None:
    """A field that nothing fills would always show its fallback."""
    root = Path(__file__).parents[2]
    sources = [*(root / "torchdoctor").rglob("*.py"), *(root / "checks").glob("*.py")]
    code = "\n".join(source.read_text(encoding="utf-8") for source in sources)
    named = set(re.findall(r"[\"'](\w+)[\"']|\(\?P<(\w+)>", code))
    known = {name for pair in named for name in pair} | SETTINGS
    # Parts of names that are put together.
    known |= {f"fitting_{package}" for package in ("torchvision", "torchaudio", "xformers")}
    patterns = [each.pattern or "" for entry in KNOWLEDGE.entries.values() for each in entry.symptoms]
    known |= {name for regex in patterns for name in re.findall(r"\(\?P<(\w+)>", regex)}
    for entry in KNOWLEDGE.entries.values():
        fields = set(
            re.findall(r"\{([a-z]\w*)\|", entry.markdown + "".join(case.says for case in entry.cases))
        )
        assert fields - known == set(), entry.name


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_case_for_all_others_does_not_repeat_the_first_paragraph(name: str) -> None:
    entry = KNOWLEDGE.entries[name]
    assert [case for case in entry.cases if " ".join(case.says.split()) == entry.lead] == []


def test_case_with_conditions_has_an_answer_of_its_own() -> None:
    text = HEAD.replace(', says = "Newer."', "")
    with pytest.raises(EntryError, match="a case has says and steps"):
        parse_entry("t", text)


@pytest.mark.parametrize("name", KNOWLEDGE.entries)
def test_path_in_a_command_is_quoted(name: str) -> None:
    """A path of the text or the machine may have spaces."""
    blocks = re.findall(r"```(?:powershell|bat)\n(.*?)```", KNOWLEDGE.entries[name].markdown, re.DOTALL)
    paths = r"(?<![\"'\w\\=])\{(?:path|torch_python|other_python|webui|frame_file|caller_file)\|"
    assert [line for block in blocks for line in block.splitlines() if re.search(paths, line)] == []
