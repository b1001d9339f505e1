"""The answer of the web page is that of the command line, as HTML in which no text is markup."""

import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from torchdoctor.commands.paste import Desk
from torchdoctor.core.usage import UsageError

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "tests" / "samples"
TEXTS = {
    "certain": "OSError: [WinError 1455] The paging file is too small for this operation to complete",
    "localised": 'OSError: [WinError 126] 找不到指定的模块。 Error loading "C:\\x\\torch\\lib\\fbgemm.dll"',
    "environment": "PyTorch version: 2.6.0+cu124\nNvidia driver version: 531.79\nCUDA error: unknown error",
    "healthy environment": "PyTorch version: 2.13.0+cpu\nPython version: 3.12.4\nOS: Windows 11",
    "conflict": "torch 2.1.0\nPyTorch version: 2.5.0+cu121\nIs CUDA available: False\nWinError 126",
    "several": "EOFError: Ran out of input\nOSError: [WinError 1455] x\nModuleNotFoundError: No module named 'torch'",
    "nothing": "the weather is fine today and nothing else happened to us",
    "words": "page file",
    "number": "1455",
    "empty": "",
}
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\x1b[31m\x07\x00\u202e",
    "`${alert(1)}`{{7*7}}",
    "<!--",
    "&lt;b&gt;",
)


class Page(HTMLParser):
    """What a browser would see of a part of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("input", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def desk() -> Desk:
    return Desk("entries/{}/")


def answer(desk: Desk, tmp_path: Path, text: str | bytes):
    file = tmp_path / "pasted"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return desk.answer(file)


@pytest.mark.parametrize("name", TEXTS)
def test_answer_is_that_of_the_command(name: str, desk: Desk, tmp_path: Path, torchdoctor) -> None:
    found = answer(desk, tmp_path, TEXTS[name])
    result = torchdoctor("explain", "--file", str(tmp_path / "pasted"), "--format", "json")
    data = json.loads(result.stdout)
    assert list(found.names) == [each["name"] for each in data["diagnoses"]]
    assert found.exit_code == result.returncode
    page = Page(found.html)
    assert page.open == []
    for diagnosis in data["diagnoses"][:1]:
        assert len(diagnosis["fix"]) <= page.tags.count("li")
    shared = torchdoctor("explain", "--file", str(tmp_path / "pasted"), "--format", "markdown")
    assert desk.describe_for_issue() == shared.stdout


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("name", TEXTS)
def test_text_is_never_markup(name: str, hostile: str, desk: Desk, tmp_path: Path) -> None:
    text = f'{hostile} {TEXTS[name]} {hostile}\n{hostile}\nFile "C:\\{hostile}\\train.py", line 3'
    page = Page(answer(desk, tmp_path, text).html)
    assert page.open == []
    assert not {"script", "img", "style", "iframe"} & set(page.tags)
    assert not any(key.startswith("on") for key, _ in page.attributes)
    addresses = [value or "" for key, value in page.attributes if key == "href"]
    assert all(value.startswith(("https://", "http://", "entries/")) for value in addresses)
    assert not any(ord(character) < 32 and character != "\n" for character in page.text)


def test_links_lead_to_entries(desk: Desk, tmp_path: Path) -> None:
    page = Page(answer(desk, tmp_path, TEXTS["certain"]).html)
    assert ("href", "entries/paging-file-too-small/") in page.attributes
    assert "1455" in answer(desk, tmp_path, TEXTS["certain"]).title


def test_words_find_entries(desk: Desk, tmp_path: Path) -> None:
    assert "entries/paging-file-too-small/" in answer(desk, tmp_path, TEXTS["words"]).html


def test_environment_is_shown_with_its_lines(desk: Desk, tmp_path: Path) -> None:
    page = Page(answer(desk, tmp_path, TEXTS["environment"]).html)
    assert "2.6.0+cu124" in page.text and "driver 531.79 (line 2" in page.text
    page = Page(answer(desk, tmp_path, TEXTS["healthy environment"]).html)
    assert "where no check fails" in page.text and "2.13.0+cpu" in page.text


def find_sample() -> Path:
    return next(iter(sorted((SAMPLES / "paging_file_too_small").glob("bad-*.json"))))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_facts_are_examined(desk: Desk, tmp_path: Path, encoding: str, torchdoctor) -> None:
    facts = find_sample().read_text(encoding="utf-8")
    found = answer(desk, tmp_path, facts.encode(encoding))
    result = torchdoctor("scan", "--facts", str(tmp_path / "pasted"), "--format", "json")
    failed = [each["name"] for each in json.loads(result.stdout)["outcomes"] if each["status"] == "failed"]
    assert sorted(found.names) == sorted(failed) and "paging-file-too-small" in failed
    assert found.exit_code == result.returncode
    assert Page(found.html).open == []
    assert "paging-file-too-small" in desk.describe_for_issue()


@pytest.mark.parametrize("damage", ['"schema_version": 99', '"schema_version": true'])
def test_facts_of_another_version_are_named(desk: Desk, tmp_path: Path, damage: str) -> None:
    text = find_sample().read_text(encoding="utf-8").replace('"schema_version": 1', damage)
    with pytest.raises(UsageError, match="schema_version"):
        answer(desk, tmp_path, text)


@pytest.mark.parametrize("text", ["{", '{"facts": 7}', '{"a": ' * 50_000, "{}", "[1]", '{"facts"'])
def test_json_without_facts_is_a_text(desk: Desk, tmp_path: Path, text: str) -> None:
    assert answer(desk, tmp_path, text).exit_code == 1


def test_needs_nothing_that_a_browser_lacks(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "for name in ('psutil', 'typer', 'rich', 'click', 'ctypes', 'winreg', 'pynvml', 'torch', 'numpy',\n"
        "             'subprocess', 'multiprocessing', 'fcntl', 'termios', 'ssl'): sys.modules[name] = None\n"
        "from pathlib import Path\n"
        "from torchdoctor.commands.paste import Desk\n"
        "file = Path(sys.argv[1]); desk = Desk('entries/{}/')\n"
        f"for text in {list(TEXTS.values())!r}:\n"
        "    file.write_text(text, encoding='utf-8'); print(desk.answer(file).title); desk.describe_for_issue()"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "pasted")]
    ended = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=ROOT)
    assert ended.returncode == 0, ended.stderr
    assert len(ended.stdout.splitlines()) == len(TEXTS)
