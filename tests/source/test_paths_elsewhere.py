"""Paths and times that functions and classes of another file of the project list, join or open."""

from pathlib import Path

import pytest

from torchdoctor.engine.code.examination import examine_code
from torchdoctor.engine.registry import load_registry
from torchdoctor.facts import Facts

REGISTRY = load_registry()
FILES = {
    "package/__init__.py": "from .listing import list_all\n",
    "package/listing.py": """
import glob, os, zipfile
ROOT = os.path.abspath("data")
def list_all(folder):
    found = list()
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            found = found + list_all(path)
        else:
            found.append(path)
    return found
def walk(folder):
    yield from glob.glob(folder + "/*")
def pair(folder):
    return list_all(folder), os.listdir(folder)
def list_names(folder):
    return sorted(os.listdir(folder))
def list_members(file):
    return zipfile.ZipFile(file).namelist()
def clean(folder):
    return [path.replace("\\\\", "/") for path in list_all(folder)]
""",
    "package/writing.py": """
import os
def make(root, date):
    return os.path.join(root, f"run_{date}")
def make_clean(root, date):
    return os.path.join(root, date.replace(":", "-"))
class Storage:
    def __init__(self, path, mode):
        self.file = open(path, mode)
class Job:
    def __init__(self, path):
        self.path = path
def remember(path):
    print(path)
""",
}


def find(folder: Path, check: str, text: str) -> list[int]:
    for name, content in {**FILES, "main.py": text}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    checks = [each for each in REGISTRY.checks if each.name == check]
    [outcome] = examine_code([folder], checks, Facts(), REGISTRY.knowledge).outcomes
    return [found.location.line for found in outcome.findings if found.location is not None]


@pytest.mark.parametrize(
    ("imported", "code", "lines"),
    [
        ("list_all", "for p in list_all('a'): print(p.split('/')[-1])", [3]),
        ("list_all as ls", "print([p.split('/')[-1] for p in sorted(ls('a'))])", [3]),
        ("walk", "for p in walk('a'): print(p.split('/')[-1])", [3]),
        ("pair", "paths, names = pair('a'); print(paths[0].split('/')[-1])", [3]),
        ("pair", "paths, names = pair('a'); print(names[0].split('/')[-1])", []),
        ("list_names", "for p in list_names('a'): print(p.split('/')[-1])", []),
        ("list_names", "for p in list_names('a'): print(os.path.join('a', p).split('/')[-1])", [3]),
        ("list_members", "for p in list_members('a'): print(os.path.join('a', p).split('/')[-1])", []),
        ("clean", "for p in clean('a'): print(p.split('/')[-1])", []),
        ("ROOT", "print(ROOT.split('/')[-1], ROOT.split('/')[0])", [3]),
        ("missing", "for p in missing('a'): print(p.split('/')[-1])", []),
    ],
)
def test_path_of_another_file_is_split(tmp_path: Path, imported: str, code: str, lines: list[int]) -> None:
    text = f"import os.path\nfrom package.listing import {imported}\n{code}\nos.path.join('a')\n"
    assert find(tmp_path, "path-separator", text) == lines


def test_path_is_followed_through_a_package(tmp_path: Path) -> None:
    text = "import os\nimport package\nfor p in package.list_all(os.path.join('a', 'b')):\n    print(p.split('/')[-1])\n"
    assert find(tmp_path, "path-separator", text) == [4]


@pytest.mark.parametrize(("function", "lines"), [("make", [4]), ("make_clean", [])])
def test_time_is_joined_in_another_file(tmp_path: Path, function: str, lines: list[int]) -> None:
    text = f"from datetime import datetime\nfrom package.writing import {function}\nimport os\n{function}('a', str(datetime.now()))\n"
    assert find(tmp_path, "illegal-filename", text) == lines


@pytest.mark.parametrize(
    ("call", "lines"),
    [("Storage(file.name, 'rb')", [4]), ("Job(file.name)", []), ("remember(file.name)", [])],
)
def test_temporary_file_is_opened_in_another_file(tmp_path: Path, call: str, lines: list[int]) -> None:
    text = f"import tempfile\nfrom package.writing import {call.partition('(')[0]}\nwith tempfile.NamedTemporaryFile() as file:\n    {call}\n"
    assert find(tmp_path, "temporary-file-reopened", text) == lines
