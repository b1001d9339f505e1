"""A main guard is written only where nothing can need the work of a script when it is imported."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from torchdoctor.commands.fix import plan_changes
from torchdoctor.commands.scan import ScanRequest
from torchdoctor.engine.registry import load_registry
from torchdoctor.source.edits import importers
from torchdoctor.source.edits.mentions import find_mentions

SCRIPT = """from torch.utils.data import DataLoader

loader = DataLoader(range(6), num_workers=2)
for batch in loader:
    print(batch)
net = 7
"""
USE = "from fit import net\nprint('net', net)\n"
BY_PATH = "import importlib.util as u\ns = u.spec_from_file_location('any', {})\nm = u.module_from_spec(s)\n"
RUN = "s.loader.exec_module(m)\nprint('net', m.net)\n"
Files = dict[str, str]
# In place of torch, for the programs of these tests; an installed torch would hide a package without __init__.
FAKE_TORCH: Files = {
    "torch/__init__.py": "",
    "torch/utils/__init__.py": "",
    "torch/utils/data.py": "def DataLoader(data, **options):\n    return list(data)\n",
}
# The script, what else there is (None: the script once more), what is scanned, and what its user starts.
IMPORTED: dict[str, tuple[str, Files, str, tuple[str, ...]]] = {
    "beside": ("fit.py", {"use.py": USE}, ".", ("use.py",)),
    "script alone is named": ("fit.py", {"use.py": USE}, "fit.py", ("use.py",)),
    "behind a path": ("core/fit.py", {"app/go.py": f"import sys; sys.path.append('core'); {USE}"}, ".", ("app/go.py",)),
    "behind a path of the file": (
        "src/fit.py",
        {"tools/go.py": f"import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'src'))\n{USE}"},
        ".", ("tools/go.py",),
    ),
    "above what is scanned": ("lib/fit.py", {"go.py": "from lib.fit import net\nprint('net', net)\n"}, "lib", ("go.py",)),
    "beside what is scanned": ("lib/fit.py", {"b/go.py": f"import sys; sys.path.append('lib')\n{USE}"}, "lib", ("b/go.py",)),
    "above, in a repository": (
        "a/b/c/d/fit.py", {".git/HEAD": "", "go.py": "from a.b.c.d import fit\nprint('net', fit.net)\n"},
        "a/b/c/d", ("go.py",),
    ),
    "repository in a repository": (
        "lib/fit.py",
        {".git/HEAD": "", "lib/.git/HEAD": "", "go.py": "from lib import fit\nprint('net', fit.net)\n"},
        "lib", ("go.py",),
    ),
    "namespace": ("x/fit.py", {"go.py": "from x import fit as f; print('net', f.net)\n"}, ".", ("go.py",)),
    "star": ("fit.py", {"go.py": "from fit import *\nprint('net', net)\n"}, ".", ("go.py",)),
    "continued lines": ("fit.py", {"go.py": "from fit \\\n  import \\\n  net\nprint('net', net)\n"}, ".", ("go.py",)),
    "brackets": ("x/fit.py", {"go.py": "from x import ( # all\n    fit,\n)\nprint('net', fit.net)\n"}, ".", ("go.py",)),
    "star of a package": (
        "x/fit.py", {"x/__init__.py": "__all__ = ['fit']\n", "go.py": "from x import *\nprint('net', fit.net)\n"},
        ".", ("go.py",),
    ),
    "star of a package that lists its files": (
        "x/fit.py",
        {"x/__init__.py": "import glob, os\n__all__ = [os.path.basename(f)[:-3] for f in glob.glob(os.path.dirname(__file__) + '/f*.py')]\n",
         "go.py": "from x import *\nprint('net', fit.net)\n"},
        ".", ("go.py",),
    ),
    "windowless program": ("fit.py", {"go.pyw": USE}, ".", ("go.pyw",)),
    "no ending": ("fit.py", {"go": f"#!/usr/bin/env python3\n{USE}"}, ".", ("go",)),
    "command of a script": ("fit.py", {"go.sh": 'python -c "from fit import net; print(net)"\n'}, ".", ()),
    "command of a batch file": ("fit.py", {"go.bat": "@py -c \"import fit; print('net', fit.net)\"\r\n"}, ".", ()),
    "command in a text": ("fit.py", {"README.md": '```\npython -c "from fit import net"\n```\n'}, ".", ()),
    "code in a text": ("fit.py", {"go.py": 'exec("import sys\\nfrom fit import net")\nprint("net", net)\n'}, ".", ("go.py",)),
    "notebook": ("fit.py", {"a.ipynb": '{"cells": [{"source": "x = 1\\nfrom fit import net"}]}'}, ".", ()),
    "path": ("fit.py", {"go.py": BY_PATH.format("'fit.py'") + RUN}, ".", ("go.py",)),
    "path in a variable": ("fit.py", {"go.py": f"p = 'fit' + '.py'\n{BY_PATH.format('p')}{RUN}"}, ".", ("go.py",)),
    "name in a variable": (
        "fit.py", {"go.py": "import importlib\nname = 'fit'\nprint('net', importlib.import_module(name).net)\n"},
        ".", ("go.py",),
    ),
    "name in an f-string": (
        "x/fit.py", {"go.py": "import importlib\nfor n in ['t']: m = importlib.import_module(f'x.fi{n}')\nprint('net', m.net)\n"},
        ".", ("go.py",),
    ),
    "name as argument of __import__": ("fit.py", {"go.py": "n = 'fit'\nprint('net', __import__(n).net)\n"}, ".", ("go.py",)),
    "runpy": ("fit.py", {"go.py": "import runpy\nprint('net', runpy.run_path('fit.py')['net'])\n"}, ".", ("go.py",)),
    "module of runpy": ("fit.py", {"go.py": "import runpy\nprint('net', runpy.run_module('fit')['net'])\n"}, ".", ("go.py",)),
    "exec": ("fit.py", {"go.py": "d = {}\nexec(open('fit.py').read(), d)\nprint('net', d['net'])\n"}, ".", ("go.py",)),
    "exec of what was read": (
        "fit.py", {"go.py": "d = {}\ntext = open('fit.py').read()\nexec(text, d)\nprint('net', d['net'])\n"}, ".", ("go.py",),
    ),
    "entry point": ("fit.py", {"pyproject.toml": '[project]\nname = "a"\n[project.scripts]\na = "fit:net"\n'}, ".", ()),
    "module of a distribution": ("fit.py", {"setup.py": "from setuptools import setup\nsetup(py_modules=['fit'])\n"}, ".", ()),
    "modules of setup.cfg": ("fit.py", {"setup.cfg": "[options]\npy_modules =\n    fit\n"}, ".", ()),
    "folder with another name of package": (
        "src/fit.py", {"setup.py": "setup(package_dir={'mine': 'src'})\n", "go.py": "import mine.fit\n"}, ".", (),
    ),
    "server": ("fit.py", {"Dockerfile": 'CMD ["uvicorn", "fit:net"]\n'}, ".", ()),
    "application of Flask": ("fit.py", {".env": "FLASK_APP=fit.py\n"}, ".", ()),
    "predictor": ("fit.py", {"cog.yaml": 'predict: "fit.py:Net"\n'}, ".", ()),
    "target of a configuration": ("fit.py", {"conf/a.yaml": "model:\n  _target_: fit.Net\n"}, ".", ()),
    "patched in a test": (
        "fit.py", {"go.py": "from unittest import mock\nwith mock.patch('fit.net', 7) as net: print('net', net)\n"}, ".", ("go.py",),
    ),
    "folder build of their own": ("fit.py", {"build/go.py": f"import sys; sys.path.insert(0, '.')\n{USE}"}, ".", ("build/go.py",)),
    "folder venv that is none": ("fit.py", {"venv/go.py": f"import sys; sys.path.insert(0, '.')\n{USE}"}, ".", ("venv/go.py",)),
    "examples for pytest": ("fit.py", {"test_use.txt": ">>> from fit import net\n"}, ".", ()),
    "name in two parts": (
        "my-fit.py", {"go.py": "import importlib\nprint('net', importlib.import_module('my-' + 'fit').net)\n"}, ".", ("go.py",),
    ),
    "loaders of all modules": (
        "fit.py",
        {"go.py": "import pkgutil\nfor m in pkgutil.iter_modules(['.']):\n    if m.name == 'fit': print('net', m.module_finder.find_spec('fit').loader.load_module(m.name).net)\n"},
        ".", ("go.py",),
    ),
    "from R": ("fit.py", {"a.R": 'fit <- reticulate::import("fit")\n'}, ".", ()),
    "from C++": ("fit.py", {"a.cpp": 'auto fit = py::module_::import("fit");\n'}, ".", ()),
    "documented": ("fit.py", {"docs/api.rst": ".. automodule:: fit\n"}, ".", ()),
    "tests of another pattern": ("fit.py", {"pytest.ini": "[pytest]\npython_files = check_*.py fi*.py\n"}, ".", ()),
    "doctests": ("fit.py", {"pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--doctest-modules"\n'}, ".", ()),
    "unittest": ("fit.py", {"Makefile": "test:\n\tpython -m unittest fit\n"}, ".", ()),
    "another case": ("fit.py", {"go.py": "import FIT\n"}, ".", ()),
    "letters that Python makes one": ("fit.py", {"go.py": "import ﬁt\nprint('net', ﬁt.net)\n"}, ".", ("go.py",)),
    "command of PowerShell": ("fit.py", {"go.ps1": '\ufeffpython -c "from fit import net"\r\n'}, ".", ()),
    "package": ("x/__init__.py", {}, ".", ("-c", "import x; print('net', x.net)")),
    "member of a package": ("x/fit.py", {"x/__init__.py": ""}, ".", ("-c", "import x.fit; print('net', x.fit.net)")),
    "configuration of pytest": ("conftest.py", {}, ".", ("-c", "import conftest; print('net', conftest.net)")),
    "test": ("test_fit.py", {}, ".", ("-c", "import test_fit; print('net', test_fit.net)")),
    "test by its end": ("fit_test.py", {}, ".", ("-c", "import fit_test; print('net', fit_test.net)")),
    "web server": ("wsgi.py", {}, ".", ("-c", "import wsgi; print('net', wsgi.net)")),
    "torch.hub": ("hubconf.py", {}, ".", ("-c", "import hubconf; print('net', hubconf.net)")),
}  # fmt: skip


def _write(folder: Path, files: Files) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # Windows PowerShell writes UTF-16.
        encoding = "utf-16-le" if text.startswith("\ufeff") else "utf-8"
        path.write_text(text, encoding=encoding)


@pytest.fixture(autouse=True)
def _loaded_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load the checks once, which takes most of the time of such a test."""
    monkeypatch.setattr("torchdoctor.commands.fix.load_registry", _load_registry)


