"""Which checks names and families select, and which names are refused."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.engine.registered import NAMES, REGISTRY
from torchdoctor.core.usage import UsageError
from torchdoctor.engine import plugins
from torchdoctor.engine.selection import select_checks

FAMILIES = {name: REGISTRY.knowledge.entries[name].family for name in NAMES}


SELECTED: dict[str, tuple[list[str], list[str], Callable[[str], bool]]] = {
    "all": ([], [], lambda name: True),
    "one": (["posix_only"], [], lambda name: name == "posix-only"),
    "several": (["posix-only, ,tdr-timeout", "driver-model"], [], lambda name: name in ("posix-only", "tdr-timeout", "driver-model")),
    "family": (["dll"], [], lambda name: FAMILIES[name] == "dll"),
    "ignored": ([], ["posix-only"], lambda name: name != "posix-only"),
    "family without one": (["dll"], ["vc-redist-missing"], lambda name: FAMILIES[name] == "dll" and name != "vc-redist-missing"),
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
