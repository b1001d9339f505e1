"""Fixtures for the tests of the engine."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

InstallPlugin = Callable[[Path, dict[str, str], dict[str, str]], dict[str, str]]


@pytest.fixture
def install_plugin() -> InstallPlugin:
    """Return a function that installs checks and entries in a folder, and returns the variables to set."""

    def install(folder: Path, checks: dict[str, str], entries: dict[str, str]) -> dict[str, str]:
        for package, files, suffix in (("their_checks", checks, ".py"), ("their_entries", entries, ".md")):
            (folder / package).mkdir(parents=True)
            (folder / package / "__init__.py").write_text("", encoding="utf-8")
            for name, text in files.items():
                (folder / package / f"{name}{suffix}").write_text(text, encoding="utf-8")
        info = folder / "theirs-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n", encoding="utf-8"
        )
        (info / "entry_points.txt").write_text(
            "[torchdoctor.checks]\ntheirs = their_checks\n[torchdoctor.knowledge]\ntheirs = their_entries\n",
            encoding="utf-8",
        )
        return {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}

    return install
