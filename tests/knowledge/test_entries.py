"""Every entry is complete, and a damaged one gives an error that names it."""

import re

import pytest

from torchdoctor.engine.registry import load_registry
from torchdoctor.explain import explain
from torchdoctor.knowledge import parse_entry
from torchdoctor.knowledge.bodies import EntryError
from torchdoctor.renderers import explanation

REGISTRY = load_registry()
ENTRIES = REGISTRY.knowledge.entries
# The sections of the PyTorch Windows FAQ, and the entry that covers each.
FAQ = {
    "Include optional components": "source-build-components",
    "Speeding CUDA build for Windows": "source-build-components",
    "CFFI Extension": "cffi-extension",
    "Cpp Extension": "cpp-extension",
    "Package not found in win-32 channel": "python-32bit",
    "Import error: missing module": "dll-missing-dependency",
    "Import error: cannot run %1": "dll-cannot-run",
    "Import error: MKL NumPy": "mkl-numpy",
    "Import error: GPU build without an NVIDIA card": "gpu-build-without-card",
    "Multiprocessing error without if-clause protection": "missing-main-guard",
    "Multiprocessing error: Broken pipe": "worker-spawn-failed",
    "Multiprocessing error: driver shut down (1455)": "paging-file-too-small",
    "Multiprocessing error: driver shut down (TDR)": "tdr-timeout",
    "CUDA IPC operations": "cuda-ipc-unsupported",
}
GOOD = '```toml\nfamily = "dll"\nseverity = "error"\n```\n# T\n\nLead.\n\n## Why\nw\n\n## Fix\n1. a\n'


def test_registry_has_no_broken_plugin() -> None:
    assert REGISTRY.broken == (), "\n".join(broken.reason for broken in REGISTRY.broken)


@pytest.mark.parametrize("section", FAQ)
def test_faq_section_has_an_entry(section: str) -> None:
    assert FAQ[section] in ENTRIES


@pytest.mark.parametrize("name", ENTRIES)
def test_entry_has_references_and_a_verify_section(name: str) -> None:
    assert ENTRIES[name].references, f"the head of {name} has no references"
    assert ENTRIES[name].body.verify, f"{name} has no section ## Verify"


@pytest.mark.parametrize("name", ENTRIES)
def test_code_block_has_a_language(name: str) -> None:
    fences = re.findall(r"^ *```(.*)$", ENTRIES[name].markdown, re.MULTILINE)
    assert "" not in fences[::2], f"a code block of {name} begins with ``` alone"


@pytest.mark.parametrize("name", ENTRIES)
def test_echo_of_names_only_entries(name: str) -> None:
    assert set(ENTRIES[name].echo_of) <= set(ENTRIES)


@pytest.mark.parametrize("name", ENTRIES)
def test_steps_are_numbered_from_one(name: str) -> None:
    fix = ENTRIES[name].markdown.partition("\n## Fix\n")[2].partition("\n## ")[0]
    numbers = re.findall(r"(?m)^(\d+)\. ", fix)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]


@pytest.mark.parametrize("name", ENTRIES)
def test_patterns_compile(name: str) -> None:
    for symptom in ENTRIES[name].symptoms:
        assert symptom.pattern is None or re.compile(symptom.pattern)


@pytest.mark.parametrize("name", ENTRIES)
@pytest.mark.parametrize("has_values", [False, True], ids=["without-values", "with-values"])
def test_entry_shows_no_unfilled_field(name: str, has_values: bool) -> None:
    entry = ENTRIES[name]
    fields = set(re.findall(r"\{(\w+)\|", entry.title + entry.markdown))
    values = {field: f"value-of-{field}" for field in fields if has_values}
    text = f"{entry.title}\n{entry.markdown}"
    filled = [entry.fill(text, values), entry.fill(text, values, {}), entry.fill(text, {}, values)]
    assert [text for text in filled if re.search(r"\{\w+\|", text)] == []
    assert [value for value in values.values() if value not in filled[0]] == []


