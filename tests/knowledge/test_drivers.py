"""A command for a build that the driver of a text cannot run comes after an update of the driver."""

import pytest

from torchdoctor.knowledge.drivers import ask_for_driver

INSTALL = "Put the build there:\n\n   ```powershell\n   python -m pip install torch --index-url https://download.pytorch.org/whl/{}\n   ```"
CHOOSE = (
    "Put it there:\n\n   ```powershell\n   python -c \"s.check_output('nvidia-smi --query-gpu=compute_cap');"
    " b = 'cu126' if n >= [2, 6] else 'cu117'\"\n   ```"
)
UPDATE = "Update the NVIDIA driver from https://www.nvidia.com/drivers."


@pytest.mark.parametrize(
    ("driver", "build", "needed"),
    [
        ({"driver_version": "496.13"}, "cu126", "528.33"),
        ({"driver_version": "496.13"}, "cu118", None),
        ({"driver_version": "442.19"}, "cu118", "452.39"),
        ({"driver_version": "442.19"}, "cu102", None),
        ({"driver_version": "436.30"}, "cu102", "441.22"),
        ({"driver_version": "560.94"}, "cu126", None),
        ({"driver_version": "560.94"}, "cu130", "580"),
        ({"driver_version": "525.60.13"}, "cu121", None),
        ({"driver_cuda": "11.4"}, "cu121", "528.33"),
        ({"driver_cuda": "12.2"}, "cu128", None),
        ({"driver_version": "unknown"}, "cu128", None),
        ({}, "cu128", None),
    ],
)
def test_update_is_first_where_the_driver_is_too_old(
    driver: dict[str, str], build: str, needed: str | None
) -> None:
    install = INSTALL.format(build)
    look, step = ask_for_driver(("Look.", install), driver)
    assert look == "Look."
    if needed is None:
        assert step == install
    else:
        assert f"needs {needed} or newer. Put the build" in step


def test_only_the_first_command_is_preceded() -> None:
    steps = (INSTALL.format("cu126"), INSTALL.format("cu128"))
    assert ask_for_driver(steps, {"driver_version": "496.13"})[1] == steps[1]


def test_command_that_chooses_the_build_counts() -> None:
    assert ask_for_driver((CHOOSE,), {"driver_version": "496.13"})[0].startswith("Update the NVIDIA driver")


def test_steps_that_update_the_driver_stay() -> None:
    steps = (UPDATE, INSTALL.format("cu126"))
    assert ask_for_driver(steps, {"driver_version": "496.13"}) == steps
