"""What pip's list of a conflict shows."""

import pytest

from torchdoctor.explain.values.conflicts import read_conflict

HEAD = "The conflict is caused by: "


def test_requirement_that_excludes_another_is_named() -> None:
    items = "The user requested torch==1.6.0 aa 0.4 depends on torch>=1.6.0 bb 0.5 depends on torch==1.4.0"
    assert read_conflict(HEAD + items) == {
        "dependent": "bb",
        "dependent_version": "0.5",
        "needs": "torch==1.4.0",
        "wanted": "torch==1.6.0",
    }


def test_companion_for_the_wanted_torch_is_named() -> None:
    items = "The user requested torch==2.0.0+cu118 xformers 0.0.16 depends on torch==1.13.1"
    assert read_conflict(HEAD + items)["companion_pin"] == "xformers==0.0.19"


def test_package_that_wants_another_version_is_named() -> None:
    items = "foo 1.0 depends on numpy<2 and >=1.2 bar 2.0 depends on numpy>=2.1"
    assert read_conflict(HEAD + items)["wanted_by"] == "foo 1.0"


@pytest.mark.parametrize(
    "items",
    [
        "foo 1.0 depends on numpy<2 and >=1.2 bar 2.0 depends on numpy>=1.4",
        "foo 1.0 depends on torch>=1.8.1 The user requested torch==1.12.1",
        "foo 2.0 depends on torch==2.0 foo 1.0 depends on torch==1.0",
        "foo 2.0 depends on torch!=2.0 The user requested torch>=1.0",
    ],
    ids=["ranges", "pin-in-a-range", "releases-of-one-package", "exclusion"],
)
def test_requirements_that_can_be_met_are_no_conflict(items: str) -> None:
    assert read_conflict(HEAD + items) == {}


def test_two_builds_exclude_each_other() -> None:
    items = "The user requested torch==2.0.0+cpu foo 1.0 depends on torch==2.0.0+cu118"
    assert read_conflict(HEAD + items)["needs"] == "torch==2.0.0+cu118"


@pytest.mark.parametrize("text", ["", "torch 2.0", HEAD, HEAD + "The user requested torch==2.0"])
def test_other_texts_show_nothing(text: str) -> None:
    assert read_conflict(text) == {}


def test_companion_is_named_where_uv_concludes() -> None:
    text = "Because torchvision==0.16.0 depends on torch==2.1.0 and you require torch==2.2.0, we can conclude that"
    assert read_conflict(text) == {"companion_pin": "torchvision==0.17.0"}
