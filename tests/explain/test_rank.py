"""Ranking of diagnoses: weights, echoes, and what lowers the confidence."""

import pytest

from torchdoctor.explain import Confidence, Explanation, explain
from torchdoctor.knowledge import Knowledge, index_entries, parse_entry

BODY = "```\n# Title of {name|this}\n\nLead {dll|the DLL}.\n\n## Why\n\nBecause.\n\n## Fix\n\n1. Do {object|it}.\n\n"
BODY += "## Verify\n\n```text\nrun {object|it}\n```\n"


def make_knowledge(**heads: str) -> Knowledge:
    return index_entries(
        parse_entry(name.replace("_", "-"), f'```toml\nfamily = "dll"\n{head}\n{BODY}')
        for name, head in heads.items()
    )


CAUSE = 'symptoms = [ { text = "the cause" } ]'
ECHO = 'symptoms = [ { text = "the echo" } ]\necho_of = ["cause"]'


def explain_with(text: str, **heads: str) -> Explanation:
    return explain(text, make_knowledge(**heads), on_screen=True)


def names_of(explanation: Explanation) -> list[str]:
    return [diagnosis.name for diagnosis in explanation.diagnoses]


def test_echo_is_listed_under_its_cause() -> None:
    (diagnosis,) = explain_with("AError: the echo\n\nBError: the cause", cause=CAUSE, echo=ECHO).diagnoses
    assert (diagnosis.name, diagnosis.echoes) == ("cause", ("AError: the echo",))


def test_echo_alone_is_a_diagnosis() -> None:
    assert names_of(explain_with("AError: the echo", cause=CAUSE, echo=ECHO)) == ["echo"]


def test_weak_cause_takes_no_echo() -> None:
    weak = 'symptoms = [ { text = "the cause", weight = 0.3 } ]'
    assert names_of(explain_with("AError: the echo\n\nBError: the cause", cause=weak, echo=ECHO))[0] == "echo"


@pytest.mark.parametrize(
    ("weight", "confidence"),
    [(1.0, Confidence.CERTAIN), (0.7, Confidence.LIKELY), (0.3, Confidence.POSSIBLE)],
)
def test_weight_sets_the_confidence(weight: float, confidence: Confidence) -> None:
    head = f'symptoms = [ {{ text = "sign", weight = {weight} }} ]'
    assert explain_with("import: a sign", one=head).diagnoses[0].confidence is confidence


def test_two_pieces_of_evidence_add_up() -> None:
    head = 'symptoms = [ { text = "sign", weight = 0.5 }, { text = "trace", weight = 0.5 } ]'
    assert explain_with("import: a sign\nand a trace", one=head).recognised


@pytest.mark.parametrize("text", ["a sign", "a sign: EDITOR.EXE", "tensorflow: a sign"])
def test_weak_symptom_without_a_sign_of_python_is_not_recognised(text: str) -> None:
    head = 'symptoms = [ { text = "sign", weight = 0.8 } ]'
    assert not explain_with(text, one=head).recognised


def test_symptoms_in_the_same_words_do_not_add_up() -> None:
    head = 'symptoms = [ { text = "sign here", weight = 0.5 }, { text = "sign", weight = 0.5 } ]'
    assert not explain_with("a sign here", one=head).recognised


def test_error_number_alone_is_recognised() -> None:
    assert explain_with("[WinError 4242] 何か", one="codes = { winerror = [4242] }").recognised


def test_unless_rules_the_entry_out() -> None:
    assert not names_of(explain_with("the cause, but a bystander", one=CAUSE + '\nunless = ["bystander"]'))


def test_text_from_linux_is_not_recognised() -> None:
    text = 'Traceback (most recent call last):\n  File "/home/u/a.py", line 1\nAError: the cause'
    assert not explain_with(text, one=CAUSE).recognised


def test_version_outside_the_range_is_not_recognised() -> None:
    head = CAUSE + '\naffects = { torch = ">=2.9" }'
    assert not explain_with("PyTorch version: 2.4.0\nAError: the cause", one=head).recognised