_load_registry = cache(load_registry)


def _find_left(path: Path) -> tuple[bool, tuple[str, ...]]:
    """Return whether something would be changed, and the lines about files that are left."""
    planned = plan_changes(ScanRequest((path,), select=("missing-main-guard",)))
    return bool(planned.changes), planned.left


@pytest.mark.parametrize("name", IMPORTED)
def test_script_whose_work_others_may_need_is_left(tmp_path: Path, name: str) -> None:
    script, files, scanned, command = IMPORTED[name]
    project = tmp_path / "project"
    _write(project, {script: SCRIPT, **files})
    is_changed, left = _find_left(project / scanned)
    assert (is_changed, len(left)) == (False, 1), left
    assert left[0].startswith(
        f"{project / scanned if scanned.endswith('.py') else project / script}: no main guard, because "
    )
    # What stands here works, and needs what the guard would take from it.
    if command:
        _write(tmp_path / "fake", FAKE_TORCH)
        folders = os.pathsep.join((str(project), str(tmp_path / "fake")))
        result = subprocess.run(
            [sys.executable, *command], cwd=project, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": folders, "PYTHONDONTWRITEBYTECODE": "1"},
        )  # fmt: skip
        assert result.stdout.splitlines()[-1:] == ["net 7"], result.stderr


