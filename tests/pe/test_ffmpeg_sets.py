"""Of torchcodec's sets of DLLs, one for each FFmpeg, the first whole one counts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from torchdoctor.facts import Absent, CompanionDlls, Distribution, Distributions, Interpreter
from torchdoctor.probes.examined import Description, Examined
from torchdoctor.probes.runtimes import observe_companion_dlls


def _observe(folder: Path, version: str) -> tuple[list[str], list[str]]:
    text = str(folder)
    python = Interpreter(text, "3.12.4", "CPython", 64, "x64", "win-amd64", text, text, text)
    distributions = Distributions((Distribution("torchcodec", version, text),))
    torch = folder / "torch"
    (torch / "lib").mkdir(parents=True)
    (torch / "version.py").write_text("__version__ = '2.9.1+cpu'\n")
    (torch / "__init__.py").write_text("")
    description = Description(python, distributions, str(torch), str(torch / "__init__.py"))
    found = observe_companion_dlls(Examined(text, description))
    assert isinstance(found, CompanionDlls) and not isinstance(found, Absent)
    (closure,) = (package.closure for package in found.packages)
    return [image.name for image in closure.images], [dll.name for dll in closure.missing]


@pytest.fixture
def torchcodec(write: Callable[..., Path]) -> None:
    """Write the DLLs of a torchcodec for FFmpeg 7 and 8."""
    for number, codec in ((7, 61), (8, 62)):
        write(f"torchcodec/libtorchcodec_core{number}.dll", f"avcodec-{codec}.dll")
        write(f"torchcodec/libtorchcodec_custom_ops{number}.dll", f"libtorchcodec_core{number}.dll")


@pytest.mark.usefixtures("torchcodec")
def test_second_set_is_enough(tmp_path: Path, write: Callable[..., Path]) -> None:
    write("torchcodec/avcodec-61.dll")
    images, missing = _observe(tmp_path, "0.9.0")
    assert images == ["avcodec-61.dll", "libtorchcodec_core7.dll", "libtorchcodec_custom_ops7.dll"]
    assert missing == []


@pytest.mark.usefixtures("torchcodec")
def test_without_any_ffmpeg_all_sets_are_recorded(tmp_path: Path) -> None:
    assert _observe(tmp_path, "0.9.0")[1] == ["avcodec-61.dll", "avcodec-62.dll"]


@pytest.mark.usefixtures("torchcodec")
@pytest.mark.parametrize(
    ("version", "missing"), [("0.9.0", ["avcodec-61.dll", "avcodec-62.dll"]), ("0.9.1", [])]
)
def test_folder_of_ffmpeg_is_searched_from_0_9_1_on(
    tmp_path: Path,
    write: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    version: str,
    missing: list[str],
) -> None:
    program = write("tools/ffmpeg.exe")
    program.chmod(0o755)
    (program.parent / "ffmpeg").write_bytes(b"")
    (program.parent / "ffmpeg").chmod(0o755)
    write("tools/avcodec-62.dll")
    monkeypatch.setenv("PATH", str(program.parent))
    assert _observe(tmp_path, version)[1] == missing
