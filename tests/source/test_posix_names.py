"""The names that Windows lacks are those of modules that exist, and no Python on Windows has them."""

import importlib
import os

import pytest

from torchdoctor.source.module.posix_names import POSIX_NAMES


@pytest.mark.parametrize("module", sorted({name.partition(".")[0] for name in POSIX_NAMES}))
def test_module_has_its_names_on_linux_only(module: str) -> None:
    names = {name.partition(".")[2] for name in POSIX_NAMES if name.startswith(f"{module}.")}
    assert bool(names & set(dir(importlib.import_module(module)))) is (os.name != "nt")