STARTED: dict[str, tuple[str, Files]] = {
    "alone": ("fit.py", {}),
    "commands": (
        "fit.py",
        {
            "README.md": "Run `python fit.py --epochs 3`, see fit.py, or fit: the name. We fit from data and import them.\n",
            "run.sh": "torchrun --nproc 2 fit.py\npython -m fit\naccelerate launch fit.py\n",
            "Dockerfile": 'COPY fit.py /app/\nCMD ["python", "fit.py"]\n',
            "a.yaml": "fit: data/fit.txt\ncommand: python fit.py\nlog: fit.log\n",
            "requirements.txt": "fit\n",
            "read.py": "rows = open('fit.data'), 'fit.model', 'fit.json'\n",
            "env/pyvenv.cfg": "home = x\n",
            "env/lib/use.py": "from fit import net\n",
            "conda/conda-meta/history": "",
            "conda/lib/use.py": "from fit import net\n",
        },
    ),
    "word": ("fit.py", {"a.py": "def f(net, fit): return net.fit(fit), 'fit', load(split='fit'), {'fit': fit.a}\n"}),
    "module of another package": (
        "fit.py", {"models/fit.py": "", "a.py": "from models.fit import x\nfrom models import fit\nimport models.fit\n"},
    ),
    "module beside the importer": ("a/fit.py", {"b/fit.py": "net = 1\n", "b/use.py": "from fit import net\n"}),
    "relative import elsewhere": ("fit.py", {"b/__init__.py": "from .fit import net\n", "b/fit.py": "net = 1\n"}),
    "dynamic import elsewhere": ("fit.py", {"b/a.py": "import_module('models.' + x)\nimport_module('.' + x, __package__)\n"}),
    "constant imports": ("fit.py", {"a.py": "import importlib\nm = importlib.import_module('yaml')\n__import__('os')\n"}),
    "version of a distribution": ("fit.py", {"setup.py": "with open('src/version.py') as f: exec(f.read(), v)\n"}),
    "package with a started member": ("x/fit.py", {"x/__init__.py": "", "go.bat": "python x\\fit.py\n"}),
    "package with a started module": ("x/fit.py", {"x/__init__.py": "", "README.md": "    python -m x.fit\n"}),
}  # fmt: skip


