"""Without --python, the doctor examines the project's interpreter, and its own only where it finds no other."""

from collections.abc import Callable

import pytest

from torchdoctor.probes.project_python import parse_launcher_default, parse_launcher_version
from torchdoctor.probes.python_choice import Surroundings, choose_python

OWN = "torchdoctor's own environment, because no other Python was found"
INSTALLED = "the environment that torchdoctor is installed in"
ACTIVATED = "the activated virtual environment"
NOT_ASKED: Callable[[], None] = lambda: pytest.fail("the launcher was asked")  # noqa: E731


def choose_on_linux(*files: str, has_torch: bool = False, own: str = "/tools/bin/python", **variables: str):
    folders = ("/p/src", "/p")
    return choose_python(
        Surroundings(False, variables, folders, own, has_torch, files.__contains__, NOT_ASKED)
    )


def choose_on_windows(*files: str, launcher: str | None = None, has_torch: bool = False, **variables: str):
    own = r"C:\tools\Scripts\python.exe"
    return choose_python(
        Surroundings(
            True, variables, ("C:\\p",), own, has_torch, files.__contains__, lambda: launcher
        )
    )  # fmt: skip


@pytest.mark.parametrize(
    ("files", "variables", "expected"),
    [
        ("", {}, ("/tools/bin/python", OWN)),
        ("/v/bin/python", {"VIRTUAL_ENV": "/v"}, ("/v/bin/python", ACTIVATED)),
        ("/p/.venv/pyvenv.cfg /p/.venv/bin/python", {"VIRTUAL_ENV": "/gone"}, ("/p/.venv/bin/python", "the .venv of /p")),
        ("/p/src/env/pyvenv.cfg /p/src/env/bin/python /p/.venv/pyvenv.cfg /p/.venv/bin/python", {}, ("/p/src/env/bin/python", "the env of this folder")),
        ("/p/src/env/conda-meta/history /p/src/env/bin/python", {}, ("/p/src/env/bin/python", "the env of this folder")),
        ("/p/src/env/bin/python", {}, ("/tools/bin/python", OWN)),
        ("/c/envs/x/bin/python /p/.venv/pyvenv.cfg /p/.venv/bin/python", {"CONDA_PREFIX": "/c/envs/x", "CONDA_DEFAULT_ENV": "x"}, ("/c/envs/x/bin/python", "the activated conda environment x")),
        ("/c/bin/python /p/.venv/pyvenv.cfg /p/.venv/bin/python", {"CONDA_PREFIX": "/c", "CONDA_DEFAULT_ENV": "base"}, ("/p/.venv/bin/python", "the .venv of /p")),
        ("/c/bin/python /b/python", {"CONDA_PREFIX": "/c", "CONDA_DEFAULT_ENV": "base", "PATH": "/b"}, ("/c/bin/python", "the activated conda environment base")),
        ("/b/python /b/python3", {"PATH": ":relative:/a:/b"}, ("/b/python", "the first python on PATH")),
        ("/b/python3", {"PATH": "/a:/b/"}, ("/b/python3", "the first python3 on PATH")),
        ("/tools/bin/python /b/python", {"PATH": "/tools/bin:/b"}, ("/tools/bin/python", "the first python on PATH, which also runs torchdoctor")),
        ("/tools/uv-receipt.toml /tools/bin/python /b/python", {"PATH": "/tools/bin:/b"}, ("/b/python", "the first python on PATH")),
        ("/tools/pipx_metadata.json /tools/bin/python", {"PATH": "/tools/bin", "VIRTUAL_ENV": "/tools"}, ("/tools/bin/python", OWN)),
        ("/uv/archive-v0/x/bin/python /b/python", {"PATH": "/uv/archive-v0/x/bin:/b", "VIRTUAL_ENV": "/uv/builds-v0/.tmp"}, ("/b/python", "the first python on PATH")),
    ],
    ids=["nothing", "activated", "stale-activation", "nearest-folder", "conda-folder", "folder-of-another-kind",
         "conda-before-folder", "folder-before-conda-base", "conda-base-before-path", "path", "python3", "own-on-path",
         "uv-tool-on-path", "pipx-only", "uvx-on-path"],
)  # fmt: skip
def test_choice_on_linux(files: str, variables: dict[str, str], expected: tuple[str, str]) -> None:
    assert choose_on_linux(*files.split(), **variables) == expected


