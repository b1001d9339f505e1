"""In a folder that was deleted no command blames torch."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMMANDS = (
    ("scan",),
    ("scan", "."),
    ("facts",),
    ("repair", "--dry-run"),
    ("loader",),
)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows deletes no folder that is in use")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_deleted_folder_is_named(command: tuple[str, ...], tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    code = (
        f"import os, sys; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r}); sys.argv[1:] = {list(command)!r};"
        " from torchdoctor.__main__ import main; sys.exit(main())"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (ended.returncode, "the current folder cannot be read" in ended.stderr) == (2, True)
