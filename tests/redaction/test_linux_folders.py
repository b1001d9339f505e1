"""The names that a user gave to distributions of WSL are in nothing that is shared."""

import pytest

from torchdoctor.actions.formats import REPORT_FORMATS
from torchdoctor.actions.showing import load_renderer
from torchdoctor.knowledge import Knowledge
from torchdoctor.redaction.redaction import Identity, redact
from torchdoctor.report import Report

PUBLIC = (
    "Ubuntu", "Ubuntu-22.04", "ubuntu-24.04", "Debian", "kali-linux", "openSUSE-Tumbleweed", "openSUSE-Leap-15.6",
    "SUSE-Linux-Enterprise-15-SP6", "OracleLinux_9_1", "AlmaLinux-9", "FedoraLinux-42", "archlinux", "docker-desktop",
    "docker-desktop-data", "podman-machine-default",
)  # fmt: skip
OWN = ("quuxbuntu", "globexo-ml", "Ubuntu-globexo", "Ubuntu22.quux", "Debian_rosalind", "globexo")
PLACES = (
    r"\\wsl.localhost\{}\opt\x", r"\\wsl$\{}\opt\x", "//wsl.localhost/{}/opt/x", r"\\\\wsl$\\{}\\opt", "WSL_DISTRO_NAME={}",
    "'WSL_DISTRO_NAME': '{}'", "wsl -d {} python x.py", "wsl --distribution {}", "wsl.exe --unregister {}", r"wsl --import {} C:\x y.tar",
)  # fmt: skip


def _redact(text: str) -> str:
    return redact(text, Identity())


@pytest.mark.parametrize("place", PLACES)
def test_hides_distributions_that_no_list_has(place: str) -> None:
    assert {_redact(place.format(name)) for name in OWN} == {_redact(place.format("<distribution>"))}


@pytest.mark.parametrize("place", PLACES)
def test_keeps_distributions_of_the_list(place: str) -> None:
    assert [name for name in PUBLIC if name not in _redact(place.format(name))] == []


def test_hides_the_home_in_a_distribution() -> None:
    shared = _redact(r"\\wsl.localhost\quuxbuntu\home\rosalind\project")
    assert shared == r"\\wsl.localhost\<distribution>\home\<user>\project"


@pytest.mark.parametrize("form", REPORT_FORMATS[1:])
def test_no_format_of_a_report_has_a_name(form: str, plant) -> None:
    texts = [place.format(name) for place in PLACES for name in OWN]
    report = redact(plant(Report, "\n".join(texts)), Identity(), (Knowledge,))
    shown = load_renderer(form).render(report).lower()
    assert [mark for mark in ("globexo", "quux", "rosalind") if mark in shown] == []
