"""`explain` on Windows: the clipboard of the session, and the output of the last failed run."""

import pytest

pytestmark = pytest.mark.windows


def test_last_failed_run_is_explained_again(run_doctor) -> None:
    run_doctor("run", "--", "cmd", "/c", "echo OSError: [WinError 1455] x& exit 3")
    result = run_doctor("explain", "--last")
    assert (result.returncode, "paging-file-too-small" in result.stdout) == (0, True), result.stderr
    assert "last-failed-run.txt" in result.stderr
