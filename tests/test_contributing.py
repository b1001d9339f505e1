"""The recipes of CONTRIBUTING.md work: a copy of the tree that follows each of them passes its tests."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
# A fenced block, with three or four backticks, and the comment before it, if any.
BLOCK = re.compile(
    r"(?:^<!-- (?P<action>\w+)(?:: (?P<path>\S+))? -->\n)?^(?P<fence>`{3,4})(?P<tag>\w+)\n(?P<text>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
# The tests of what the recipes add and of the lists that they extend.
TESTS = (
    "tests/checks/test_machines.py", "tests/checks/test_samples.py", "tests/checks/test_source_samples.py",
    *(f"tests/checks/test_absurd_facts.py::test_{test}[{name}]"
      for test in ("check_does_not_crash_on_absurd_facts", "refused_fact_skips_the_check")
      for name in ("small-memory", "on-battery", "fan-stopped")),
    "tests/checks/test_absurd_facts.py::test_absurd_facts_survive_encoding", "tests/knowledge", "tests/facts",
    "tests/explain/test_captures.py", "tests/loader/test_plan.py", "tests/loader/test_plan_on_battery.py",
    "tests/test_structure.py", "tests/test_readme.py",
)  # fmt: skip
# Of a test with cases, those of what the recipes add; the texts in which an added entry may be found are all tried.
ADDED = ("small-memory", "on-battery", "fan-stopped", "empty-cache")
CASES = " or ".join(("not [", "test_captures", *ADDED, *(name.replace("-", "_") for name in ADDED)))


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("contributing") / "tree"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist")
    shutil.copytree(ROOT, copy, ignore=ignored)
    for block in BLOCK.finditer(PAGE):
        apply_block(block, copy)
    made = _run(copy, "-m", "torchdoctor", "new-check", "fan-stopped", "--family", "gpu")
    assert "tests/samples/fan_stopped/bad-1-gib.json" in made.stdout.replace("\\", "/"), made.stderr
    return copy


def apply_block(block: re.Match[str], tree: Path) -> None:
    """Apply a block of the page to the tree."""
    text = block["text"]
    if block["action"] == "file":
        file = tree / block["path"]
        assert not file.exists(), f"{block['path']} exists already"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    elif block["action"] == "append":
        with (tree / block["path"]).open("a", encoding="utf-8") as stream:
            stream.write(text)
    elif block["action"] == "catalogue":
        update_catalogue(text, tree)
    elif block["tag"] == "diff":
        apply_diff(text, tree)


def apply_diff(diff: str, tree: Path) -> None:
    """Add the lines with a plus to the file, at the first place where the lines around them are."""
    head, *lines = diff.splitlines()
    file = tree / head.removeprefix("# ")
    before = "".join(f"{line[1:]}\n" for line in lines if line.startswith(" "))
    after = "".join(f"{line[1:]}\n" for line in lines)
    source = file.read_text(encoding="utf-8")
    assert source.count(before) >= 1, (
        f"{head} no longer has these lines; correct them in CONTRIBUTING.md:\n{before}"
    )
    file.write_text(source.replace(before, after, 1), encoding="utf-8")


def update_catalogue(command: str, tree: Path) -> None:
    result = _run(tree, *command.replace("torchdoctor", "-m torchdoctor", 1).split())
    assert result.returncode == 0, result.stderr
    readme = tree / "README.md"
    before, mark, rest = readme.read_text(encoding="utf-8").partition("<!-- catalogue -->\n")
    _, end, after = rest.partition("<!-- /catalogue -->")
    readme.write_text("".join([before, mark, result.stdout, end, after]), encoding="utf-8")


def _run(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Processes that the tests start in other folders import the tree too, not an installed torchdoctor.
    env = {**os.environ, "PYTHONPATH": str(tree), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, encoding="utf-8")


def test_page_has_the_recipes() -> None:
    headings = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    expected = {
        "Add a check on an existing fact",
        "Add a check of training code",
        "Add a fact and its probe",
        "Add an entry",
        "Change the loader plan",
    }
    assert expected <= set(headings)


@pytest.mark.parametrize("name", ["small-memory", "on-battery", "empty-cache-in-loop", "fan-stopped"])
def test_added_check_is_listed(tree: Path, name: str) -> None:
    update_catalogue("torchdoctor checks --format markdown", tree)
    assert f"| `{name}` |" in (tree / "README.md").read_text(encoding="utf-8")


def test_tree_passes_its_tests_after_the_recipes(tree: Path) -> None:
    update_catalogue("torchdoctor checks --format markdown", tree)
    result = _run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-x", "-k", CASES, *TESTS)
    assert result.returncode == 0, result.stdout[-3000:]


def test_added_fact_is_observed(tree: Path) -> None:
    result = _run(tree, "-m", "torchdoctor", "facts", "--no-trials")
    assert '"power_supply"' in result.stdout, result.stderr
