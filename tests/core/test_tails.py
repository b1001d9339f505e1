"""The end of an output begins with a whole line."""

from hypothesis import given
from hypothesis import strategies as st

from torchdoctor.core.tails import take_last_lines


@given(st.text("ab\n", max_size=60), st.integers(1, 30))
def test_end_is_of_whole_lines_and_as_long_as_possible(text: str, limit: int) -> None:
    starts = [0, *(place + 1 for place, letter in enumerate(text) if letter == "\n"), len(text)]
    longest = next(text[start:] for start in starts if len(text) - start <= limit)
    assert take_last_lines(text, limit) == longest
    assert take_last_lines(text.encode(), limit) == longest.encode()


def test_secret_is_not_shown_without_its_key() -> None:
    text = "HF_TOKEN=Xk9mQ2vLr7TqWz3P\n" + "." * 40
    assert all("Xk9" not in take_last_lines(text, limit) for limit in range(1, len(text)))
