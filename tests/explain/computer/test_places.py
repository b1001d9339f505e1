"""Where the program of a text runs: in WSL, or in Windows itself."""

import pytest

from torchdoctor import explain
from torchdoctor.explain.computer.places import read_place

NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system."
CPU_BUILD = "AssertionError: Torch not compiled with CUDA enabled"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("On Windows all is fine (driver 560.94). In WSL Ubuntu 22.04:", "wsl"),
        ("WSL2 Ubuntu 22.04 on Windows 11, RTX 3070, the Windows driver works in games.", "wsl"),
        ("me@DESKTOP-AB:/mnt/c/proj$ python3 train.py", "wsl"),
        ("Linux DESKTOP-AB 5.15.146.1-microsoft-standard-WSL2", "wsl"),
        ("WSL1 (uname says 4.4.0-19041-Microsoft). RTX 3060.", "wsl 1"),
        ("In WSL 1, Debian:", "wsl 1"),
        # The program runs elsewhere.
        ("It works in WSL2, on Windows it fails.", None),
        ("Should I use WSL instead?", None),
        ("I do not use WSL", None),
        ('I have WSL too.\n  File "C:\\p\\train.py", line 3', None),
    ],
)
def test_place_is_read(text: str, place: str | None) -> None:
    assert read_place(text).get("place") == place


@pytest.mark.parametrize("text", ["In WSL Ubuntu 22.04, RTX 3070", "WSL1, RTX 3060"])
def test_no_driver_is_installed_there(text: str) -> None:
    first = explain(f"{text}\n{NO_DRIVER}\n").diagnoses[0]
    assert ("install --force-reinstall" in " ".join(first.fix), "wsl" in first.fix[0]) == (False, True)


def test_virtual_machine_gets_no_cuda_build() -> None:
    first = explain(f"VirtualBox VM on a host with RTX 3070, torch 2.3.0+cpu in it\n{CPU_BUILD}\n").diagnoses[
        0
    ]
    assert "whl/cu" not in " ".join(first.fix)
