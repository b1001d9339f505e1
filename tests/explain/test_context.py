"""A symptom that games and editors show as well counts only in a text about a program that computes."""

import pytest

from torchdoctor.explain.context import is_about_computing
from torchdoctor.explain.text.clean import clean, number_lines
from torchdoctor.explain.text.split import split


@pytest.mark.parametrize(
    ("text", "is_about"),
    [
        ("The screen turns black when I train.", True),
        ("训练时黑屏", True),
        ("ComfyUI: the screen turns black, RTX 3060", True),
        ("My game wrote this\nKeyError: 1", True),
        ("The screen turns black in a game, RTX 3060, driver 560.94", False),
        ("My browser freezes with every video", False),
        ("A Kotlin program says error 1114. I have no Python.", False),
        ("Our service does not use Python or torch: error 1114", False),
        ("train.py ends without Python errors", True),
    ],
    ids=["work", "chinese", "program", "exception", "game", "browser", "kotlin", "service", "no-errors"],
)
def test_text_is_about_a_program_that_computes(text: str, is_about: bool) -> None:
    assert is_about_computing(split(clean(number_lines(text), lambda line: False))) is is_about