@pytest.mark.parametrize("name", STARTED)
def test_script_that_is_only_started_gets_a_guard(tmp_path: Path, name: str) -> None:
    script, files = STARTED[name]
    _write(tmp_path / "project", {script: SCRIPT, **files})
    assert _find_left(tmp_path / "project") == (True, ())


def test_script_of_a_package_that_reads_its_arguments_gets_a_guard(tmp_path: Path) -> None:
    head, rest = SCRIPT.split("\n", 1)
    text = f"{head}\nimport argparse\nargparse.ArgumentParser().parse_args()\n{rest}"
    _write(tmp_path, {"x/__init__.py": "", "x/fit.py": text})
    assert _find_left(tmp_path) == (True, ())


@pytest.mark.parametrize(
    "line",
    [
        "from .nets import Net",
        "from . import nets",
        "__all__ = ['net']",
        "from flask import Flask\napp = Flask(__name__)",
    ],
)
def test_script_that_is_no_program_by_its_text_is_left(tmp_path: Path, line: str) -> None:
    _write(tmp_path, {"fit.py": f"{line}\n{SCRIPT}"})
    assert _find_left(tmp_path)[0] is False


@pytest.mark.parametrize(
    ("name", "text", "is_changed"),
    [
        ("test_a.py", "def test(monkeypatch): monkeypatch.setattr('fit.model', 7)\n", False),
        ("conf/a.yaml", "_target_: fit.model\n", False),
        ("a.py", "torch.load('fit.data')\n", True),
        ("conf/a.yaml", "weights: fit.pkl\n", True),
    ],
)
def test_ending_of_a_file_can_be_a_name_of_the_script(
    tmp_path: Path, name: str, text: str, is_changed: bool
) -> None:
    _write(tmp_path, {"fit.py": SCRIPT.replace("net = 7", "model = 7"), name: text})
    assert _find_left(tmp_path)[0] is is_changed


