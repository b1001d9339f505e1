"""Version ranges have the meaning that `packaging` gives them."""

import pytest

from torchdoctor.domain.versions import VersionError, parse_range


@pytest.mark.parametrize(
    ("text", "version", "is_inside"),
    [
        (">=2.9,<2.15", "2.9.0+cpu", True),
        (">=2.9,<2.15", "2.14.1", True),
        (">=2.9,<2.15", "2.15.0", False),
        (">=2.9,<2.15", "2.8.0", False),
        ("==2.3.*", "2.3.1", True),
        ("==2.3.*", "2.30.0", False),
        ("!=2.4.0", "2.4.0+cu124", False),
        ("==2.4", "2.4.0", True),
        ("", "1.0", True),
        ("<3", "2.15.0a0+git12", True),
    ],
)
def test_range_contains_a_version(text: str, version: str, is_inside: bool) -> None:
    assert (version in parse_range(text)) is is_inside


@pytest.mark.parametrize("text", ["new", ">=", "2.9", ">=2.9 <3"])
def test_refuses_an_invalid_range(text: str) -> None:
    with pytest.raises(VersionError):
        parse_range(text)
