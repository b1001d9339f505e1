"""The pip requirement that installs the same build of torch again."""

import pytest

from torchdoctor.domain.requirements import name_requirement

WHL = "--index-url https://download.pytorch.org/whl"


@pytest.mark.parametrize(
    ("version", "requirement"),
    [
        ("2.8.0+cu128", f"torch==2.8.0 {WHL}/cu128"),
        ("2.15.0+cpu", "torch==2.15.0"),
        ("2.15.0", "torch==2.15.0"),
        ("2.5.1+xpu", f"torch==2.5.1 {WHL}/xpu"),
        ("2.9.0a0+git1234", "torch==2.9.0a0"),
        ("2.9.0+cu128; rm", "torch==2.9.0"),
    ],
)
def test_names_the_requirement_of_a_build(version: str, requirement: str) -> None:
    assert name_requirement(version) == requirement
