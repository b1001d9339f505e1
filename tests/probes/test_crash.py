"""The package or file that was running when a child crashed."""

from pathlib import Path

import pytest

from torchdoctor.probes.crash import find_crash

HEAD = "Windows fatal exception: access violation\n\nCurrent thread 0x1 (most recent call first):\n"


def _print_stack(*frames: tuple[str, str]) -> str:
    return HEAD + "".join(f'  File "{file}", line 7 in {function}\n' for file, function in frames)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "lib" / "site-packages"
    folder.mkdir(parents=True)
    (tmp_path / "lib" / "os.py").touch()
    return folder


def _find(site: Path, *frames: tuple[str, str]) -> tuple[str | None, str | None]:
    crash = find_crash(_print_stack(*frames), (str(site.parent), str(site)))
    assert crash is not None
    return crash.kind, crash.culprit


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        (
            ["ctypes/__init__.py", "site-packages/numpy/core.py", "site-packages/torch/__init__.py"],
            ("package", "numpy"),
        ),
        (["site-packages/typing_extensions.py"], ("package", "typing_extensions")),
        (["ctypes/__init__.py", "site-packages/torch/__init__.py"], ("torch", "torch")),
        (["site-packages/sitecustomize.py"], ("startup file", "sitecustomize.py")),
        (["ctypes/__init__.py", "../elsewhere.py"], (None, None)),
        ([], (None, None)),
    ],
    ids=["numpy", "module", "torch", "sitecustomize", "unknown", "no-frames"],
)
def test_names_the_innermost_code_that_is_not_the_librarys(site: Path, frames, expected) -> None:
    stack = [(str(site.parent / frame), "f") for frame in frames]
    assert _find(site, *stack, ("<frozen importlib._bootstrap>", "g")) == expected


@pytest.mark.parametrize(("module", "expected"), [("first", "a.pth"), ("second", "b.pth")])
def test_names_the_pth_file_that_imports_the_code(site: Path, module: str, expected: str) -> None:
    (site / "a.pth").write_text("C:\\\nimport first\n", encoding="utf-8")
    (site / "b.pth").write_text("import second; second.go()\n", encoding="utf-8")
    frames = [(str(site / f"{module}.py"), "go"), ("<string>", "<module>"), ("<frozen site>", "addpackage")]
    assert _find(site, *frames) == ("startup file", expected)


def test_names_every_pth_file_that_may_have_crashed(site: Path) -> None:
    for name in ("a", "b"):
        (site / f"{name}.pth").write_text("import sys; sys.exit\n", encoding="utf-8")
    frames = [("<string>", "<module>"), ("<frozen site>", "addpackage")]
    assert _find(site, *frames) == ("startup file", "a.pth or b.pth")


def test_names_the_distribution_of_the_package(site: Path) -> None:
    (site / "opencv_python-4.0.dist-info").mkdir()
    (site / "opencv_python-4.0.dist-info" / "RECORD").write_text("cv2/__init__.py,,\n", encoding="utf-8")
    crash = find_crash(_print_stack((str(site / "cv2" / "__init__.py"), "f")), (str(site),))
    assert crash is not None and crash.distribution == "opencv_python"
