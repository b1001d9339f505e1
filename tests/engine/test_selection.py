"""The name "source" selects all checks of training code, whatever their family."""

import pytest

from torchdoctor.core.usage import UsageError
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.selection import select_checks
from torchdoctor.knowledge.entries import FAMILIES
from torchdoctor.source import ConfigFile, SourceFile

REGISTRY = load_registry()


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
