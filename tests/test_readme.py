"""The README has the current catalogue, commands of one line, and example screens."""

import os
import re
from pathlib import Path

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.registry import load_registry
from torchdoctor.explain import explain
from torchdoctor.renderers.explanation import render_text
from torchdoctor.renderers.listing import render_markdown

FILE = Path(__file__).parents[1] / "README.md"
README = FILE.read_text(encoding="utf-8")
SAMPLES = Path(__file__).parent / "samples"
SCREEN = r"<!-- screen: {} -->\n```text\n(.*?)```"


def test_catalogue_matches_the_registry() -> None:
    catalogue = README.partition("<!-- catalogue -->\n")[2].partition("<!-- /catalogue -->")[0]
    assert catalogue == render_markdown(load_registry()), (
        "put the output of `torchdoctor checks --format markdown` between the marks of the catalogue"
    )


@pytest.mark.parametrize("name", ["scan", "test"])
def test_command_is_one_line_for_bash_and_powershell(name: str) -> None:
    command = re.search(rf"<!-- command: {name} -->\n```\n(.*?)```", README, re.DOTALL)
    assert command is not None
    # Windows PowerShell 5.1 has no operator &&, and $ and ` have other meanings there.
    assert not re.search(r"&&|\|\||[$`]", command[1])
    assert command[1].count("\n") == 1


def test_has_an_example_screen_of_scan() -> None:
    screen = re.search(SCREEN.format("scan"), README, re.DOTALL)
    assert screen is not None
    assert len(screen[1].splitlines()) > 10


def test_screen_of_explain_is_what_the_program_prints() -> None:
    text = (SAMPLES / "explain" / "dl_lambda-2.15.0.txt").read_text(encoding="utf-8")
    printed = render_text(explain(text, load_knowledge()[0]), 80, False)
    screen = re.search(SCREEN.format("explain"), README, re.DOTALL)
    assert screen is not None
    if os.environ.get("TORCHDOCTOR_README") == "write":
        FILE.write_text(README.replace(screen[1], printed), encoding="utf-8")
    assert screen[1] == printed, "TORCHDOCTOR_README=write writes the screen"
