"""What no screen shows is taken out before a text is redacted, so that it hides nothing."""

import pytest

from torchdoctor.core.controls import remove_controls
from torchdoctor.redaction.redaction import Identity

SECRET = "Xk9mQ2vLr7TqWz3P"
COLOURED = {
    "bold key": f"\x1b[1mpassword\x1b[0m={SECRET}",
    "green value": f"password=\x1b[32m{SECRET}\x1b[0m",
    "within the key": f"pass\x1b[4mword={SECRET}",
    "zero-width space in the key": f"pass\u200bword={SECRET}",
    "8-bit sequence": f"\x9b1mtoken\x9b0m: {SECRET}",
    "link": f"\x1b]8;;https://a\x07HF_TOKEN\x1b]8;;\x07={SECRET}",
}


@pytest.mark.parametrize("text", COLOURED.values(), ids=COLOURED)
def test_controls_hide_no_secret(text: str) -> None:
    assert SECRET not in Identity().redact(f"ImportError: {text}\nat the end")


def test_colours_hide_no_home() -> None:
    coloured = "\x1b[31m/home/\x1b[1malice\x1b[0m/p.py\x1b[0m"
    assert Identity().redact(coloured) == Identity().redact("/home/alice/p.py") == "/home/<user>/p.py"


@pytest.mark.parametrize("text", ["plain", "a\tb\r\nc\n", "页面文件太小", "é\n"])
def test_text_and_line_breaks_stay(text: str) -> None:
    assert remove_controls(text) == text