@pytest.mark.parametrize(
    ("files", "variables", "launcher", "expected"),
    [
        ([r"C:\p\.venv\pyvenv.cfg", r"C:\p\.venv\Scripts\python.exe"], {"PATH": r"C:\Python"}, None, (r"C:\p\.venv\Scripts\python.exe", "the .venv of this folder")),
        ([r"D:\c\python.exe"], {"CONDA_PREFIX": r"D:\c"}, None, (r"D:\c\python.exe", "the activated conda environment D:\\c")),
        ([r"C:\v\bin\python.exe"], {"VIRTUAL_ENV": r"C:\v"}, None, (r"C:\v\bin\python.exe", ACTIVATED)),
        ([r"C:\a b\python.exe"], {"PATH": '.;"C:\\a b\\";C:\\Python'}, "x", (r"C:\a b\python.exe", "the first python on PATH")),
        ([r"C:\Tools\Scripts\python.exe"], {"PATH": r"C:\Tools\Scripts"}, None, (r"C:\Tools\Scripts\python.exe", "the first python on PATH, which also runs torchdoctor")),
        ([r"C:\l\uv\cache\archive-v0\x\Scripts\python.exe"], {"PATH": r"C:\l\uv\cache\archive-v0\x\Scripts"}, r"C:\P\python.exe", (r"C:\P\python.exe", "the default of the py launcher")),
        ([], {"PATH": r"C:\Windows"}, None, (r"C:\tools\Scripts\python.exe", OWN)),
    ],
    ids=["folder", "conda", "msys2", "quoted-path", "own-on-path", "launcher", "nothing"],
)  # fmt: skip
def test_choice_on_windows(files: list[str], variables: dict[str, str], launcher, expected) -> None:
    assert choose_on_windows(*files, launcher=launcher, **variables) == expected


@pytest.mark.parametrize(
    ("variables", "expected"),
    [({}, INSTALLED), ({"VIRTUAL_ENV": "/v"}, ACTIVATED),
     ({"CONDA_PREFIX": "/v", "CONDA_DEFAULT_ENV": "base"}, INSTALLED)],
    ids=["project-folder", "activated", "conda-base"],
)  # fmt: skip
def test_own_environment_with_torch_comes_after_an_activated_one(variables: dict, expected: str) -> None:
    files = ("/v/bin/python", "/p/.venv/pyvenv.cfg", "/p/.venv/bin/python")
    assert choose_on_linux(*files, has_torch=True, **variables).reason == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (" -V:3.13          C:\\P313\\python.exe\r\n -V:3.12 *        C:\\Program Files\\P\\python.exe\r\n", r"C:\Program Files\P\python.exe"),
        ("Installed Pythons found by py Launcher for Windows\n -3.9-64\tC:\\P39\\python.exe *\n -3.8-64\tC:\\P38\\python.exe\n", r"C:\P39\python.exe"),
        ("No installed Pythons found!\n", None),
    ],
    ids=["asterisk-before", "asterisk-behind", "none"],
)  # fmt: skip
def test_reads_the_default_of_the_launcher(output: str, expected: str | None) -> None:
    assert parse_launcher_default(output) == expected


LISTED = " -V:3.13 *        C:\\P313\\python.exe\r\n -V:3.12-32       C:\\P32\\python.exe\r\n -3.9-64\tC:\\P39\\python.exe *\n"


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("3.13", r"C:\P313\python.exe"),
        ("3.12", r"C:\P32\python.exe"),
        ("3.9", r"C:\P39\python.exe"),
        ("3.9-32", None),
        ("3.1", None),
    ],
)
def test_reads_a_version_of_the_launcher(version: str, expected: str | None) -> None:
    assert parse_launcher_version(LISTED, version) == expected
