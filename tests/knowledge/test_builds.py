"""Which index a command takes that upgrades a torch whose build is not known."""

import pytest

from torchdoctor.domain.cuda_variants import find_last_release
from torchdoctor.domain.versions import parse_release
from torchdoctor.knowledge.builds import ask_for_build

STEP = "```powershell\npython -m pip install {} --index-url https://download.pytorch.org/whl/{{build_index|cu126}}\n```"


@pytest.mark.parametrize(("variant", "last"), [("cu121", "2.5"), ("cu124", "2.6")])
def test_index_that_ended_is_replaced_in_an_upgrade(variant: str, last: str) -> None:
    step = ask_for_build(STEP.format("--upgrade torch torchvision"), {})
    assert f"'{variant}': 'cu126'" in step and f"`{variant}`" in step
    ended, usual = find_last_release(variant), find_last_release("cu126")
    assert ended is not None and usual is not None
    assert ended.startswith(f"{last}.") and parse_release(ended) < parse_release(usual)


@pytest.mark.parametrize("packages", ["torch==2.6.0", "--upgrade torch==2.6.0", "--force-reinstall torch"])
def test_index_is_kept_in_other_commands(packages: str) -> None:
    assert "'cu126'}" not in ask_for_build(STEP.format(packages), {})
