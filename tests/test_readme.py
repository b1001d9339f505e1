"""The README has the current catalogue, commands of one line, and example screens."""

import re
from pathlib import Path

import pytest

from torchdoctor.engine.registry import load_registry
from torchdoctor.renderers.listing import render_markdown

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


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


@pytest.mark.parametrize("name", ["scan", "explain"])
def test_has_an_example_screen(name: str) -> None:
    screen = re.search(rf"<!-- screen: {name} -->\n```text\n(.*?)```", README, re.DOTALL)
    assert screen is not None
    assert len(screen[1].splitlines()) > 10
