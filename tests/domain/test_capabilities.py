import pytest

from torchdoctor.domain.capabilities import parse_sm


@pytest.mark.parametrize(
    ("name", "capability"),
    [("sm_86", (8, 6)), ("sm_120", (12, 0)), ("sm_5", None), ("sm_90a", None), ("", None), (None, None)],
)
def test_reads_the_name_of_a_capability(name: str | None, capability: tuple[int, int] | None) -> None:
    assert parse_sm(name) == capability
