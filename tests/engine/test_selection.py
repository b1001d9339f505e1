"""The name "source" selects all checks of training code, whatever their family."""

from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.selection import select_checks
from torchdoctor.source import ConfigFile, SourceFile

REGISTRY = load_registry()


def test_source_selects_every_check_of_training_code() -> None:
    source_checks = [check.name for check in REGISTRY.checks if set(check.facts) <= {SourceFile, ConfigFile}]
    assert [check.name for check in select_checks(REGISTRY, ["source"], [])] == source_checks


def test_family_selects_its_checks() -> None:
    assert "nccl-unavailable" in [check.name for check in select_checks(REGISTRY, ["distributed"], [])]
