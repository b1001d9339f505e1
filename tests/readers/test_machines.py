"""Of several computers in a text, only those on which something fails count."""

from itertools import product

import pytest

from torchdoctor import explain
from torchdoctor.readers.machines import clear_other_machines

FACTS = ("torch 2.4.0+cu121", "torch 2.0.1+cu118", "RTX 3090", "GTX 1060", "driver 560.94")
OWN = ("torch 2.3.1+cu118", "RTX 4070 Ti", "driver 531.79")
ERROR = "RuntimeError: CUDA error: no kernel image is available for execution on the device"
# Each has the fact of another computer, and one of that on which it fails.
OTHERS = (
    "Server: {other}.\nMy laptop ({own}):\n{error}",
    "Colab: {other}, all fine.\nWindows PC: {own}\n{error}",
    "On linux {other} works. On windows: {own}, {error}",
    "My friend has {other}. Mine fails with {own}: {error}",
    "{other} (server). Laptop: {own}. {error}",
    "In WSL it is {other}.\nWindows: {own}\n{error}",
    "Workstation: {other}, fine.\nOn the old PC with {own}: {error}",
    "My brother's PC ({own}) fails, mine ({other}) works:\n{error}",
    "I use the laptop of my wife: {own}. At work {other}.\n{error}",
    "My PC: {other} works. My brother's PC: {own}. {error}",
    "Desktop: {other}. Laptop: {own}. The error is only on the laptop:\n{error}",
    "The error is on my colleague's laptop ({own}); I myself have {other} and no problem.\n{error}",
    "Works in my old conda env ({other}). In the new env {own}:\n{error}",
    "I use {other} and my son uses {own}; on his PC\n{error}",
    "Azure VM: {own}. Dev machine: {other}.\n{error} (on the VM)",
    "A: {other}, B: {own}. On B:\n{error}",
    "Lenovo: {other}. HP: {own}. On the HP:\n{error}",
    'README says: "Tested on {other}". My PC: {own}.\n{error}',
    "Requirements: {other}\nMine: {own}\n{error}",
    "The tutorial was made with {other}. My PC has {own}.\n{error}",
)
# It fails on the computer that is named last, on both, or on one that is not known.
SAME = (
    "My laptop has {one} and {two}.\n{error}",
    "My PC: {one}\nOn windows: {two}\n{error}",
    "On linux I get it with {one}, and on windows with {two}: {error}",
    "My laptop ({one}) is my only computer, on my PC I get with {two}: {error}",
    "When I run it on my other PC with {one} and {two}, it says out of memory, my laptop works.",
    "The server starts with {one}, then {two}: {error}",
    "Windows Server 2022, {one}, {two}\n{error}",
    "{one}\n{two}\nA friend told me to ask here.\n{error}",
    "I use {one} and {two}.\n{error}",
    "Note: {one}. Also: {two}. On Windows:\n{error}",
    "The README says nothing. {one}, {two}\n{error}",
    "I made a new env with {one} and {two}: {error}",
    "GPU: {one}\nSoftware: {two}\nThe error only comes on my PC: {error}",
)


@pytest.mark.parametrize("frame", OTHERS)
def test_facts_of_other_machines_are_left_out(frame: str) -> None:
    wrong = []
    for other, own in product(FACTS, OWN):
        kept = "\n".join(clear_other_machines(frame.format(other=other, own=own, error=ERROR).split("\n")))
        if other in kept or own not in kept or ERROR not in kept:
            wrong.append(kept)
    assert wrong == []


@pytest.mark.parametrize("frame", SAME)
def test_facts_of_the_machine_that_fails_stay(frame: str) -> None:
    texts = [frame.format(one=one, two=two, error=ERROR) for one, two in product(FACTS, OWN)]
    assert [text for text in texts if clear_other_machines(text.split("\n")) != text.split("\n")] == []


@pytest.mark.parametrize("frame", OTHERS)
def test_no_command_has_the_release_of_another_machine(frame: str) -> None:
    text = frame.format(other="torch 2.2.1+cu121", own="RTX 4070 Ti", error=ERROR)
    assert not [step for diagnosis in explain(text).diagnoses for step in diagnosis.fix if "2.2.1" in step]
