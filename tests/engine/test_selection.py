"""The name "source" stands for all checks of training code, whatever else they are about."""

from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.selection import select_checks
from torchdoctor.source import ConfigFile, SourceFile

REGISTRY = load_registry()


def test_source_selects_every_check_of_code() -> None:
    read_code = [each.name for each in REGISTRY.checks if set(each.facts) <= {SourceFile, ConfigFile}]
    assert [each.name for each in select_checks(REGISTRY, ["source"], [])] == read_code


def test_family_still_selects_its_checks() -> None:
    assert "nccl-unavailable" in [each.name for each in select_checks(REGISTRY, ["distributed"], [])]
