"""The pip requirement that installs the same build of torch again."""

import pytest

from torchdoctor.domain.requirements import describe_build, name_requirement

WHL = "--index-url https://download.pytorch.org/whl"


@pytest.mark.parametrize(
    ("version", "requirement"),
    [
        ("2.8.0+cu128", f"torch==2.8.0 {WHL}/cu128"),
        ("2.15.0+cpu", "torch==2.15.0"),
        ("2.15.0", "torch==2.15.0"),
        ("2.5.1+xpu", f"torch==2.5.1 {WHL}/xpu"),
        ("2.10.0.dev20251101+cu130", f"torch==2.10.0.dev20251101 {WHL}/nightly/cu130"),
        ("2.9.0a0+git1234", None),
        ("2.9.0+rocmsdk20251116", None),
        ("2.9.0+cu128; rm", None),
    ],
)
def test_names_the_requirement_of_a_build(version: str, requirement: str | None) -> None:
    assert name_requirement(version) == requirement


def test_cuda_build_of_conda_keeps_its_cuda() -> None:
    assert name_requirement("2.4.0", "12.1") == f"torch==2.4.0 {WHL}/cu121"


def test_cpu_build_is_named_explicitly_where_a_release_is_open() -> None:
    assert describe_build("2.4.0+cpu") == {"requirement": "torch==2.4.0", "index_option": f" {WHL}/cpu"}
