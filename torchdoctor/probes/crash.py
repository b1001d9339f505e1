"""Finds the code that was running when a child of the examined interpreter crashed."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from torchdoctor.core.files import read_text
from torchdoctor.facts import Crash
from torchdoctor.inside.cutting import cut_end
from torchdoctor.processes.fault_stack import Frame, find_fault_stack

MAX_STACK = 20
_STARTUP_FILES = ("sitecustomize.py", "usercustomize.py")
# The functions of site.py that run the code of startup files; Python 3.11 and later have it frozen.
_SITE_FILES = ("<frozen site>", "site.py")
_SITE_FUNCTIONS = ("addpackage", "execsitecustomize", "execusercustomize")
# The distribution of torch brings these packages.
_TORCH_PACKAGES = ("torch", "torchgen", "functorch")
_PACKAGE_FOLDERS = ("site-packages", "dist-packages")


def find_crash(output: str, import_path: Sequence[str]) -> Crash | None:
    """Return the crash that a child's output tells of, None if the fault handler printed nothing.

    The culprit is the startup file if one was running, else the package of the innermost frame that is
    neither in the standard library nor in the doctor.
    """
    stack = find_fault_stack(output)
    if stack is None:
        return None
    frames = [frame for frame in stack.frames if not _is_of_doctor(frame)]
    shown = [frame for frame in frames if not frame.file.startswith("<frozen")]
    crash = Crash(stack.reason, tuple(map(_describe_frame, shown[:MAX_STACK])))
    return _find_startup_file(crash, frames, import_path) or _find_package(crash, frames, import_path)


def _is_of_doctor(frame: Frame) -> bool:
    module, _ = os.path.splitext(os.path.basename(frame.file))
    return module in ("import_torch", "import_alone", "describe") and frame.function in ("main", module)


def _describe_frame(frame: Frame) -> str:
    return f"{frame.file}:{frame.line} in {frame.function}"


def _find_startup_file(crash: Crash, frames: Sequence[Frame], import_path: Sequence[str]) -> Crash | None:
    """Return the crash with the file that Python was running at its start, None after the start."""
    for frame in frames:
        if os.path.basename(frame.file) in _STARTUP_FILES:
            name = os.path.basename(frame.file)
            return replace(crash, kind="startup file", culprit=name, path=frame.file)
    sites = [index for index, frame in enumerate(frames) if _is_site(frame)]
    if not sites:
        return None
    # The frame before the one of site.py that is the code of the line; those before it are what it imported.
    imported = [frame for frame in frames[: sites[0]] if not frame.file.startswith("<")]
    lines = _find_pth_lines(imported, import_path)
    if len(lines) != 1:
        names = dict.fromkeys(file.name for file, _, _ in lines[:5])
        return replace(crash, kind="startup file", culprit=" or ".join(names) or "a .pth file")
    path, number, code = lines[0]
    return replace(
        crash, kind="startup file", culprit=path.name, path=str(path), line=number, code=cut_end(code, 200)
    )


def _is_site(frame: Frame) -> bool:
    name = frame.file if frame.file.startswith("<") else os.path.basename(frame.file)
    return name in _SITE_FILES and frame.function in _SITE_FUNCTIONS


def _find_pth_lines(imported: Sequence[Frame], import_path: Iterable[str]) -> list[tuple[Path, int, str]]:
    """Return the lines of .pth files that may import the outermost of the frames."""
    lines = [line for folder in import_path for line in _read_pth_lines(Path(folder))]
    if imported:
        module = _name_module(imported[-1].file)
        lines = [line for line in lines if module in line[2]]
    return lines


def _name_module(file: str) -> str:
    folder, name = os.path.split(file)
    return os.path.basename(folder) if name == "__init__.py" else os.path.splitext(name)[0]


def _read_pth_lines(folder: Path) -> list[tuple[Path, int, str]]:
    if folder.name not in _PACKAGE_FOLDERS:
        return []
    found = []
    for file in sorted(folder.glob("*.pth")):
        try:
            text = read_text(file)
        except OSError:
            continue
        lines = enumerate(text.splitlines(), 1)
        found += [(file, number, line) for number, line in lines if line.startswith(("import ", "import\t"))]
    return found


def _find_package(crash: Crash, frames: Sequence[Frame], import_path: Sequence[str]) -> Crash:
    for frame in frames:
        folder, package = _find_package_of(frame.file, import_path)
        if package in _TORCH_PACKAGES:
            return replace(crash, kind="torch", culprit="torch", path=frame.file)
        if package is not None:
            distribution = _find_distribution(Path(folder), package)
            return replace(crash, kind="package", culprit=package, path=frame.file, distribution=distribution)
    return crash


def _find_distribution(folder: Path, package: str) -> str | None:
    """Return the name of the distribution whose RECORD has a file of the package."""
    beginnings = (f"{package}/", f"{package}.")
    for file in sorted(folder.glob("*.dist-info/RECORD")):
        try:
            lines = read_text(file).splitlines()
        except OSError:
            continue
        if any(line.startswith(beginnings) for line in lines):
            return file.parent.name.partition("-")[0]
    return None


def _find_package_of(file: str, import_path: Iterable[str]) -> tuple[str, str | None]:
    """Return the folder and the top-level package of a file; None for the library and files elsewhere."""
    folders = [folder for folder in import_path if folder and _is_inside(file, folder)]
    if not folders:
        return "", None
    # The library's folder contains site-packages, so the longest folder is the one that Python used.
    folder = max(folders, key=len)
    if os.path.isfile(os.path.join(folder, "os.py")):
        return folder, None
    first = os.path.relpath(file, folder).split(os.sep)[0]
    return folder, first.partition(".")[0]


def _is_inside(file: str, folder: str) -> bool:
    return os.path.normcase(file).startswith(os.path.normcase(os.path.join(folder, "")))
