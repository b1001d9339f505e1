"""The compute capability of a card, however its name is written."""

import pytest

from torchdoctor.domain.gpu_names import (
    find_capability,
    find_last_driver,
    has_driver,
    leave_out_behind_card,
    list_named_capabilities,
    show_card,
)

CARDS = [
    ("RTX 5070 Ti", (12, 0)),
    ("RTX 4070 Ti Super", (8, 9)),
    ("RTX 4090 D", (8, 9)),
    ("RTX 3080 Ti", (8, 6)),
    ("RTX 3060", (8, 6)),
    ("RTX 2070 Super", (7, 5)),
    ("GTX 1660 Super", (7, 5)),
    ("GTX 1050 Ti", (6, 1)),
    ("GTX 970M", (5, 2)),
    ("GT 1030", (6, 1)),
]
SPELLINGS = [
    lambda name: name,
    lambda name: f"NVIDIA GeForce {name}",
    lambda name: name.lower(),
    lambda name: name.replace(" ", ""),
    lambda name: name.replace(" ", "-", 1),
    lambda name: name.replace(" Ti", "ti").replace(" Super", "super"),
    lambda name: name.replace("RTX ", "RTX").replace("GTX ", "GTX"),
]


@pytest.mark.parametrize(("name", "capability"), CARDS, ids=[name for name, _ in CARDS])
@pytest.mark.parametrize("spell", SPELLINGS, ids=range(len(SPELLINGS)))
def test_card_is_known_however_it_is_written(spell, name, capability):
    assert find_capability(spell(name)) == capability


@pytest.mark.parametrize("name", ["RTX 20700", "RTX", "3060", "GTX 3060 clone", "", "RTX3"])
def test_other_names_have_none(name):
    assert find_capability(name) is None


@pytest.mark.parametrize(
    "model", ["NVIDIA GeForce RTX 3060", "GeForce GTX 1080 Ti", "RTX 4090", "NVIDIA A100-SXM4-40GB"]
)
@pytest.mark.parametrize(
    "behind", ["kw87", "Will Banks", "zelkofari", "hunter2", "(zelkofari)", "model train"]
)
def test_words_behind_a_model_are_left_out(model: str, behind: str) -> None:
    shown = leave_out_behind_card(f"{model} {behind}")
    assert shown.startswith(model)
    assert not any(word in shown for word in behind.strip("()").split())


@pytest.mark.parametrize(
    "name",
    [
        "NVIDIA GeForce{x}RTX 3060", "{x} RTX 3060", "NVIDIA GeForce RTX 3060{x}", "NVIDIA{x} GeForce RTX{x} 3060 {x}", "GeForce {x}",
        "AMD {x} RX 6800 XT", "NVIDIA A100-SXM4-40GB{x}", "RTX{x}3060",
    ],
)  # fmt: skip
@pytest.mark.parametrize("joint", ["_{s}", "={s}", " {s} ", "-{s}-", "+{s}", "\u2019{s}\u2019", "\uff1a{s}"])
@pytest.mark.parametrize("secret", ["falcon", "minecraft", "Rose", "kw87", "0171 555 1234"])
def test_only_the_name_of_a_card_is_shared(name: str, joint: str, secret: str) -> None:
    shown = show_card(name.replace("{x}", joint.format(s=secret)))
    assert not any(word in shown for word in secret.split()[-2:]), shown


@pytest.mark.parametrize(
    "name",
    [
        "NVIDIA GeForce RTX 4070 Ti SUPER (12 GB)", "NVIDIA RTX 6000 Ada Generation", "Tesla V100-SXM2-16GB",
        "NVIDIA H100 80GB HBM3", "NVIDIA GeForce RTX 3070 Laptop GPU, 8192 MiB", "AMD Radeon RX 6800 XT",
        "Intel(R) Arc(TM) A770 Graphics", "NVIDIA TITAN Xp", "RTX3060Ti", "NVIDIA A100-SXM4-40GB MIG 3g.20gb",
    ],
)  # fmt: skip
def test_name_of_a_card_stays(name: str) -> None:
    assert leave_out_behind_card(name) == name
    assert show_card(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "NVIDIA T400 4GB",
        "Radeon RX 580 Series", "Intel(R) UHD Graphics 770", "GTX 1660Ti", "AMD Radeon RX 6800 (gfx1030)", "NVIDIA GeForce RTX 5070 Ti (12.0)",
        "NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "NVIDIA RTX A6000", "Quadro RTX 8000", "GeForce RTX 208...", "Radeon 780M Graphics",
    ],
)  # fmt: skip
def test_name_of_a_card_is_shared(name: str) -> None:
    assert show_card(name) == name


@pytest.mark.parametrize(
    ("name", "capability"),
    [
        ("GeForce GT 710", (3, 5)), ("GT 730", (3, 5)), ("GT 610", (2, 1)), ("GT 740M", (3, 0)), ("GTX 645", (3, 0)), ("GTX 690", (3, 0)),
        ("GTX 670M", (2, 1)), ("GTX 670MX", (3, 0)), ("GTX 780M", (3, 0)), ("GTX 780 Ti", (3, 5)), ("GTX TITAN", (3, 5)), ("GTX TITAN X", (5, 2)),
        ("NVIDIA TITAN X (Pascal)", (6, 1)), ("GTX 750 Ti", (5, 0)), ("GTX 860M", None), ("GTX 880M", (3, 0)), ("GeForce 920M", (3, 5)),
        ("GeForce 940MX", (5, 0)), ("Quadro K2000", (3, 0)), ("Quadro K5200", (3, 5)), ("Quadro K2200", (5, 0)), ("Quadro K610M", (3, 5)),
        ("Quadro 4000", (2, 0)), ("Quadro RTX 4000", (7, 5)), ("Quadro M1000M", (5, 0)), ("Tesla K20Xm", (3, 5)), ("Tesla K80", (3, 7)),
        ("GTX 580", (2, 0)), ("GTX 560 Ti", (2, 1)), ("GT 540M", (2, 1)), ("NVS 510", (3, 0)), ("GRID K2", (3, 0)), ("GTX 260", (1, 3)),
    ],
)  # fmt: skip
def test_old_card_is_known(name, capability):
    assert find_capability(name) == capability


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("nvidia-smi shows GeForce GT 710, driver 474.11.", ["geforce gt 710"]),
        ("A GT710 and an RTX3060Ti in one PC", ["rtx 3060", "gt 710"]),
        ("Intel Iris Xe / MX450", ["mx450"]),
        ("an 840M model, 640x480, torch 2.2.0", []),
    ],
)
def test_cards_of_a_text_are_named(text, names):
    assert [name for name, _ in list_named_capabilities(text)] == names


@pytest.mark.parametrize(
    ("capability", "branch"),
    [((2, 1), 390), ((3, 0), 470), ((3, 7), 470), ((5, 0), 580), ((7, 0), 580), ((7, 5), None)],
)
def test_last_driver_of_a_generation(capability, branch):
    last = find_last_driver(capability)
    assert (last and last.branch) == branch


@pytest.mark.parametrize(("number", "exists"), [(582, True), (590, False)])
def test_numbers_of_drivers_end_for_old_cards(number, exists):
    assert has_driver((5, 0), number) == exists
