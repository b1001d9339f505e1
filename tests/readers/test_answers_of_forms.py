"""What people answer in the fields of a form: several values in one, words around a version, brackets, WSL."""

import pytest

from tests.readers.conftest import check_stated as check


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OS [e.g. iOS]: Windows 11", "system windows"),
        ("- OS: [e.g. iOS] Windows 11", "system windows"),
        ("OS (e.g., Linux): Windows 10", "system windows"),
        ("- GPU: [RTX 3090]", "gpu RTX 3090"),
        ("Python version [e.g. 3.10]: 3.10.11", "python 3.10.11"),
        ("GPU: [e.g. RTX 3090] RTX 3060", "gpu RTX 3060"),
        ("GPU: (e.g. RTX 3090) RTX 3060", "gpu RTX 3060"),
        ("- Python version: [e.g. 3.8] 3.10.6", "python 3.10.6"),
        # Nobody has answered.
        ("GPU: [e.g. RTX 3090]", "gpu"),
        ("OS: [e.g. Windows 11]", "system"),
        ("PyTorch version [e.g. 2.0.1]:", "torch"),
    ],
)
def test_example_of_a_form_is_no_answer(text: str, expected: str) -> None:
    check(text, expected)


JOINTS = ((" / ", " / "), ("/", "/"), (" & ", ", "), (" and ", " and "), (", ", ", "), (" + ", " + "))


@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize(
    ("labels", "values", "expected"),
    [
        (("GPU", "driver"), ("RTX 3060", "551.23"), "gpu RTX 3060; driver 551.23"),
        (("Python", "PyTorch versions"), ("3.10.6", "2.1.0"), "python 3.10.6; torch 2.1.0"),
        (("PyTorch", "CUDA version"), ("2.1.0", "11.8"), "torch 2.1.0; cuda 11.8"),
        (("Driver", "CUDA"), ("551.23", "12.4"), "driver 551.23; driver_cuda 12.4"),
        (("GPU", "VRAM"), ("RTX 3060", "12GB"), "gpu RTX 3060; vram 12"),
        (("CPU", "GPU", "RAM"), ("i5-12400", "RTX 3060", "32GB"), "gpu RTX 3060; ram 32"),
        # Of a toolkit beside a library, it is not known which one is meant.
        (("CUDA", "cuDNN"), ("11.8", "8.7"), "cuda; toolkit; driver_cuda"),
    ],
)
def test_labels_with_several_values(
    joint: tuple[str, str], labels: tuple[str, ...], values: tuple[str, ...], expected: str
) -> None:
    check(f"- {joint[0].join(labels)}: {joint[1].join(values)}", expected)