def test_gives_at_most_three_diagnoses() -> None:
    heads = dict.fromkeys(("one", "two", "three", "four"), CAUSE)
    assert len(explain_with("the cause", **heads).diagnoses) == 3


def test_fills_values_into_the_fix() -> None:
    head = """symptoms = [ { text = "lost", pattern = 'lost (?P<object>\\w{1,9})' } ]"""
    assert explain_with("it lost shape", one=head).diagnoses[0].fix == ("Do shape.",)


def test_unsafe_value_is_not_filled_into_a_command() -> None:
    head = """symptoms = [ { text = "lost", pattern = "lost (?P<object>[^\\n]{1,90})" } ]"""
    (diagnosis,) = explain_with('it lost x"; shutdown; echo "', one=head).diagnoses
    assert diagnosis.verify == "```text\nrun it\n```"


def test_evidence_names_the_line() -> None:
    (evidence,) = explain_with("first\n\n[rank0]: AError: the cause", one=CAUSE).diagnoses[0].evidence
    assert (evidence.line, evidence.text) == (3, "AError: the cause")


def test_empty_text_is_not_recognised() -> None:
    assert explain_with("", one=CAUSE) == Explanation(False, (), {})


def test_entry_on_the_cards_of_one_maker_is_possible_for_another(knowledge: Knowledge) -> None:
    text = "RuntimeError: CUDA failed with error CUDA driver version is insufficient for CUDA runtime version"
    assert explain(text, knowledge).diagnoses[0].name == "driver-too-old"
    diagnoses = explain(f"{text}\nWindows 11, GPU: Radeon RX 580 Series", knowledge).diagnoses
    confidence = {diagnosis.name: diagnosis.confidence for diagnosis in diagnoses}
    assert diagnoses[0].name == "no-nvidia-gpu"
    assert confidence["driver-too-old"] is Confidence.POSSIBLE


@pytest.mark.parametrize(
    ("path", "confidence"),
    [(r"C:\x\mylib\foo.dll", Confidence.LIKELY), (r"C:\x\torch\lib\foo.dll", Confidence.CERTAIN)],
)
def test_dll_of_another_program_is_never_certain(
    path: str, confidence: Confidence, knowledge: Knowledge
) -> None:
    text = f'OSError: [WinError 126] The specified module could not be found. Error loading "{path}"'
    assert explain(text, knowledge).diagnoses[0].confidence is confidence


@pytest.mark.parametrize(
    "around",
    [
        "I no longer get this error:\n{}",
        "> {}\n\nThat is not my problem.",
        "I have never seen\n{}",
        "diff --git a/t.py b/t.py\n@@ -1,2 +1,2 @@\n-{}",
        "# Changes\n- Fixed: {}",
    ],
)
def test_error_that_nobody_has_is_never_certain(around: str, knowledge: Knowledge) -> None:
    text = "OSError: [WinError 1455] The paging file is too small for this operation to complete."
    assert explain(text, knowledge).diagnoses[0].confidence is Confidence.CERTAIN
    assert explain(around.format(text), knowledge).diagnoses[0].confidence is not Confidence.CERTAIN


@pytest.mark.parametrize("aside", ["Games run fine.", "It never happens in games.", "I can play games."])
def test_games_that_still_run_are_not_what_a_text_is_about(aside: str, knowledge: Knowledge) -> None:
    diagnoses = explain(f"The computer turns itself off when I train. {aside}", knowledge).diagnoses
    assert diagnoses[0].confidence is Confidence.LIKELY


@pytest.mark.parametrize("game", ["the game freezes", "crash to desktop", "any launcher of this title"])
def test_crash_of_a_game_is_possible_at_most(game: str, knowledge: Knowledge) -> None:
    diagnoses = explain(f"{game}, exit code 0xC0000005 (Access Violation)", knowledge).diagnoses
    assert {each.confidence for each in diagnoses} <= {Confidence.POSSIBLE}


