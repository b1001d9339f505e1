"""GPU checks on a real Windows, with NVIDIA's bindings and a driver library that gives chosen answers."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.windows,
    pytest.mark.skipif(os.name == "nt", reason="would replace the driver's own library"),
]

GTX_1060 = '{"NVIDIA GeForce GTX 1060 6GB", 6, 1, 6442450944ULL, 0}'
RTX_4090 = '{"NVIDIA GeForce RTX 4090", 8, 9, 25757220864ULL, 0}'
RTX_5090 = '{"NVIDIA GeForce RTX 5090", 12, 0, 34190917632ULL, 0}'
TESLA = '{"Tesla V100-PCIE-16GB", 7, 0, 17179869184ULL, 1}'


@pytest.fixture
def install_driver(build_nvml, system_folder: Path) -> Iterator[Callable[..., None]]:
    """Return a function that puts a driver library into System32, or replaces it, until the test is over."""
    library = system_folder / "nvml.dll"

    def install(version: str, cuda: int, *cards: str, **answers: object) -> None:
        answers |= {"VERSION": f'"{version}"', "CUDA": cuda, "CARDS": ",".join(cards)}
        build_nvml(library, compiler="x86_64-w64-mingw32-gcc", **answers)

    yield install
    library.unlink(missing_ok=True)


@pytest.fixture
def cuda_site(site: Path) -> Callable[[str, str], Path]:
    """Return a function that makes the torch of `site` a CUDA build of a version."""

    def make(version: str, cuda: str) -> Path:
        (site / "torch" / "version.py").write_text(f"__version__ = '{version}'\ncuda = '{cuda}'\n")
        return site

    return make


def test_finds_an_old_driver_until_it_is_updated(find_findings, install_driver, cuda_site) -> None:
    site = cuda_site("2.8.0+cu128", "12.8")
    install_driver("472.12", 11040, RTX_4090)
    (finding,) = find_findings("driver-too-old", site=site)
    assert (finding["severity"], finding["evidence"]["driver_cuda"]) == ("error", "11.4")
    install_driver("581.29", 13000, RTX_4090)
    assert find_findings("driver-too-old", site=site) == []


@pytest.mark.parametrize(
    ("version", "cuda", "card", "driver", "index"),
    [
        ("2.9.0+cu128", "12.8", GTX_1060, "560.94", "cu126"),
        ("2.4.0+cu124", "12.4", RTX_5090, "572.16", "cu128"),
        ("2.4.0+cu124", "12.4", RTX_5090, "581.29", "cu130"),
    ],
)
def test_fix_for_an_unsupported_card_names_a_build_that_supports_it(
    find_findings, install_driver, cuda_site, version, cuda, card, driver, index
) -> None:
    install_driver(driver, 13000, card)
    (finding,) = find_findings("unsupported-gpu-arch", site=cuda_site(version, cuda))
    assert finding["fix"].partition("/whl/")[2].split()[0] == index


def test_finds_a_card_that_a_cpu_build_does_not_use(find_findings, install_driver) -> None:
    install_driver("560.94", 12060, RTX_4090)
    (finding,) = find_findings("cpu-only-build")
    assert "NVIDIA GeForce RTX 4090" in finding["message"]
    assert "--index-url https://download.pytorch.org/whl/cu126" in finding["fix"]


@pytest.mark.parametrize("age", [{}, {"OLD": 1}], ids=["new", "old"])
def test_reads_the_driver_model(run_doctor, install_driver, age) -> None:
    install_driver("560.94", 12060, TESLA, **age)
    driver = json.loads(run_doctor("facts", "--no-trials").stdout)["facts"]["nvidia_driver"]
    assert [gpu["driver_model"] for gpu in driver["gpus"]] == ["TCC"]


def test_crash_of_the_library_does_not_stop_the_scan(find_findings, install_driver, cuda_site) -> None:
    install_driver("560.94", 12060, RTX_4090, ON_INIT="*(volatile int *)0 = 0")
    assert find_findings("driver-too-old", site=cuda_site("2.8.0+cu128", "12.8")) == []