def test_link_that_gives_a_script_another_name_is_an_importer(tmp_path: Path) -> None:
    _write(tmp_path, {"fit.py": SCRIPT})
    try:
        (tmp_path / "other.py").symlink_to(tmp_path / "fit.py")
    except OSError:
        pytest.skip("links need a privilege")
    is_changed, left = _find_left(tmp_path)
    assert (is_changed, "other.py is a link to it" in left[0]) == (False, True)


def test_link_that_gives_a_folder_another_name_is_seen(tmp_path: Path) -> None:
    _write(tmp_path, {"src/fit.py": SCRIPT, "go.py": "from mine.fit import net\n"})
    try:
        (tmp_path / "mine").symlink_to(tmp_path / "src", target_is_directory=True)
    except OSError:
        pytest.skip("links need a privilege")
    assert _find_left(tmp_path)[0] is False


def test_code_that_cannot_be_read_may_import_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path, {"fit.py": SCRIPT, "go.py": "#" * 900})
    monkeypatch.setattr(importers, "_LARGEST_FILE", 800)
    is_changed, left = _find_left(tmp_path)
    assert (is_changed, "not all files below" in left[0]) == (False, True)


def test_file_of_another_project_above_is_no_importer(tmp_path: Path) -> None:
    # No name and no path in it leads to the folder of the script.
    _write(tmp_path, {"mine/fit.py": SCRIPT, "theirs/use.py": f"import sys\nsys.path.append('lib')\n{USE}"})
    assert _find_left(tmp_path / "mine") == (True, ())


def test_repository_of_the_home_folder_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, {".git/HEAD": "", "a/b/go.py": USE, "work/fit.py": SCRIPT})
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    assert _find_left(tmp_path / "work") == (True, ())


@pytest.mark.parametrize("limit", ["_MOST_FILES", "_MOST_ENTRIES", "_SECONDS"])
def test_script_is_left_where_not_all_files_were_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    _write(
        tmp_path / "project", {"fit.py": SCRIPT, **{f"a{number}.py": "import os\n" for number in range(9)}}
    )
    monkeypatch.setattr(importers, limit, -1 if limit == "_SECONDS" else 5)
    is_changed, left = _find_left(tmp_path / "project")
    assert (is_changed, "not all files below" in left[0]) == (False, True)


def test_files_are_read_once_for_all_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path / "project", {f"a{number}.py": SCRIPT for number in range(5)})
    read: list[str] = []

    def count(file_name: str, text: str) -> object:
        read.append(file_name)
        return find_mentions(file_name, text)

    monkeypatch.setattr(importers, "find_mentions", count)
    assert _find_left(tmp_path / "project")[0] is True
    assert len(read) == 5


@pytest.mark.parametrize(
    "piece", ["import (", "from a", "\\\n", "'", "exec(", "a.", "a:", "python ", "python_files = \n "]
)
def test_text_of_any_form_is_read_in_time(piece: str) -> None:
    # A pattern that tries again from each place would take minutes.
    for name in ("setup.cfg", "a.py"):
        find_mentions(name, piece * 30_000)


@pytest.mark.parametrize("data", ["QUJD" * 100_000, "A/b+" * 300 + "==", "ab_-" * 5000])
def test_pictures_in_a_file_are_left_out_and_names_beside_them_are_read(data: str) -> None:
    text = '{{"entry": "fit:main", "imageData": "{}", "model": "core.net:Net"}}'
    assert find_mentions("a.json", text.format(data)) == find_mentions("a.json", text.format(""))
    assert find_mentions("a.json", text.format("")).names
