"""A step is shortened to what it says first, with all of the commands that it announces."""

import pytest

from torchdoctor.renderers.wording import shorten_step


@pytest.mark.parametrize(
    ("step", "shown"),
    [
        ("Close other programs.\n\nIf that does not help, restart.", "Close other programs."),
        ("Print it:\n\n```python\nimport os\n\nprint(os)\n```\n\nThen go on.", "Print it:\n\n```python\nimport os\n\nprint(os)\n```"),
        ("Do it:\n\n   ```powershell\n   a\n   ```\n\nDone.", "Do it:\n\n   ```powershell\n   a\n   ```"),
        ("Choose one:\n\n- a\n- b\n\nDone.", "Choose one:\n\n- a\n- b"),
    ],
)  # fmt: skip
def test_step_is_shortened(step: str, shown: str) -> None:
    assert shorten_step(step) == shown
