"""A few inputs of every target; `campaign.py` makes up more."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CAMPAIGN = Path(__file__).with_name("campaign.py")
NAMES = (
    *("text", "pasted_bytes", "facts", "facts_text", "code", "notebook", "configuration", "image", "wheel"),
    *(
        "installed_files",
        "entry",
        "plugin",
        "program",
        "answer",
        "answer_file",
        "child",
        "project_configuration",
        "baseline",
    ),
)


def run_campaign(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(CAMPAIGN), *arguments],
        capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=600,
    )  # fmt: skip


@pytest.fixture(scope="module")
def campaign() -> str:
    """Return what a campaign says of all targets, which start once."""
    # What a child does in this target needs signals and forks.
    result = run_campaign(
        "--inputs", "60", "--seed", "1", *(set(NAMES) - {"child"} if os.name == "nt" else NAMES)
    )
    return result.stdout + result.stderr


@pytest.mark.parametrize("name", NAMES)
def test_promises_hold(name: str, campaign: str) -> None:
    if name == "child" and os.name == "nt":
        pytest.skip("what a child does in this target needs signals and forks")
    assert re.search(rf"^{name} +60 inputs .* held$", campaign, re.MULTILINE), campaign


def test_all_targets_are_tried_here() -> None:
    result = run_campaign("no-such-target")
    assert result.stderr.rstrip().endswith(f"there are {', '.join(sorted(NAMES))}")
