"""The clipboard is read by the program that the system has for it."""

import os
from pathlib import Path

import pytest

from torchdoctor.terminal.clipboard import list_clipboard_commands

posix = pytest.mark.skipif(os.name == "nt", reason="a shell script stands for xclip")


@pytest.mark.parametrize(
    ("system", "variables", "expected"),
    [
        ("darwin", {}, ["pbpaste"]),
        ("linux", {}, []),
        ("linux", {"DISPLAY": ":0"}, ["xclip", "xsel"]),
        ("linux", {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, ["wl-paste", "xclip", "xsel"]),
        ("linux", {"DISPLAY": ":0", "WSL_DISTRO_NAME": "Debian"}, ["powershell.exe", "xclip", "xsel"]),
    ],
    ids=["macos", "no-desktop", "x11", "wayland", "wsl"],
)
def test_program_that_reads_the_clipboard(
    system: str, variables: dict[str, str], expected: list[str]
) -> None:
    assert [command[0] for command in list_clipboard_commands(system, variables)] == expected


@pytest.fixture
def make_xclip(tmp_path: Path):
    """Return a function that writes an xclip, and returns the variables with which only it is found."""

    def make(script: str) -> dict[str, str]:
        file = tmp_path / "bin" / "xclip"
        file.parent.mkdir()
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        return {
            "PATH": f"{file.parent}:/bin:/usr/bin",
            "DISPLAY": ":9",
            "WAYLAND_DISPLAY": "",
            "WSL_DISTRO_NAME": "",
        }

    return make


@posix
def test_explains_the_clipboard(torchdoctor, make_xclip) -> None:
    result = torchdoctor("explain", "--clipboard", env=make_xclip("echo 'OSError: [WinError 1455] x'"))
    assert (result.returncode, "paging-file-too-small" in result.stdout) == (0, True), result.stderr


@posix
@pytest.mark.parametrize(
    ("script", "message"),
    [("exit 0", "holds no text"), ("echo 'no display' >&2; exit 1", "xclip: no display; ")],
    ids=["empty", "failing"],
)
def test_clipboard_without_text_is_a_usage_error(torchdoctor, make_xclip, script: str, message: str) -> None:
    result = torchdoctor("explain", "--clipboard", env=make_xclip(script))
    assert (result.returncode, result.stderr.count("\n"), message in result.stderr) == (2, 1, True), (
        result.stderr
    )


@posix
def test_no_clipboard_is_a_usage_error(torchdoctor) -> None:
    env = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "WSL_DISTRO_NAME": ""}
    result = torchdoctor("explain", "--clipboard", env=env)
    assert (result.returncode, result.stderr.count("\n"), "--file" in result.stderr) == (2, 1, True)
