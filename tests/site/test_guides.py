"""Each command of the guides does what the guide says, in the order of the page."""

import re
import shlex
from pathlib import Path

import pytest

GUIDES = Path(__file__).parents[2] / "docs" / "site" / "guides"
BLOCK = re.compile(
    r"(?:^<!-- exit: (?P<exit>\w+) -->\n)?^```(?P<language>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
NAMES = sorted(file.stem for file in GUIDES.glob("*.md") if file.stem != "index")


@pytest.mark.parametrize("name", NAMES)
def test_commands_of_a_guide(name: str, tmp_path: Path, torchdoctor, tmp_path_factory) -> None:
    state = tmp_path_factory.mktemp("state")
    ran = 0
    variables = {
        "TORCHDOCTOR_STATE_DIR": str(state),
        "TORCHDOCTOR_CACHE_DIR": str(state),
    }
    for block in BLOCK.finditer((GUIDES / f"{name}.md").read_text(encoding="utf-8")):
        if block["title"]:
            file = tmp_path / block["title"]
            file.parent.mkdir(exist_ok=True)
            file.write_text(block["text"], encoding="utf-8")
        for line in block["text"].splitlines() if block["language"] == "bat" else ():
            program, *arguments = shlex.split(line)
            assert program == "torchdoctor", line
            result = torchdoctor(*arguments, env=variables)
            wanted = {0, 1} if block["exit"] == "any" else {int(block["exit"] or 0)}
            assert result.returncode in wanted, (line, result.stdout, result.stderr)
            # A program that fails prints its own.
            assert arguments[0] == "run" or "Traceback" not in result.stderr
            ran += 1
    assert ran, "a guide has commands"


def test_index_names_each_guide() -> None:
    listed = re.findall(r"\]\(([\w-]+)\.md\)", (GUIDES / "index.md").read_text(encoding="utf-8"))
    assert sorted(listed) == NAMES
