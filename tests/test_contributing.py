"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the tree, give a tree that passes."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
# A fence of three or four backticks with what stands in it, and the comment before it, if any.
BLOCK = re.compile(
    r"(?:^<!-- (?P<act>\w+)(?:: (?P<path>\S+))? -->\n)?^(?P<fence>`{3,4})(?P<tag>\w+)\n(?P<text>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
# The tests of what a recipe adds, and of what lists it.
TESTS = (
    "tests/checks", "tests/knowledge", "tests/facts", "tests/engine", "tests/explain/test_captures.py",
    "tests/loader/test_plan.py", "tests/loader/test_plan_on_battery.py", "tests/test_structure.py",
    "tests/test_readme.py",
)  # fmt: skip


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("contributing") / "tree"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist")
    shutil.copytree(ROOT, copy, ignore=ignored)
    for block in BLOCK.finditer(PAGE):
        follow(block, copy)
    return copy


def follow(block: re.Match[str], tree: Path) -> None:
    """Do in the tree what a block of the page says."""
    text = block["text"]
    if block["act"] == "file":
        file = tree / block["path"]
        assert not file.exists(), f"{block['path']} is there already"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    elif block["act"] == "append":
        with (tree / block["path"]).open("a", encoding="utf-8") as stream:
            stream.write(text)
    elif block["act"] == "catalogue":
        renew_catalogue(text, tree)
    elif block["tag"] == "diff":
        apply(text, tree)


def apply(diff: str, tree: Path) -> None:
    """Add the lines with a plus to the file, at the one place where the lines around them stand."""
    head, *lines = diff.splitlines()
    file = tree / head.removeprefix("# ")
    before = "".join(f"{line[1:]}\n" for line in lines if line.startswith(" "))
    after = "".join(f"{line[1:]}\n" for line in lines)
    source = file.read_text(encoding="utf-8")
    assert source.count(before) >= 1, f"{head}: the lines are not there:\n{before}"
    file.write_text(source.replace(before, after, 1), encoding="utf-8")


def renew_catalogue(command: str, tree: Path) -> None:
    ended = _run(tree, *command.replace("torchdoctor", "-m torchdoctor", 1).split())
    assert ended.returncode == 0, ended.stderr
    readme = tree / "README.md"
    before, mark, rest = readme.read_text(encoding="utf-8").partition("<!-- catalogue -->\n")
    _, end, after = rest.partition("<!-- /catalogue -->")
    readme.write_text("".join([before, mark, ended.stdout, end, after]), encoding="utf-8")


def _run(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Before an installed torchdoctor, for what the tests of the tree start elsewhere as well.
    env = {**os.environ, "PYTHONPATH": str(tree), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, encoding="utf-8")


def test_page_has_its_recipes() -> None:
    headings = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    wanted = {
        "Add a check on an existing fact",
        "Add a fact and its probe",
        "Add an entry",
        "Change the loader plan",
    }
    assert wanted <= set(headings)


@pytest.mark.parametrize("name", ["small-memory", "on-battery"])
def test_added_check_is_listed(tree: Path, name: str) -> None:
    renew_catalogue("torchdoctor checks --format markdown", tree)
    assert f"| `{name}` |" in (tree / "README.md").read_text(encoding="utf-8")


def test_tree_passes_its_tests_after_the_recipes(tree: Path) -> None:
    renew_catalogue("torchdoctor checks --format markdown", tree)
    ended = _run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-x", *TESTS)
    assert ended.returncode == 0, ended.stdout[-3000:]


def test_added_fact_is_observed(tree: Path) -> None:
    ended = _run(tree, "-m", "torchdoctor", "facts", "--no-trials")
    assert '"power_supply"' in ended.stdout, ended.stderr
