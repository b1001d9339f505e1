"""`explain --open` opens the first page that an entry refers to."""

import os
from pathlib import Path

import pytest

from torchdoctor.knowledge import Knowledge

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a shell script stands for a browser")


@pytest.fixture
def browser(tmp_path: Path) -> dict[str, str]:
    """Return the variables with which a script that writes down the address is the browser."""
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" >{tmp_path}/opened\n')
    script.chmod(0o755)
    return {"BROWSER": str(script)}


@pytest.mark.parametrize(
    "text", ["paging-file-too-small", "OSError: [WinError 1455] x"], ids=["name", "text"]
)
def test_opens_the_first_page(torchdoctor, browser, knowledge: Knowledge, tmp_path: Path, text: str) -> None:
    result = torchdoctor("explain", "--open", text, env=browser)
    address = knowledge.entries["paging-file-too-small"].references[0]
    assert (tmp_path / "opened").read_text().strip() == address
    assert (result.returncode, result.stderr) == (0, f"torchdoctor: opened {address}\n")


def test_says_the_address_without_a_browser(torchdoctor, tmp_path: Path) -> None:
    env = {"PATH": str(tmp_path), "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}
    result = torchdoctor("explain", "--open", "tdr-timeout", env=env)
    assert (result.returncode, "no browser was found; the page is https://" in result.stderr) == (0, True)


def test_opens_nothing_for_an_unknown_text(torchdoctor, browser, tmp_path: Path) -> None:
    result = torchdoctor("explain", "--open", "ValueError: shapes (2,3) and (4,5) not aligned", env=browser)
    assert (result.returncode, (tmp_path / "opened").exists()) == (1, False)
