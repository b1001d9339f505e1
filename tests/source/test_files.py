"""Which files a scan finds."""

import os
from pathlib import Path

import pytest

from torchdoctor.source.files.finding import find_sources
from torchdoctor.source.files.gitignore import is_ignored, read_ignore_file
from torchdoctor.source.files.unreadable import UnreadableSource


def write_files(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("pass\n", encoding="utf-8")


def find_names(root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in find_sources([root]) if isinstance(path, Path)]


def test_finds_code_and_configuration(tmp_path: Path) -> None:
    write_files(tmp_path, "a.py", "b.ipynb", "c.yaml", "d.txt", "sub/e.toml")
    assert find_names(tmp_path) == ["a.py", "b.ipynb", "c.yaml", "sub/e.toml"]


def test_skips_environments_and_caches(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        ".git/a.py",
        "env/pyvenv.cfg",
        "env/b.py",
        "__pycache__/c.py",
        "build/lib/d.py",
        "other/build/bdist.win-amd64/e.py",
        "node_modules/e.py",
        "f.py",
    )
    assert find_names(tmp_path) == ["f.py"]


@pytest.mark.parametrize("output", ["build/CMakeCache.txt", "build/index.html", "build/lib/c.py"])
def test_reads_code_that_builds_something_but_no_output(output: str, tmp_path: Path) -> None:
    write_files(tmp_path, "build/a.py", "build/sub/b.py")
    assert find_names(tmp_path) == ["build/a.py", "build/sub/b.py"]
    write_files(tmp_path, output)
    assert find_names(tmp_path) == []


def test_finds_a_given_file_in_a_skipped_folder(tmp_path: Path) -> None:
    write_files(tmp_path, "node_modules/a.py")
    assert list(find_sources([tmp_path / "node_modules/a.py"])) == [tmp_path / "node_modules/a.py"]


def test_finds_a_file_once(tmp_path: Path) -> None:
    write_files(tmp_path, "a.py")
    assert len(list(find_sources([tmp_path, tmp_path / "a.py"]))) == 1


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        ("data/\n", ["a.py", "sub/a.py"]),
        ("*.py\n!a.py\n", ["a.py", "sub/a.py", "data/a.py"]),
        ("/a.py\n", ["data/a.py", "data/b.py", "sub/a.py"]),
        ("sub/**\n# a comment\n", ["a.py", "data/a.py", "data/b.py"]),
        ("**/b.py\n", ["a.py", "data/a.py", "sub/a.py"]),
        ("[ab].p?\n", []),
        ("data\\ \n\\!x\n", ["a.py", "data/a.py", "data/b.py", "sub/a.py"]),
    ],
    ids=["folder", "negated", "anchored", "below", "anywhere", "class", "escaped"],
)
def test_respects_ignore_file(tmp_path: Path, rules: str, kept: list[str]) -> None:
    write_files(tmp_path, "a.py", "data/a.py", "data/b.py", "sub/a.py")
    (tmp_path / ".gitignore").write_text(rules, encoding="utf-8")
    assert sorted(find_names(tmp_path)) == sorted(kept)


def test_respects_nested_ignore_file(tmp_path: Path) -> None:
    write_files(tmp_path, "a.py", "sub/a.py", "sub/b.py")
    (tmp_path / "sub/.gitignore").write_text("/a.py\n", encoding="utf-8")
    assert find_names(tmp_path) == ["a.py", "sub/b.py"]


def test_respects_ignore_file_of_the_repository_above(tmp_path: Path) -> None:
    write_files(tmp_path, ".git/config", "sub/deep/a.py", "sub/deep/b.py")
    (tmp_path / ".gitignore").write_text("sub/deep/a.py\n", encoding="utf-8")
    assert find_names(tmp_path / "sub") == ["deep/b.py"]


@pytest.mark.skipif(not hasattr(os, "symlink") or os.name == "nt", reason="needs symbolic links")
def test_survives_a_loop_of_links(tmp_path: Path) -> None:
    write_files(tmp_path, "a.py", "sub/b.py")
    (tmp_path / "sub/up").symlink_to(tmp_path)
    assert find_names(tmp_path) == ["a.py", "sub/b.py"]


def test_reports_a_path_that_does_not_exist(tmp_path: Path) -> None:
    assert list(find_sources([tmp_path / "no"])) == [
        UnreadableSource(str(tmp_path / "no"), "there is no such file or folder")
    ]


@pytest.mark.parametrize(
    "rule", ["*a" * 30 + "b", "**/a/" * 30 + "b", "a/**/" * 30 + "b", "*" * 1000 + "b", "[ab]*" * 50]
)
def test_rule_of_any_stars_is_applied(tmp_path: Path, rule: str) -> None:
    (tmp_path / ".gitignore").write_text(f"{rule}\n", encoding="utf-8")
    file = read_ignore_file(tmp_path / ".gitignore")
    rules = () if file is None else (file,)
    names = ("a" * 200 + ".py", "a/" * 60 + "c.py")
    # With backtracking, one of them takes longer than the universe exists.
    assert [is_ignored(rules, str(tmp_path / name), False) for name in names] in (
        [False, False],
        [True, False],
    )


@pytest.mark.parametrize(("rule", "path", "ignored"), [
    ("*a*b", "xaxb", True), ("*a*b", "xbxa", False), ("a/**/b", "a/b", True), ("a/**/b", "a/x/y/b", True),
    ("*[!a]a", "a/a", False), ("b[!a]a", "b/a", False), ("a/**", "a", False), ("a/**", "a/x", True),
    ("**/**/b", "x/b", True), ("a*/b", "a/x/b", False),
])  # fmt: skip
def test_rule_is_applied_as_git_does(tmp_path: Path, rule: str, path: str, ignored: bool) -> None:
    (tmp_path / ".gitignore").write_text(f"{rule}\n", encoding="utf-8")
    file = read_ignore_file(tmp_path / ".gitignore")
    rules = () if file is None else (file,)
    assert is_ignored(rules, str(tmp_path / path), False) is ignored


def test_last_rule_decides_among_rules_that_are_tried_together(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*a*b*c\n!*b*c*\nd*e*f\n*.py/\n", encoding="utf-8")
    file = read_ignore_file(tmp_path / ".gitignore")
    assert file is not None
    names = ("xabc", "abxc", "axbyc", "ac", "dxeyf", "d.py")
    assert [is_ignored((file,), str(tmp_path / name), False) for name in names] == [
        False, False, False, False, True, False,
    ]  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_file_with_links_is_found_once(tmp_path: Path) -> None:
    (tmp_path / "code" / "z").mkdir(parents=True)
    for name in ("code/z/real.py", "outside.py"):
        (tmp_path / name).write_text("", encoding="utf-8")
    for link, target in {"a.py": "z/real.py", "b.py": "../outside.py", "c.py": "../outside.py"}.items():
        (tmp_path / "code" / link).symlink_to(target)
    found = [Path(file).relative_to(tmp_path).as_posix() for file in find_sources([tmp_path / "code"])]
    assert found == ["code/z/real.py", "code/b.py"]
    assert list(find_sources([tmp_path / "code" / "a.py"])) == [tmp_path / "code" / "a.py"]
