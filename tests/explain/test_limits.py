"""What `explain` reads on each side of its limits: of lines, units, logs, numbers and evidence."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from torchdoctor.check import Severity
from torchdoctor.engine.runner import Outcome
from torchdoctor.explain import explain
from torchdoctor.explain.codes import read_codes
from torchdoctor.explain.computer.cards import read_maker
from torchdoctor.explain.computer.platforms import is_foreign
from torchdoctor.explain.confirmation import _is_confirmed
from torchdoctor.explain.match import Haystack
from torchdoctor.explain.text.clean import clean, clean_line, number_lines
from torchdoctor.explain.text.decode import decode
from torchdoctor.explain.text.split import Kind, Unit, split
from torchdoctor.explain.text.stream import read_lines
from torchdoctor.explain.values.read import read_interpreter, read_values
from torchdoctor.knowledge import Knowledge, index_entries, parse_entry

Compare = Callable[[str, Sequence[str]], None]
FOLDER = Path(__file__).parents[1] / "samples" / "explain"


def is_known(text: str) -> bool:
    return "Auslagerungsdatei" in text or "页面文件" in text


def clean_text(text: str) -> list[tuple[int, str]]:
    return [tuple(line) for line in clean(number_lines(text), is_known)]


def write_units(text: str) -> Iterator[str]:
    """Yield the units of a text, a line each: kind, lines, traceback, chain, length and frame."""
    for unit in split(clean(number_lines(text), is_known)):
        lines = ",".join(str(line.number) for line in unit.lines)
        frame = "" if unit.frame is None else f" {unit.frame.path}:{unit.frame.line}:{unit.frame.function}"
        yield f"{unit.kind.value} {lines} t{unit.traceback} c{unit.chain} {len(unit.text)} {unit.starts[-1]}{frame}"


LONG = "Traceback (most recent call last):\n" + "".join(
    f'  File "{n}.py", line {n}, in f\n    g()\n' for n in range(3)
)
TEXTS = {
    "messages": "\n".join(
        [
            "ValueError: a", "b", "  c", "", "    d", "", "e", "RuntimeError", "KeyError:x", "Warning: y",
            "a.py:1: UserWarning: z", "  f()", "INFO a", "[ERROR] b", "plain", "text", "", "more",
        ]
    ),
    "frames": LONG + "ValueError: x\n\nDuring handling of the above exception, another exception occurred:\n\n" + LONG + "OSError: y\n" + LONG,
    "numbered code": "Traceback (most recent call last):\nFile x.py:3, in f(a)\n      1 a\n----> 2 b\n      3 c\nOSError: y\n      1 a",
    "kinds of frames": "\n".join(
        [
            'File "C:\\a b.py", line 1', "File C:\\a.py:2, in g", "File a.py:3", "C:\\x\\a.py in h(x)", "a.py:4: in f",
            "    a.py line 5 in k", 'File "a.txt", line 6, in <module>', "File a: b", "    ~~~^^^",
        ]
    ),
    "rest of a header": "[rank0]: Traceback (most recent call last):\nerror Traceback (most recent call last):\nb",
    "quoted": "Original Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nOSError: x",
    "sixty lines": "ValueError: x\n" + "a\n" * 70,
    "59 lines": "ValueError: x\n" + "a\n" * 59,
    "4000 letters": "ValueError: x\n" + ("a" * 99 + "\n") * 45,
    "one line of 4000": "a" * 3999 + "\nb",
    "one line of 3999": "a" * 3998 + "\nb",
    "blank lines in a message": "ValueError: x\n\n\n    y\n\n\n\n    z",
    "warned": "a.py:1: UserWarning: x\n  warn()\nValueError: y",
}  # fmt: skip


def test_units_of_texts(compare_answers: Compare) -> None:
    captures = {file.stem: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.txt"))}
    lines = []
    for name, text in (TEXTS | captures).items():
        lines += [f"# {name}", *write_units(text)]
    compare_answers("explain/units", lines)


CLEANED = {
    "\x1b[31mred\x1b[0m": "red",
    "a\tb": "a    b",
    "2026-01-02 03:04:05,678 - x": "x",
    "[2026-01-02T03:04:05Z] x": "x",
    "03:04:05 x": "x",
    "[rank1]: x": "x",
    "[default0]:x": "x",
    "[1,2]<stderr>:x": "x",
    "(worker pid=12) x": "x",
    "(worker pid=12, ip=1.2.3.4) x": "x",
    "E   x": "x",
    "E x": "E x",
    "stderr: x": "x",
    "app_1  | x": "x",
    "----> 3 x": "x",
    "> 3 x": "x",
    "│ x │": "x",
    "> > x": "x",
    "```x": "x",
    "  > x": "  x",
    "> > > > > x": "x",
    "50%|#####     | 5/10 [00:01<00:01, 5it/s] x": "  x",
    "━━━━━━━━ 1.0/2.0 MB x": " x",
    r"say \"a\"": 'say "a"',
    r"\u0041b": "Ab",
    "a  ": "a",
    "x\u200by": "xy",
    "“a”": '"a"',
}


@pytest.mark.parametrize("text", CLEANED)
def test_line_is_cleaned(text: str) -> None:
    [(_, cleaned)] = clean_text(text)
    assert cleaned == CLEANED[text]


NEWLINES = {
    "carriage return": ("a\rb", [(1, "a"), (1, "b")]),
    "escaped": (r"x Traceback (most recent call last):\n  File 'a'\nOSError: b\nand", [(1, "x Traceback (most recent call last):"), (1, "  File 'a'"), (1, r"OSError: b\nand")]),
    "not escaped": (r"Traceback\n  File", [(1, r"Traceback\n  File")]),
    "long line": ("a" * 4001, [(1, "a" * 4000)]),
    "long lines": ("\r".join(["a" * 4000] * 5), [(1, "a" * n) for n in (4000, 3999, 3999, 4000)]),
    "wrapped": ("a" * 80 + "\nb\nc", [(1, "a" * 80 + "b"), (3, "c")]),
    "wrapped twice": ("a" * 80 + "\n" + "b" * 80 + "\nc\nd", [(1, "a" * 80 + "b" * 80 + "c"), (4, "d")]),
    "not wrapped": ("a" * 81 + "\nb", [(1, "a" * 81), (2, "b")]),
    "wrapped before a traceback": ("a" * 80 + "\nTraceback", [(1, "a" * 80), (2, "Traceback")]),
    "wrapped before an error": ("a" * 80 + "\nOSError", [(1, "a" * 80), (2, "OSError")]),
    "wrapped before nothing": ("a" * 80 + "\n\nb", [(1, "a" * 80), (2, ""), (3, "b")]),
    "cut frame": ('  File "a b\n  c.py", line 1', [(1, '  File "a b c.py", line 1')]),
    "frames": ('  File "a", line 1\n  b", line 2', [(1, '  File "a", line 1'), (2, '  b", line 2')]),
    "cut frame and a gap": ('  File "a b\n\n  c.py", line 1', [(1, '  File "a b'), (2, ""), (3, '  c.py", line 1')]),
}  # fmt: skip


@pytest.mark.parametrize("name", NEWLINES)
def test_lines_are_split_and_joined(name: str) -> None:
    text, lines = NEWLINES[name]
    assert clean_text(text) == lines


@pytest.mark.parametrize(("count", "repaired"), [(60, True), (61, False)])
def test_so_many_lines_are_repaired(count: int, repaired: bool) -> None:
    garbled = "页面文件".encode("gbk").decode("cp1252")
    assert ("页面文件" in clean_text("é\n" * (count - 1) + garbled)[-1][1]) is repaired


@pytest.mark.parametrize(("length", "repaired"), [(1000, True), (1001, False)])
def test_so_long_lines_are_repaired(length: int, repaired: bool) -> None:
    garbled = "页面文件".encode("gbk").decode("cp1252")
    assert ("页面文件" in clean_text(garbled + "x" * (length - len(garbled)))[-1][1]) is repaired


NUMBERS = [
    "[WinError 5] x", "winerror: 5", "win error 5", "os error 5", "os error: -5", "error code 5", "Error code: <5>",
    "error code 5.1", "error code 0x5", "GetLastError() = 5", "errno 5", "[Errno 5]", "CUDA error: a (5)", "cuDNN error (5)",
    "CUDA error 5", "CUDA runtime error (5)", "cuda driver error: 5", "cudaGetDevice failed error = 5", "error 5: x",
    "error 5: (x", "exit code 5", "exited with code -5", "exit status: 5", "exit value 5", "return code 5", "returned 5",
    "return_code=5", "exit 4294967295", "0xBFFFFFFF", "0xC0000000", "0xC0000005", "0xC000FFFF", "0xC0010000",
    "0x8006FFFF", "0x80070005", "0x8007FFFF", "0x80080000", "0xC06CFFFF", "0xC06D007E", "0xC06DFFFF", "0xC06E0000",
    "0xC00005", "-1073741819", "3221225477", "3221225299", "3221235000", "x1073741819", "-1073741819.5", "1.3221225477",
    "exit code -1073741819 (0xC0000005)", "nothing",
]  # fmt: skip


def make_unit(text: str) -> Unit:
    return Unit(Kind.LOOSE, text, (), (0,))


def test_numbers_in_texts(compare_answers: Compare) -> None:
    lines = [
        f"{text}: "
        + ", ".join(
            f"{code.kind} {code.number} {code.start}-{code.end}" for code in read_codes(make_unit(text))
        )
        for text in NUMBERS
    ]
    compare_answers("explain/numbers", lines)


VALUES = [
    "too old (found version 12080)", "too old (found version 9010)", "torch-2.1.0+cu118", "torch==2.8", "torch 2.8.0+cpu",
    "C:\\Python310\\Lib\\x", "/python39/", "CUDA capability sm_120", "which is of cuda capability 8.6", "RTX 5090", "RTX 5000",
    "GTX 1080", "GTX 970", "my 5070", "rtx 2080", "gtx 1660", "rtx 3090", "rtx 4070", "rtx 6090", "tried to allocate 1073741823 bytes",
    "tried to allocate 1073741823", "tried to allocate 1073741824", "tried to allocate 4294967296", "tried to allocate 4294967297",
    "tried to allocate 2.00 GiB", 'Error loading "C:\\a\\b.dll"', 'Error loading "C:\\a\\b.txt"', "could not load x.dll",
    "Could not find module 'a.pyd'", "No module named 'a.b'", "pip install torch==2.1", "run pip3 install 'x'", "pip install x; rm",
    "from multiprocessing.spawn import spawn_main", "multiprocessing\\spawn.py", "torch==9.9.9+cu130", "torch 2.1.0+cu118 torch 2.2.0+cu118",
    "torch 2.1.0+cu118 2.1.0+cu118", "Intel Arc A770", "Radeon RX 7900", "NVIDIA and Radeon", "Intel Arc and Radeon", "2.8+xpu 2.8.0+xpu",
    'File "a.py", line 3, in f(x)', 'File "C:\\Lib\\site-packages\\a.py", line 3, in f', 'File "C:\\Lib\\json\\a.py", line 3, in f',
    'File "json.py", line 3, in f', 'File "a.txt", line 3, in f', 'File "<stdin>", line 3, in f', "a +cu121 b", "?????", "????",
    'ValueError: x\n  File "a.py", line 3, in f\n  File "b.py", line 4, in g', "C:\\venv\\Lib\\site-packages\\x", "C:\\a\\Lib\\site-packages\\x",
    "C:\\miniconda3\\envs\\t\\Lib\\site-packages\\x", "C:\\Python311\\Lib\\site-packages\\x", "C:\\a\\python_env\\Lib\\site-packages\\x",
    "C:\\venv\\Lib\\site-packages\\x D:\\venv\\Lib\\site-packages\\y", "C:\\venv\\Lib\\site-packages\\x c:/VENV/Lib/site-packages/y",
    "C:\\ComfyUI\\python_embeded\\Lib\\site-packages\\x", "x" * 200_001 + " rtx 2080", "rtx 2080 " + "x" * 200_001, "x" * 100_001 + " rtx 2080 " + "x" * 100_001,
]  # fmt: skip


def test_values_in_texts(compare_answers: Compare) -> None:
    lines = []
    for text in VALUES:
        units = split(clean(number_lines(text), is_known)) if len(text) < 4000 else [make_unit(text)]
        values = json.dumps(read_values(units), sort_keys=True, ensure_ascii=False)
        name = text if len(text) < 4000 else f"{text[:9].strip()}... {len(text)} ...{text[-9:].strip()}"
        lines.append(f"{name!r}: {values} {read_maker(text)} {read_interpreter(text)}")
    compare_answers("explain/values", lines)


def make_log(size: int, marked: dict[int, bytes]) -> bytes:
    """Return a log of so many lines, some of which are given."""
    return b"".join(marked.get(number, b"step " + b"." * 60) + b"\n" for number in range(1, size + 1))


def find_runs(numbers: Sequence[int]) -> str:
    """Return the first and the last of each run of numbers; of many runs those at both ends."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    texts = [f"{first}-{last}" for first, last in runs]
    return " ".join(texts if len(texts) < 20 else [*texts[:5], f"... {len(texts)} ...", *texts[-5:]])