@pytest.mark.parametrize("label", ["PyTorch", "- torch version", "**Torch**"])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2.1.0 (CUDA 12.1)", "torch 2.1.0; cuda 12.1"),
        ("2.1.0, CUDA: 12.1", "torch 2.1.0; cuda 12.1"),
        ("2.1.0 | CUDA 12.1", "torch 2.1.0; cuda 12.1"),
        ("2.1.0 with CUDA 11.8", "torch 2.1.0; cuda 11.8"),
        ("2.1.0 cu121", "torch 2.1.0; cuda 12.1"),
        ("2.1.0 (pip, cu121)", "torch 2.1.0; cuda 12.1"),
        ("2.1.0 CPU", "torch 2.1.0; cuda none"),
        ("2.1.0 (cpu)", "torch 2.1.0; cuda none"),
        ("2.1.0, CPU-only build", "torch 2.1.0; cuda none"),
        ("v2.1.0", "torch 2.1.0; cuda"),
        ("torch==2.1.0", "torch 2.1.0; cuda"),
        ("torch-2.1.0", "torch 2.1.0; cuda"),
        ("stable 2.1.0", "torch 2.1.0; cuda"),
        ("nightly 2.7.0.dev20250310+cu128", "torch 2.7.0.dev20250310+cu128; cuda 12.8"),
        ("torch-2.7.0+cu128-cp313-cp313-win_amd64.whl", "torch 2.7.0+cu128; cuda 12.8; python 3.13"),
        # What torch runs on is not what it is built for.
        ("2.1.0 on CPU", "torch 2.1.0; cuda"),
        ("2.1.0 (CPU/GPU)", "torch 2.1.0; cuda"),
    ],
)
def test_words_around_the_version_of_torch(label: str, value: str, expected: str) -> None:
    check(f"{label}: {value}", expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Python: 3.10.12 (conda)", "python 3.10.12; origin conda"),
        ("Python: Anaconda 3.10", "python 3.10; origin conda"),
        ("Python: Miniconda 3.10.12", "python 3.10.12; origin conda"),
        ("Python: 3.10.12 from conda-forge", "python 3.10.12; origin conda"),
        ("Python: CPython 3.10.6 64-bit", "python 3.10.6; bits 64; origin"),
        ("Python: embedded 3.11.9", "python 3.11.9; origin"),
        ("Python: Microsoft Store 3.11.9", "python 3.11.9"),
        ("Python: python-3.10.6", "python 3.10.6"),
        ("Environment: conda, Python 3.10", "python 3.10; origin conda"),
        ("Package manager: conda", "origin conda"),
        ("How you installed PyTorch (`conda`, `pip`, source): conda", "origin conda"),
        ("How you installed PyTorch (`conda`, `pip`, source): pip", "origin"),
        ("Environment: venv, not conda", "origin venv"),
        ("Python: 3.10.x", "python"),
    ],
)
def test_words_around_the_version_of_python(text: str, expected: str) -> None:
    check(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Driver: Game Ready Driver 551.23", "driver 551.23"),
        ("GPU driver: GeForce Game Ready 551.23 WHQL", "driver 551.23"),
        ("Driver: latest (551.23)", "driver 551.23"),
        ("Driver: NVIDIA 551.23 (reports CUDA 12.4)", "driver 551.23; driver_cuda 12.4"),
        # It may be that of another thing.
        ("Driver: 551.23, CUDA 12.1", "driver 551.23; driver_cuda"),
        ("NVIDIA Driver: >= 551.23", "driver"),
        ("CUDA Driver Version: 12.4", "driver_cuda 12.4"),
        ("CUDA reported from nvidia-smi: 12.4", "driver_cuda 12.4"),
        ("CUDA version shown in nvidia-smi: 12.4", "driver_cuda 12.4"),
        ("CUDA max supported by driver: 12.4", "driver_cuda 12.4"),
        ("CUDA: 12.4 (nvidia-smi), 12.1 (nvcc)", "driver_cuda 12.4; toolkit 12.1"),
        ("nvidia-smi: 551.23", "driver 551.23"),
        ("nvidia-smi: Driver 551.23 / CUDA 12.4", "driver 551.23; driver_cuda 12.4"),
        ("nvidia-smi output:\nCUDA Version: 13.0\nDriver Version: 581.80", "driver_cuda 13.0; driver 581.80"),
        ("**nvidia-smi:**\n```\nDriver Version: 551.23\nCUDA Version: 12.4\n```", "driver_cuda 12.4"),
        (
            "NVIDIA-SMI version  : 551.23\nDRIVER version      : 551.23\nCUDA Version        : 12.4",
            "driver_cuda 12.4",
        ),
        ("Run `nvidia-smi` first.\n\nCUDA Version: 12.1", "driver_cuda"),
        ("nvcc --version: 12.1", "toolkit 12.1"),
        ("nvcc -V: 12.1", "toolkit 12.1"),
        ("CUDA used by torch: 12.1", "cuda 12.1"),
        ("PyTorch compiled with CUDA: 12.1", "cuda 12.1"),
        ("PyTorch (CUDA): 2.1.0", "torch 2.1.0; cuda"),
        ("cuda.is_available(): False", "available no"),
    ],
)
def test_what_a_cuda_version_is_of(text: str, expected: str) -> None:
    check(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RAM: 2x16GB DDR4", "ram 32"),
        ("RAM: 4 x 8 GB", "ram 32"),
        ("RAM: 32", "ram 32"),
        ("RAM: 32 GB (2x16)", "ram 32"),
        ("Ram : 16 go", "ram 16"),
        ("VRAM: 12", "vram 12"),
        ("VRAM: 8GB of 12GB used", "vram 12"),
        ("GPU: 1x RTX 4090", "gpu RTX 4090"),
        ("GPU: AMD Radeon RX 6700 XT", "gpu AMD Radeon RX 6700 XT"),
        ("GPU: P40 24GB", "gpu P40; vram 24"),
        ("GPU: GeForce 1650", "gpu GeForce 1650"),
    ],
)
def test_sizes_and_counts(text: str, expected: str) -> None:
    check(text, expected)


