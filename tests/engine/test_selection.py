"""Which checks names and families select, and which names are refused; "source" selects those of training code."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.engine.registered import NAMES, REGISTRY
from torchdoctor.core.usage import UsageError
from torchdoctor.engine import plugins
from torchdoctor.engine.selection import select_checks
from torchdoctor.knowledge.entries import FAMILIES
from torchdoctor.source import ConfigFile, SourceFile


def test_source_selects_every_check_of_training_code() -> None:
    source_checks = [check.name for check in REGISTRY.checks if set(check.facts) <= {SourceFile, ConfigFile}]
    assert [check.name for check in select_checks(REGISTRY, ["source"], [])] == source_checks


def test_family_selects_its_checks() -> None:
    assert "nccl-unavailable" in [check.name for check in select_checks(REGISTRY, ["distributed"], [])]


@pytest.mark.parametrize(
    ("select", "ignore"),
    [(["source"], ["source"]), (["posix-only"], ["posix-only"]), ([], [*FAMILIES, "source"])],
    ids=["kind", "name", "all-families"],
)
def test_selection_of_nothing_is_refused(select: list[str], ignore: list[str]) -> None:
    with pytest.raises(UsageError, match="no check is left to run"):
        select_checks(REGISTRY, select, ignore)


def test_other_name_may_be_the_only_one_selected() -> None:
    assert select_checks(REGISTRY, ["required-machine"], [], ("required-machine",)) == ()


FAMILY_OF = {name: REGISTRY.knowledge.entries[name].family for name in NAMES}


SELECTED: dict[str, tuple[list[str], list[str], Callable[[str], bool]]] = {
    "all": ([], [], lambda name: True),
    "one": (["posix_only"], [], lambda name: name == "posix-only"),
    "several": (["posix-only, ,tdr-timeout", "driver-model"], [], lambda name: name in ("posix-only", "tdr-timeout", "driver-model")),
    "family": (["dll"], [], lambda name: FAMILY_OF[name] == "dll"),
    "ignored": ([], ["posix-only"], lambda name: name != "posix-only"),
    "family without one": (["dll"], ["vc-redist-missing"], lambda name: FAMILY_OF[name] == "dll" and name != "vc-redist-missing"),
}  # fmt: skip


@pytest.mark.parametrize("name", SELECTED)
def test_selected_checks(name: str) -> None:
    select, ignore, is_selected = SELECTED[name]
    assert [check.name for check in select_checks(REGISTRY, select, ignore)] == [*filter(is_selected, NAMES)]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("posix-onli", "posix-onli is neither a check nor a family; did you mean posix-only?"),
        ("zzzzzz", "zzzzzz is neither a check nor a family; torchdoctor checks lists them"),
        ("lost", "lost could not be loaded: why"),
    ],
)
def test_wrong_name_is_refused(name: str, message: str) -> None:
    registry = replace(REGISTRY, broken=(plugins.Broken("lost", "why"),))
    with pytest.raises(UsageError) as refused:
        select_checks(registry, [], [name])
    assert str(refused.value) == message