HOST_CONFIG = (
    "CUDA\\v9.1\\include\\crt/host_config.h(135): fatal error C1189: #error:"
    "  -- unsupported Microsoft Visual Studio version! [C:\\{}]"
)
OF_OTHERS = {
    "a miner": HOST_CONFIG.format("projects\\xmr-stak\\build\\backend"),
    "a project of Visual Studio": HOST_CONFIG.format("work\\render\\build\\cuda_backend.vcxproj"),
    "clang": "[build] clang++: warning: CUDA version is newer than the latest supported version 12.3\n"
    "yvals_core.h(892): error: static assertion failed with "
    '"error STL1002: Unexpected compiler version, expected CUDA 12.4 or newer."',
    "a program by its file": "The code execution cannot proceed because VCRUNTIME140.dll was not found. "
    "Windows 10, Backups-v6.0.3-windows-x64.exe",
    "torch for R": "library(torch) fails: R-4.0.2\\library\\torch\\deps\\lantern.dll - The specified module could not be found",
    "Nix": "CUDA error (/build/source/flash.h:167): no kernel image is available for execution on the device\n$ nix run .#cuda",
    "a host of bots": "pip install torch on Pterodactyl: OSError: [Errno 28] No space left on device",
}


@pytest.mark.parametrize("text", OF_OTHERS.values(), ids=OF_OTHERS)
def test_text_of_another_program_or_system_is_not_recognised(text: str, knowledge: Knowledge) -> None:
    explanation = explain(text, knowledge)
    assert explanation.has_evidence and not explanation.recognised


def test_package_of_python_that_visual_studio_builds_is_recognised(knowledge: Knowledge) -> None:
    text = "Building wheels for collected packages: nvdiffrast (setup.py)\n" + HOST_CONFIG.format(
        "b\\a.vcxproj"
    )
    assert explain(text, knowledge).recognised


@pytest.mark.parametrize(
    ("run_on", "system", "is_possible"),
    [
        (None, None, True), (None, "windows", True),
        ("linux", None, False), ("linux", "windows", True), ("linux", "linux", False),
        ("windows", None, False), ("windows", "windows", False), ("windows", "linux", True),
    ],
)  # fmt: skip
def test_text_of_a_program_that_ran_here_is_of_this_system(
    run_on: str | None, system: str | None, is_possible: bool
) -> None:
    affects = f'\naffects = {{ os = "{system}" }}' if system else ""
    knowledge = make_knowledge(cause=CAUSE + affects)
    known = {"run_on": run_on} if run_on else {}
    text = 'Traceback\n  File "/opt/train.py", line 1, in <module>\nAError: the cause'
    (diagnosis,) = explain(text, knowledge, known).diagnoses
    assert (diagnosis.confidence is Confidence.POSSIBLE) is is_possible


BANNER = (
    "Python 3.7.0 (v3.7.0:1bf9cc5093, Jun 27 2018) [MSC v.1914 64 bit (AMD64)] on win32\n>>> import torch\n"
    'Traceback (most recent call last):\n  File "C:\\Python37\\lib\\site-packages\\torch\\__init__.py", line 81,'
    " in <module>\n    from torch._C import *\nImportError: DLL load failed: {}"
)


@pytest.mark.parametrize(
    ("message", "is_told"),
    [
        ("The specified procedure could not be found.", True),
        ("Die angegebene Prozedur wurde nicht gefunden.", True),
        ("The specified module could not be found.", False),
    ],
)
def test_first_release_of_a_python_is_told_beside_a_missing_function(
    knowledge: Knowledge, message: str, is_told: bool
) -> None:
    diagnoses = explain(BANNER.format(message), knowledge).diagnoses
    told = [each.name for each in diagnoses if each.confidence is not Confidence.POSSIBLE]
    assert ("python-patch-release" in told) is is_told
    assert told[0] != "python-patch-release"