@pytest.mark.parametrize(
    "answer",
    [
        "Windows 11, WSL2 Ubuntu 22.04", "Windows 11 (WSL2)", "Windows (WSL)", "Windows 10 WSL 2 Ubuntu", "WSL2",
        "Windows 11 + WSL2 Ubuntu 22.04", "Windows 11 with WSL2", "Windows/WSL2 Ubuntu", "WSL2 on Windows 11",
        "Ubuntu 22.04 (WSL2)", "Windows Subsystem for Linux 2",
    ],
)  # fmt: skip
def test_wsl_is_linux(answer: str) -> None:
    check(f"- OS: {answer}", "system linux")


@pytest.mark.parametrize(
    "answer", ["Windows 11 (no WSL)", "Windows 11, without WSL", "Windows (not WSL2)", "Windows 11 native, no WSL"]
)  # fmt: skip
def test_without_wsl_it_is_windows(answer: str) -> None:
    check(f"- OS: {answer}", "system windows")


FORMS = (
    "### Windows Version\n\n{windows}\n\n### WSL Version\n\n{wsl}\n\n### Distro Version\n\nUbuntu 22.04",
    "### Windows build number\n\n{windows}\n\n### Your distribution version\n\n22.04\n\n"
    "### Are you using WSL 1 or WSL 2?\n\n- [X] WSL 2\n- [ ] WSL 1",
    "Windows version: {windows}\nWSL version: 2.1.5.0\nKernel version: 5.15.146.1-2",
    "WSL version: 2.1.5.0\nKernel version: 5.15.146.1-2\nWSLg version: 1.0.60\nWindows version: {windows}",
    "WSL バージョン: 2.1.5.0\nカーネル バージョン: 5.15.146.1-2\nWindows バージョン: {windows}",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("windows", ["10.0.22621.1", "Microsoft Windows [Version 10.0.22621.1]"])
@pytest.mark.parametrize("wsl", ["WSL 2", "2.0.9.0", "- [x] WSL 2\n- [ ] WSL 1", "2"])
def test_form_about_wsl(form: str, windows: str, wsl: str) -> None:
    check(form.format(windows=windows, wsl=wsl), "system linux")


@pytest.mark.parametrize("answer", ["N/A", "not used", "none", "- [ ] WSL 2\n- [ ] WSL 1"])
def test_form_of_somebody_without_wsl(answer: str) -> None:
    check(
        f"### Windows Version\n\nWindows 11\n\n### WSL Version\n\n{answer}\n\n### GPU\n\nRTX 3060",
        "system windows",
    )


def test_report_of_linux_in_a_text_about_wsl() -> None:
    text = (
        "torch does not find my card in WSL. I'm on `Microsoft Windows [Version 10.0.19044.2251]`.\n\n"
        "Python 3.12.3 (main, Feb  4 2025, 14:48:35) [GCC 13.3.0] on linux"
    )
    check(text, "system linux")
