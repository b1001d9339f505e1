"""Entry points and entries of plugins are loaded, and what cannot be is named."""

import sys
from pathlib import Path

import pytest

from tests.engine.registered import NAMES
from torchdoctor.engine import plugins
from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.registry import load_registry

GROUPS = """
not = before
[torchdoctor.checks]
one = a.checks
# two = b.checks
three = c.checks [extra]
four
[console_scripts]
five = d:main
"""


def test_entry_points_of_a_group_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("z-1.dist-info", GROUPS), ("b-1.egg-info", "[torchdoctor.checks]\nbuiltin = torchdoctor.checks\n"),
                       ("c-1.dist-info", "[other]\na = b\n"), ("d-1.data", GROUPS.replace("one", "six"))):  # fmt: skip
        (tmp_path / name).mkdir()
        (tmp_path / name / "entry_points.txt").write_text(text, encoding="utf-8")
    (tmp_path / "e-1.dist-info").mkdir()
    (tmp_path / "f-1.dist-info").mkdir()
    (tmp_path / "f-1.dist-info" / "entry_points.txt").write_bytes(b"\xff[torchdoctor.checks]\nx = y\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "none"), str(tmp_path), str(tmp_path / "z-1.dist-info" / "entry_points.txt"), 5])  # fmt: skip
    assert [
        (each.name, each.package, each.is_builtin) for each in plugins.find_plugins("torchdoctor.checks")
    ] == [
        ("builtin", "torchdoctor.checks", True),
        ("one", "a.checks", False),
        ("three", "c.checks", False),
    ]


HEAD = '```toml\nfamily = "install"\nseverity = "warning"\n%s\n```\n\n# Title\n\nLead.\n\n## Why\n\nx\n\n## Fix\n\n1. x\n\n## Verify\n\nx\n'


ENTRIES = {
    "their_good.md": HEAD % "",
    "posix_only.md": HEAD % "",
    "their_pattern.md": HEAD % "[[symptoms]]\ntext = 'abcdef'\npattern = '('",
    "their_reference.md": HEAD % 'references = ["a\\u0007"]',
    "their_bytes.md": b"\xff",
    "their_text.txt": "x",
}


CHECK = "from collections.abc import Iterator\nfrom torchdoctor.check import Finding, check\nfrom torchdoctor.facts import OperatingSystem\n@check\ndef {name}(system: OperatingSystem) -> Iterator[Finding]:\n    '''Look.'''\n    yield Finding('x')\n"


CHECKS = {
    "their_good.py": CHECK.format(name="their_good"),
    "their_raise.py": "raise SystemExit(3)",
    "their_other.py": CHECK.format(name="other"),
    "their_two.py": CHECK.format(name="their_two")
    + CHECK.format(name="their_three").partition("OperatingSystem\n")[2],
    "their_lonely.py": CHECK.format(name="their_lonely"),
    "posix_only.py": CHECK.format(name="posix_only"),
}


def write_plugin(folder: Path, package: str) -> None:
    for part, files in (("checks", CHECKS), ("entries", ENTRIES)):
        (folder / f"{package}_{part}").mkdir(parents=True)
        for name, content in {"__init__.py": "", **files}.items():
            file = folder / f"{package}_{part}" / name
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "theirs-1.dist-info").mkdir()
    groups = f"[torchdoctor.checks]\ntheirs = {package}_checks\nlost = {package}_lost\n[torchdoctor.knowledge]\ntheirs = {package}_entries\nlost = {package}_lost\n"
    (folder / "theirs-1.dist-info" / "entry_points.txt").write_text(groups, encoding="utf-8")


def test_plugin_is_loaded_and_what_cannot_be_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_plugin(tmp_path, "whole")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    registry = load_registry(lambda entry: "left" if entry.name == "tdr-timeout" else None)
    assert {check.name for check in registry.checks} ^ set(NAMES) == {"their-good", "tdr-timeout"}
    assert [check.name for check in registry.checks] == sorted(check.name for check in registry.checks)
    assert registry.left_out == (("tdr-timeout", "left"),)
    assert [f"{each.name}: {each.reason}" for each in registry.broken] == [
        "lost: whole_lost: ModuleNotFoundError: No module named 'whole_lost'",
        "posix-only: whole_entries repeats an entry that exists already",
        "their-bytes: their_bytes.md: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
        "their-pattern: their-pattern: head: a pattern is no regular expression: missing ), unterminated subpattern at position 0",
        "their-reference: their-reference: head: a reference has a control character",
        "lost: whole_lost: ModuleNotFoundError: No module named 'whole_lost'",
        "posix-only: whole_checks.posix_only repeats a check that torchdoctor.checks.posix_only has already",
        "their-lonely: whole_checks.their_lonely has no entry of this name in any knowledge base",
        "their-other: whole_checks.their_other must hold one check, named their_other",
        "their-raise: whole_checks.their_raise: SystemExit: 3",
        "their-two: whole_checks.their_two must hold one check, named their_two",
    ]


def test_installation_without_plugins_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(
        plugins.RegistryError, match="the knowledge base is not installed; reinstall torchdoctor"
    ):
        load_knowledge()
