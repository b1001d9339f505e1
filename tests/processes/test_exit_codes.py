"""Exit codes are described in every form that a system gives them, signed or unsigned."""

import pytest

from torchdoctor.processes.exit_codes import describe_exit


@pytest.mark.parametrize(
    ("code", "meaning"),
    [
        (3221225477, "0xC0000005 (access violation)"),
        (-1073741819, "0xC0000005 (access violation)"),
        (3221225781, "0xC0000135 (a DLL was not found)"),
        (-1073741795, "0xC000001D (illegal instruction)"),
        (0xC0001234, "0xC0001234"),
        (1, "exit code 1"),
    ],
)
def test_describes_an_exit_code_of_windows(code: int, meaning: str) -> None:
    assert describe_exit(code, is_windows=True) == meaning


@pytest.mark.parametrize(
    ("code", "meaning"), [(-6, "signal SIGABRT"), (-200, "signal 200"), (3, "exit code 3")]
)
def test_describes_an_exit_code_of_posix(code: int, meaning: str) -> None:
    assert describe_exit(code, is_windows=False) == meaning