LOGS = {
    "small": [make_log(9, {5: b"error"})],
    "a mebibyte": [b"x\n" * (1 << 19)],
    "a byte more": [b"x\n" * (1 << 19) + b"y"],
    "nothing": [make_log(20_000, {})],
    "one error": [make_log(20_000, {5000: b"Error: x"})],
    "the same error": [make_log(20_000, {5000: b"Error: 1", 6000: b"Error: 2", 7000: b"Error: x"})],
    "near errors": [make_log(20_000, {5000: b"Error: x", 5030: b"fatal y", 5086: b"failed z"})],
    "two chunks": [make_log(10_000, {})[:-9], b"an error\n" + make_log(10_000, {})],
    "many errors": [make_log(90_000, {2000 + 100 * n: b"failed %s" % (b"%c%c" % (97 + n % 26, 97 + n // 26)) for n in range(320)}
                             | {50_000 + 100 * n: b"Error: %s" % (b"%c%c" % (97 + n % 26, 97 + n // 26)) for n in range(310)})],
    "long lines": [make_log(20_000, {5000 + 100 * n: b"error " + b"%c" % (97 + n) * 90_000 for n in range(20)})],
    "windows end": [make_log(60_000, {5000 + 100 * n: b"error " + b"%c%c" % (97 + n % 26, 97 + n // 26) + b" " * 7000 for n in range(290)})],
    "no last newline": [make_log(20_000, {})[:-1]],
    "UTF-16": [make_log(20_000, {5000: b"Error: x"}).decode().encode("utf-16")],
    "UTF-16 in chunks": [make_log(10_000, {}).decode().encode("utf-16-le"), make_log(10_000, {5000: b"Error: x"}).decode().encode("utf-16-le")],
}  # fmt: skip


def test_lines_of_logs(compare_answers: Compare) -> None:
    lines = []
    for name, chunks in LOGS.items():
        found = list(read_lines(chunks, is_known))
        longest = max(len(text) for _, text in found)
        lines.append(f"{name}: {find_runs([number for number, _ in found])} longest {longest}")
    compare_answers("explain/logs", lines)


BYTES = {
    "UTF-8": ("ä".encode(), "", "ä"),
    "UTF-8 with a mark": ("ä".encode("utf-8-sig"), "", "ä"),
    "UTF-16": ("äb".encode("utf-16"), "", "äb"),
    "big UTF-16": (b"\xfe\xff" + "äb".encode("utf-16-be"), "", "äb"),
    "UTF-16 without a mark": ("abcd".encode("utf-16-le"), "", "abcd"),
    "big UTF-16 without a mark": ("abcd".encode("utf-16-be"), "", "abcd"),
    "UTF-16 with a literal": ("页面文件a".encode("utf-16-le"), "", "页面文件a"),
    "three bytes": (b"a\0b", "", "a\0b"),
    "single zeros": (b"abcdefgh\0\0", "", "abcdefgh\0\0"),
    "cp1252": (b"f\xfcr", "", "für"),
    "gbk": ("文件夹".encode("gbk"), "", "文件夹"),
    "cp1251": ("файл".encode("cp1251"), "cp1251", "файл"),
    "not in the code page": ("файл".encode("cp866"), "cp1251", "錉┇"),
    "cp949": ("파일".encode("cp949"), "cp949", "파일"),
    "cp949, letters": (b"f\xfcr das", "cp949", "für das"),
    "unknown code page": (b"f\xfcr", "cp9999", "für"),
    "lowest pairs": (b"\x81\x80\x81\x80", "", "亐亐"),
    "lines": ("ä\n".encode() + b"\xfc\n" + b"\xfc", "", "ä\nü\nü"),
    "literal in gbk": ("页面文件 \xe4".encode("gbk", "ignore"), "cp1252", "页面文件 "),
    "literal among others": ("页面文件".encode("gbk") + b"\n\xfc\n\xe4 x", "", "页面文件\nü\nä x"),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_are_decoded(name: str) -> None:
    data, code_page, text = BYTES[name]
    assert decode(data, is_known, code_page) == text


@pytest.mark.parametrize(("literal", "found"), [("a", 24), ("b", 1), ("x", 0)])
def test_literal_is_found_so_often(literal: str, found: int) -> None:
    haystack = Haystack([*(make_unit(f"{n} aa") for n in range(30)), make_unit("bb")])
    assert len([*haystack.find(literal)]) == found


def test_literal_is_found_in_its_unit() -> None:
    haystack = Haystack([make_unit("AB\\C"), make_unit("xab"), make_unit("ab")])
    assert [*haystack.find("ab")] == [(0, 0), (1, 1), (2, 0)]
    assert [*haystack.find("b/c")] == [(0, 1)]


@pytest.mark.parametrize(
    ("status", "confirmed"),
    [("passed", False), ("failed", True), ("skipped", None), ("errored", None), (None, None)],
)
def test_diagnosis_is_confirmed_by_its_check(status: str | None, confirmed: bool | None) -> None:
    assert _is_confirmed(status and Outcome("x", status, Severity.NOTE)) is confirmed  # type: ignore[arg-type]


ENTRY = '```toml\nfamily = "%s"\nseverity = "error"\n%s\n```\n\n# %s\n\nLead.\n\n## Why\n\nx\n\n## Fix\n\n1. Mend {file|it}.\n\n## Verify\n\nx\n'


def make_knowledge(**heads: str) -> Knowledge:
    return index_entries(parse_entry(name, ENTRY % ("settings", head, name)) for name, head in heads.items())


def diagnose(text: str, knowledge: Knowledge) -> list[tuple[str, str, list[int], int]]:
    return [
        (each.name, each.confidence.value, [line.line for line in each.evidence], len(each.echoes))
        for each in explain(text, knowledge).diagnoses
    ]


WEIGHTS = {
    0.95: "certain",
    0.94: "likely",
    0.6: "likely",
    0.59: "possible",
    0.5: "possible",
    0.25: "possible",
}


@pytest.mark.parametrize("weight", WEIGHTS)
def test_confidence_by_weight(weight: float) -> None:
    knowledge = make_knowledge(one=f"[[symptoms]]\ntext = 'broken wheel'\nweight = {weight}")
    assert [each[1] for each in diagnose("python: broken wheel", knowledge)] == [WEIGHTS[weight]]


def test_weight_below_the_lowest_gives_nothing() -> None:
    knowledge = make_knowledge(one="[[symptoms]]\ntext = 'broken wheel'\nweight = 0.24")
    assert not explain("python: broken wheel", knowledge).has_evidence


RANKED = {
    "three": ("ValueError: aaaa bbbb cccc dddd", ["a", "b", "c"]),
    "order of evidence": ("dddd\n\ncccc\n\nbbbb", ["d", "c", "b"]),
    "exceptions first": ("dddd\n\nValueError: cccc", ["c", "d"]),
}


@pytest.mark.parametrize("name", RANKED)
def test_best_three_in_their_order(name: str) -> None:
    text, names = RANKED[name]
    heads = {letter: f"[[symptoms]]\ntext = '{letter * 4}'\nweight = 1.0" for letter in "abcd"}
    assert [each[0] for each in diagnose(f"python\n\n{text}", make_knowledge(**heads))] == names


def test_evidence_and_echoes_have_limits() -> None:
    symptoms = "".join(
        f"[[symptoms]]\ntext = 'part {n} of it'\nweight = {weight}\n"
        for n, weight in enumerate((0.8, 0.8, 0.8, 0.8))
    )
    echoes = "echo_of = ['one']\n" + "".join(
        f"[[symptoms]]\ntext = 'echo {n} of it'\nweight = 0.9\n" for n in range(7)
    )
    text = (
        "\n\n".join(f"ValueError: part {n} of it" for n in range(4))
        + "\n\n"
        + "\n\n".join(f"ValueError: echo {n} of it" for n in range(7))
    )
    assert diagnose(text, make_knowledge(one=symptoms, two=echoes)) == [("one", "certain", [1, 3, 5], 5)]


def test_weak_evidence_is_not_shown_beside_strong() -> None:
    symptoms = "".join(
        f"[[symptoms]]\ntext = 'part {n} of it'\nweight = {weight}\n"
        for n, weight in enumerate((0.8, 0.4, 0.39))
    )
    text = "\n\n".join(f"ValueError: part {n} of it" for n in range(3))
    assert diagnose(text, make_knowledge(one=symptoms)) == [("one", "likely", [1, 3], 0)]


def test_pattern_reads_the_lines_beside_its_literal() -> None:
    symptom = "[[symptoms]]\ntext = 'the literal'\npattern = 'value (?P<file>\\w+)'\nweight = 1.0"
    text = [f"line {n}" for n in range(9)]
    found = []
    for place in range(9):
        lines = [*text[:4], "the literal", *text[5:]]
        lines[place] += " value x"
        found.append(explain("\n".join(lines), make_knowledge(one=symptom)).has_evidence)
    assert found == [False, False, False, True, True, True, True, False, False]


def test_own_code_outweighs_a_shared_one() -> None:
    knowledge = make_knowledge(one="[codes]\nwinerror = [5001, 5002, 2]", two="[codes]\nwinerror = [5002]")
    texts = (
        "python [WinError 5001]",
        "python [WinError 5002]",
        "python [WinError 2]",
        "python [WinError 5003]",
    )
    assert [[each[:2] for each in diagnose(text, knowledge)] for text in texts] == [
        [("one", "likely")], [("one", "possible"), ("two", "possible")], [], [],
    ]  # fmt: skip


def test_nearest_entry_shares_rare_words() -> None:
    heads = {f"entry{n}": "symptoms = []" for n in range(13)}
    texts = {name: ENTRY % ("settings", "symptoms = []", f"{name} lemon {'cherry' if n < 12 else ''} {'banana' if n < 1 else ''}")
             for n, name in enumerate(heads)}  # fmt: skip
    knowledge = index_entries(parse_entry(name, text) for name, text in texts.items())
    asked = ("banana cherry", "banana lemon", "cherry lemon", "banana", "apple")
    assert [[each[0] for each in diagnose(text, knowledge)] for text in asked] == [["entry0"], [], [], [], []]


@pytest.mark.parametrize(
    ("before", "recognised"), [("SharpGen.Runtime: [Vortice.DXGI] ", False), ("import torch\n", True)]
)
def test_game_that_loses_its_device_is_not_torch(before: str, recognised: bool, knowledge) -> None:
    text = f"{before}The GPU device instance has been suspended. Use GetDeviceRemovedReason to see why."
    assert explain(text, knowledge).recognised is recognised


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ('  File "/home/u/a.py", line 1, in f\n    open("C:\\x")\nOSError: y', True),
        ('  File "C:\\a.py", line 1, in f\n    open("/home/x")\nOSError: y', False),
        ("/home/u/a.py: C:\\x", False),
        ("a.py: OSError", False),
        ("/home/u/a.py: OSError", True),
    ],
)
def test_text_of_another_system(text: str, foreign: bool) -> None:
    assert is_foreign(split(clean(number_lines(text), is_known))) is foreign


def test_line_keeps_its_indentation() -> None:
    assert clean_line("    [rank0]: x") == "    x"