def test_field_that_contains_code_is_filled_as_prose() -> None:
    entry = parse_entry("some-entry", GOOD)
    text = "a {version|see `torch.version`} and `b {dll|x}`"
    assert entry.fill(text, {}, {}) == "a see `torch.version` and `b x`"
    assert entry.fill(text, {"version": "2.9", "dll": "rm -r"}, {}) == "a 2.9 and `b x`"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("`{dll|The DLL}` is there", "The DLL is there"),
        ("`{tool|The launcher}.exe` holds", "The launcher holds"),
        ("has no `{module|torch}.{dll|part of this name}`.", "has no part of this name."),
        ("put `{dll|pip install torch}` there", "put `pip install torch` there"),
        ("write `a` {dll|the name} `b`", "write `a` the name `b`"),
    ],
    ids=["whole", "with-an-ending", "beside-another", "code-with-a-blank", "between-code"],
)
def test_words_in_place_of_a_name_are_not_code(text: str, words: str) -> None:
    entry = parse_entry("some-entry", GOOD)
    assert entry.fill(text, {}) == words
    assert entry.fill(text, {"dll": "c10.dll", "tool": "pip"}, {}) == words.replace("the name", "c10.dll")
    assert "`" in entry.fill(text, {"dll": "c10.dll", "tool": "pip"})


# Code with a blank that a person can run or finds as it stands.
CODE_WITH_BLANKS = r"pip install torch|python |uv sync|AMD Radeon|[A-Z]:[\\/]|-"


@pytest.mark.parametrize("name", ENTRIES)
def test_code_without_a_value_has_no_words(name: str) -> None:
    entry = ENTRIES[name]
    fields = re.findall(r"\{\w+\|([^{}\n`]* [^{}\n`]*)\}", f"{entry.title}\n{entry.markdown}")
    prose = re.sub(r"(?s)```.*?```", "", f"{entry.title}\n{entry.markdown}")
    shown = set(re.findall(r"(?<!`)`([^`\n]+)`(?!`)", entry.fill(prose, {})))
    wrong = [span for span in shown for field in fields if field in span and len(field) > 3]
    assert [span for span in wrong if not re.match(CODE_WITH_BLANKS, span)] == []


@pytest.mark.parametrize("name", ENTRIES)
def test_no_renderer_shows_a_field(name: str) -> None:
    entry = ENTRIES[name]
    texts = (explanation.render_entry(entry, 80, colour=False), explanation.render_entry_json(entry))
    diagnosed = [explain(symptom.text, REGISTRY.knowledge) for symptom in entry.symptoms[:3]]
    texts += tuple(explanation.render_text(each, 80, colour=False) for each in diagnosed)
    texts += tuple(explanation.render_json(each) for each in diagnosed)
    texts += tuple(entry.fill(step, {"version": "2.9"}) for step in entry.fix)
    assert [text for text in texts if re.search(r"\{\w+\|", text)] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "begins with a fenced toml head"),
        (GOOD.replace('family = "dll"', "family = "), "head"),
        (GOOD.replace('"dll"', '"nothing"'), "family must be one of"),
        (GOOD.replace("severity", "sevrity"), "unknown key 'sevrity'"),
        (GOOD.replace("1. a", "a"), "numbered ## Fix"),
        (GOOD + "\n## Fxi\nb\n", "unexpected section 'Fxi'"),
        (GOOD.replace('"error"', '"error"\nsymptoms = [{ pattern = "x" }]'), "a symptom has a text"),
        (GOOD.replace('"error"', '"error"\naffects = { torch = "new" }'), "not a version clause"),
        (GOOD.replace('"error"', '"error"\nmended_by = [{ steps = ["a"] }]'), "mended_by has packages"),
    ],
    ids=["empty", "bad-toml", "family", "key", "no-steps", "section", "symptom", "affects", "mended-by"],
)
def test_damaged_entry_gives_an_error_that_names_it(text: str, message: str) -> None:
    with pytest.raises(EntryError, match=message) as error_info:
        parse_entry("some-entry", text)
    assert str(error_info.value).startswith("some-entry: ")
