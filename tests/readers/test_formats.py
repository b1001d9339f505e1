"""Single formats at their limits: sessions, lists, tables, prefixes."""

import pytest

from torchdoctor import read_environment
from torchdoctor.readers import Topic
from torchdoctor.readers.prefixes import strip_prefix
from torchdoctor.readers.values import find_gpu, is_gpu, is_nvidia, read_bytes

PINNED = [f"package{letter}==1.{number}" for number, letter in enumerate("abcdefgh")]


def read(text: str) -> dict[tuple[Topic, str], str]:
    return {
        (statement.topic, statement.subject): statement.value
        for environment in read_environment(text)
        for statement in environment.statements
    }


@pytest.mark.parametrize(
    ("session", "topic", "subject", "value"),
    [
        (">>> torch.__version__\n'2.1.0+cpu'", Topic.TORCH, "", "2.1.0+cpu"),
        (">>> torch.__version__\n'2.1.0+cpu'", Topic.TORCH_CUDA, "", "none"),
        (">>> torch.version.cuda\n'12.1'", Topic.TORCH_CUDA, "", "12.1"),
        (">>> print(torch.version.cuda)\nNone", Topic.TORCH_CUDA, "", "none"),
        (">>> torch.cuda.is_available()\nTrue", Topic.CUDA_AVAILABLE, "", "yes"),
        ("In [3]: torch.cuda.is_available()\nOut[3]: False", Topic.CUDA_AVAILABLE, "", "no"),
        (">>> torch.cuda.get_device_name(0)\n'NVIDIA GeForce RTX 3060'", Topic.GPU, "0", "NVIDIA GeForce RTX 3060"),
        (">>> torch.cuda.get_device_capability()\n(8, 6)", Topic.GPU_CAPABILITY, "0", "8.6"),
        (">>> torch.cuda.get_arch_list()\n['sm_50', 'sm_86', 'compute_90']", Topic.ARCHITECTURES, "", "sm_50 sm_86 compute_90"),
        (">>> sys.version\n'3.10.6 (main, Aug  1 2022) [GCC 9.4.0]'", Topic.PYTHON, "", "3.10.6"),
        (">>> sys.executable\n'C:\\\\py\\\\python.exe'", Topic.PYTHON_EXECUTABLE, "", "C:\\py\\python.exe"),
        (">>> torchvision.__version__\n'0.16.0+cpu'", Topic.PACKAGE, "torchvision", "0.16.0+cpu"),
        (">>> np.__version__\n'1.26.4'", Topic.PACKAGE, "numpy", "1.26.4"),
        (">>> print(torch.__version__, torch.cuda.is_available())\n2.1.0 True", Topic.CUDA_AVAILABLE, "", "yes"),
        (">>> print(torch.__version__); print(torch.version.cuda)\n2.1.0\n12.1", Topic.TORCH_CUDA, "", "12.1"),
    ],
)  # fmt: skip
def test_answers_of_a_session(session: str, topic: Topic, subject: str, value: str) -> None:
    assert read(session).get((topic, subject)) == value


@pytest.mark.parametrize(
    "session",
    [
        ">>> torch.__version__ == '2.1.0'\nTrue",
        ">>> x = torch.cuda.is_available()\n>>> 1 + 1\n2",
        ">>> import torch\nTraceback (most recent call last):",
        ">>> torch.version.cuda\nAttributeError: version",
        ">>> torch.cuda.get_device_name(0)\nRuntimeError: no device",
    ],
)
def test_no_answer_is_made_up(session: str) -> None:
    assert [each.statements for each in read_environment(session)] == []


def test_the_banner_of_python() -> None:
    found = read(
        "Python 3.9.13 (tags/v3.9.13:6de2ca5, May 17 2022, 16:24:45) [MSC v.1929 32 bit (Intel)] on win32"
    )
    assert found[Topic.PYTHON, ""] == "3.9.13"
    assert (found[Topic.PYTHON_BITS, ""], found[Topic.PYTHON_MACHINE, ""]) == ("32", "x86")
    assert found[Topic.SYSTEM, ""] == "windows"


def test_a_banner_of_conda() -> None:
    found = read("Python 3.7.6 |Anaconda, Inc.| (default, Jan  8 2020, 20:23:39) [MSC v.1916 64 bit (AMD64)]")
    assert found[Topic.PYTHON_ORIGIN, ""] == "conda"


@pytest.mark.parametrize(
    ("text", "is_list"),
    [
        ("\n".join(PINNED), True),
        ("\n".join(PINNED[:7]), False),
        ("\n".join(reversed(PINNED)), False),
        ("pip install -r requirements.txt\n" + "\n".join(PINNED), False),
        ("> pip freeze\n" + "\n".join(PINNED[:2]), True),
        ("I ran pip freeze > requirements.txt and changed it\n" + "\n".join(PINNED[:2]), False),
        ("> pip freeze\nnothing of it\n" + "\n".join(PINNED[:2]), False),
    ],
)
def test_a_frozen_list(text: str, is_list: bool) -> None:
    assert ((Topic.PACKAGE, "packagea") in read(text)) == is_list


def test_only_the_output_of_freeze_is_complete() -> None:
    assert (Topic.COMPLETE_LIST, "pip") in read("> pip freeze\n" + "\n".join(PINNED))
    assert (Topic.COMPLETE_LIST, "pip") not in read("\n".join(PINNED))


def test_what_xformers_was_built_for_is_not_what_is_there() -> None:
    found = read(
        "xFormers was built for:\n    PyTorch 2.0.1+cu118 with CUDA 1108 (you have 2.1.0+cpu)\n"
        "    Python  3.10.11 (you have 3.10.6)"
    )
    assert (found[Topic.TORCH, ""], found[Topic.PYTHON, ""]) == ("2.1.0+cpu", "3.10.6")


def test_two_versions_of_cuda_in_one_sentence() -> None:
    found = read(
        "RuntimeError: The detected CUDA version (12.4) mismatches the version that was used to compile PyTorch (11.8)."
    )
    assert (found[Topic.TOOLKIT, ""], found[Topic.TORCH_CUDA, ""]) == ("12.4", "11.8")


def test_a_wheel_in_a_frozen_list() -> None:
    line = "torch @ https://download.pytorch.org/whl/cu121/torch-2.1.0%2Bcu121-cp310-cp310-win_amd64.whl"
    assert read(f"> pip freeze\n{line}")[Topic.TORCH, ""] == "2.1.0+cu121"


def test_the_end_of_a_pip_list() -> None:
    found = read(
        "Package  Version\n-------- -------\nnumpy    1.26.4\n\nThen I ran it again:\nscipy 1.2.0 failed"
    )
    assert (Topic.PACKAGE, "numpy") in found
    assert (Topic.PACKAGE, "scipy") not in found


def test_a_package_of_pip_in_a_list_of_conda() -> None:
    found = read(
        "# packages in environment at C:\\c\\envs\\a:\n#\n"
        "pytorch  2.2.0  py3.11_cuda12.1_cudnn8_0  pytorch\nnumpy  1.26.4  pypi_0  pypi\n"
    )
    assert found[Topic.TORCH_CUDA, ""] == "12.1"
    assert (Topic.PACKAGE, "numpy") in found
    assert (Topic.CONDA_PACKAGE, "pytorch") in found


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("[2024-11-06 23:40:38.512] ** Platform: Windows", "** Platform: Windows"),
        ("2024-10-19 01:10:47,703 - root - INFO - pytorch version: 2.4", "pytorch version: 2.4"),
        ("2025-10-21T21:59:21.5 - ** Platform:2025-10-21T21:59:21.5 -  2025-10-21T21:59:21.5 - Windows", "** Platform: Windows"),
        ("> > OS: Windows", "OS: Windows"),
        (">>> torch.__version__", ">>> torch.__version__"),
        ("10:11:12 INFO     Torch 2.1", "Torch 2.1"),
        ("12.1 is the version: yes", "12.1 is the version: yes"),
        ("plain: line", "plain: line"),
    ],
)  # fmt: skip
def test_prefixes_of_lines(line: str, rest: str) -> None:
    assert strip_prefix(line).replace(" ", "") == rest.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "gib"),
    [
        ("32,606 MB", 32), ("32.606 MB", 32), ("15,9 Go", 16), ("31.93 GB", 32), ("64GB", 64), ("16305 MB", 16),
        ("16 ГБ", 16), ("63.7", 64), ("none", None),
    ],
)  # fmt: skip
def test_sizes(text: str, gib: int | None) -> None:
    size = read_bytes(text, "GB" if text == "63.7" else "")
    assert (None if size is None else round(size / 2**30)) == gib


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("MSI GeForce RTX 4060 Ti VENTUS 2X (16G)", "GeForce RTX 4060 Ti"),
        ("NVIDIA RTX A4000, 16 GB", "RTX A4000"),
        ("an NVIDIA A100-SXM4-80GB", "NVIDIA A100"),
        ("RTX 30600", None),
        ("my card", None),
    ],
)
def test_the_name_of_a_card(text: str, name: str | None) -> None:
    found = find_gpu(text)
    assert (found is None) == (name is None)
    assert name is None or name.split()[-1] in str(found)


def test_makers() -> None:
    assert is_nvidia("GeForce GTX 1080") and not is_nvidia("AMD Radeon RX 6600")
    assert is_gpu("AMD Radeon RX 6600") and is_gpu("Intel(R) UHD Graphics 630") and not is_gpu("DirectX 12")


def test_rows_of_nvidia_smi_have_their_own_memory() -> None:
    found = read(
        "| NVIDIA-SMI 531.79                 Driver Version: 531.79       CUDA Version: 12.1     |\n"
        "|   0  NVIDIA GeForce RTX 3060       WDDM | 00000000:01:00.0  On |                  N/A |\n"
        "|  0%   40C    P8     9W / 170W |    700MiB / 12288MiB |      2%      Default |\n"
        "|   1  Tesla T4                       TCC | 00000000:02:00.0 Off |                    0 |\n"
        "| N/A   40C    P8     9W /  70W |      0MiB / 15360MiB |      0%      Default |\n"
    )
    assert [round(int(found[Topic.GPU_MEMORY, number]) / 2**30) for number in "01"] == [12, 15]
    assert [found[Topic.GPU_MODEL, number] for number in "01"] == ["WDDM", "TCC"]
    assert (found[Topic.DRIVER, ""], found[Topic.DRIVER_CUDA, ""]) == ("531.79", "12.1")


def test_far_from_a_report_a_label_is_written_by_hand() -> None:
    lines = ["Is debug build: False", *["text"] * 25, "GPU: RTX 3060"]
    near, far = ("\n".join(lines[cut:]) for cut in (0, 0))
    far = far.replace("text", "text\ntext")
    for text, is_printed in ((near.replace("text\n", "", 1), True), (far, False)):
        (environment,) = read_environment(text)
        statement = environment.find(Topic.GPU, "0")
        assert statement is not None and statement.is_printed == is_printed


@pytest.mark.parametrize(
    ("line", "topic", "subject", "value"),
    [
        ("PyTorch build: 2.1.0", Topic.TORCH, "", "2.1.0"),
        ("versión de PyTorch: 2.1.0", Topic.TORCH, "", "2.1.0"),
        ("PyTorch (CUDA): 2.1.0", Topic.TORCH, "", "2.1.0"),
        ("Current Python version: 3.10.6", Topic.PYTHON, "", "3.10.6"),
        ("NVIDIA-Treiber bei der Messung: 551.23", Topic.DRIVER, "", "551.23"),
        ("installed transformers version: 4.40.0", Topic.PACKAGE, "transformers", "4.40.0"),
        ("Karta graficzna: RTX 3070", Topic.GPU, "0", "RTX 3070"),
        ("GPU & driver: RTX 3070, driver 551.23", Topic.DRIVER, "", "551.23"),
        ("PyTorch / torchaudio: 2.1.0 / 2.1.1", Topic.PACKAGE, "torchaudio", "2.1.1"),
        ("#Numpy version: 1.24.3", Topic.PACKAGE, "numpy", "1.24.3"),
    ],
)
def test_words_around_a_label(line: str, topic: Topic, subject: str, value: str) -> None:
    assert read(f"torch here\n{line}").get((topic, subject)) == value


@pytest.mark.parametrize(
    "text",
    [
        "required Python: 3.10.6",
        "PyTorch (required): 2.1.0",
        "minimum GPU: RTX 3060",
        "Python in the base environment: 3.12.1",
        "old torch: 2.1.0",
        "PyTorch Lightning: 2.1.0",
        "Python/torch version: 3.10.6",
        "## Requirements\n\n- numpy: 1.26.4\n- torch: 2.1.0+cu121",
        "Prerequisites:\n\n* Python: 3.10.6\n* torch: 2.1.0+cu121",
        "**Minimum configuration**\n- torch: 2.1.0\n- GPU: RTX 3060",
        "## 环境要求\n- torch: 2.1.0\n- Python: 3.10.6",
        "The output should be:\n```\nPyTorch version: 2.1.0+cu121\n```",
        "输出示例\n\n```text\ntorch: 2.1.0+cu121\nPython: 3.10.6\n```",
    ],
)
def test_what_is_needed_or_expected_is_not_there(text: str) -> None:
    found = read(text)
    assert not {topic for topic, _ in found} & {Topic.TORCH, Topic.PYTHON, Topic.GPU}


def test_a_form_that_asks_for_required_information_is_read() -> None:
    assert read("### Required information\n- torch: 2.1.0")[Topic.TORCH, ""] == "2.1.0"
    assert read("Requirements:\n- numpy: 1.26\n\nMy setup:\n- torch: 2.1.0")[Topic.TORCH, ""] == "2.1.0"
    assert (
        read("As wanted:\n```\ntorch: 2.1.0\n```\nIt should print nothing else.")[Topic.TORCH, ""] == "2.1.0"
    )


def test_a_session_that_lost_its_line_ends() -> None:
    found = read(
        "It crashes. >>> import torch >>> torch.cuda.is_available() True >>> torch.__version__ '2.5.1+cu121' >>> exit()"
    )
    assert found[Topic.TORCH, ""] == "2.5.1+cu121"
    assert found[Topic.CUDA_AVAILABLE, ""] == "yes"


def test_html() -> None:
    found = read("<table><tr><td>torch</td><td>2.5.1</td></tr></table><p>GPU: RTX 3060<br>Python: 3.10.6</p>")
    assert found[Topic.TORCH, ""] == "2.5.1"
    assert (found[Topic.GPU, "0"], found[Topic.PYTHON, ""]) == ("RTX 3060", "3.10.6")


@pytest.mark.parametrize(
    ("line", "cuda", "available", "card"),
    [
        ("torch: 2.5.1+cu124 cuda: False", "12.4", "no", None),
        ("2.5.1+cu124 12.4 True", "12.4", "yes", None),
        ("torch 2.5.1+cu124 | CUDA 12.4 | available True | NVIDIA GeForce RTX 3060", "12.4", "yes", "NVIDIA GeForce RTX 3060"),
        ("torch 2.5.1 None False", None, "no", None),
        ("torch=2.5.1+cpu, cuda.is_available()=False", "none", "no", None),
    ],
)  # fmt: skip
def test_what_a_script_prints_in_a_line(
    line: str, cuda: str | None, available: str, card: str | None
) -> None:
    found = read(line)
    assert found.get((Topic.TORCH_CUDA, "")) == cuda
    assert found[Topic.CUDA_AVAILABLE, ""] == available
    assert found.get((Topic.GPU, "0")) == card


def test_fields_that_nvidia_smi_was_asked_for() -> None:
    found = read('-> "NVIDIA RTX PRO 3000 Laptop GPU, 595.79, 12227 MiB, 12.0"')
    assert found[Topic.GPU, "0"] == "NVIDIA RTX PRO 3000 Laptop GPU"
    assert found[Topic.GPU_MEMORY, "0"] == str(12227 << 20)
    assert (found[Topic.DRIVER, ""], found[Topic.GPU_CAPABILITY, "0"]) == ("595.79", "12.0")
    assert read("a card such as the NVIDIA GeForce RTX 3060, with more, or less, than 10 MiB") == {}


def test_the_driver_in_the_numbers_of_windows() -> None:
    found = read(
        "> Get-CimInstance Win32_VideoController | Select Name, DriverVersion\n\n"
        "Name                           DriverVersion\n----                           -------------\n"
        "NVIDIA GeForce RTX 3050        32.0.15.6078\nIntel(R) Iris(R) Xe Graphics   32.0.101.5763\n"
    )
    assert found[Topic.DRIVER, ""] == "560.78"
    assert found[Topic.GPU, "1"] == "Intel(R) Iris(R) Xe Graphics"
    assert (
        read("Card name: NVIDIA GeForce RTX 3050\n  Driver Version: 31.0.15.3623")[Topic.DRIVER, ""]
        == "536.23"
    )
    assert (Topic.DRIVER, "") not in read(
        "Card name: Intel(R) HD Graphics 530\n  Driver Version: 20.19.15.4568"
    )


def test_two_packages_that_pip_complains_of_in_a_line() -> None:
    found = read(
        "a-tts 0.1.2 requires torch==2.6.0, but you have torch 2.7.0 which is incompatible. "
        "a-tts 0.1.2 requires torchaudio==2.6.0, but you have torchaudio 2.7.1 which is incompatible."
    )
    assert found[Topic.TORCH, ""] == "2.7.0"
    assert (found[Topic.PACKAGE, "torchaudio"], found[Topic.PACKAGE, "a-tts"]) == ("2.7.1", "0.1.2")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('"D:/ai/venv/Scripts/python.exe" -m pip list', "D:/ai/venv/Scripts/python.exe"),
        ("C:\\ai>C:\\ai\\venv\\Scripts\\python.exe train.py", "C:\\ai\\venv\\Scripts\\python.exe"),
        ("$ /opt/venv/bin/python -c 'import torch'", "/opt/venv/bin/python"),
        ("- `E:\\Python311\\python.exe` -- works", None),
        ("/usr/bin/python3 -m pip list", None),
        ("C:\\a\\python.exe -m pip list\nC:\\b\\python.exe -m pip list", None),
    ],
)
def test_the_python_of_a_command(text: str, path: str | None) -> None:
    assert read(f"torch\n{text}").get((Topic.PYTHON_EXECUTABLE, "")) == path


def test_a_comment_below_a_command_is_weaker_than_its_output() -> None:
    text = '.\\venv\\Scripts\\python.exe -c "import torch; print(torch.__version__)"\n'
    (environment,) = read_environment(f"{text}# Output: 2.2.0+cpu")
    statement = environment.find(Topic.TORCH)
    assert statement is not None
    assert (statement.value, statement.is_printed, statement.line) == ("2.2.0+cpu", False, 2)


@pytest.mark.parametrize(
    ("rocm", "version", "cuda"),
    [("N/A", "2.5.1", "none"), ("6.1.40091", "2.5.1", None), ("N/A", "2.5.1+xpu", None)],
)
def test_a_report_of_torch_without_cuda(rocm: str, version: str, cuda: str | None) -> None:
    report = (
        f"PyTorch version: {version}\nCUDA used to build PyTorch: None\nROCM used to build PyTorch: {rocm}\n"
    )
    assert read(report).get((Topic.TORCH_CUDA, "")) == cuda


def test_the_bits_behind_a_version_of_python() -> None:
    assert read("| Python | 3.9.13 64位 |")[Topic.PYTHON_BITS, ""] == "64"
    assert read("Python: 3.9.13 (32-bit)")[Topic.PYTHON_BITS, ""] == "32"


@pytest.mark.parametrize(
    ("text", "build"),
    [
        ("OS: Windows 11 23H2 (22631.3880)", "22631"),
        ("OS: Windows 11 24H2 build 26100", "26100"),
        ("| Component | Version |\n|---|---|\n| Windows | 11 Pro (26100) |\n| Python | 3.12.4 |", "26100"),
        ("系统：Windows 10 内部版本 19045.4529", "19045"),
        ("OS: Windows 11 (64 bit)", None),
        ("OS: Ubuntu 22.04 (12345)", None),
    ],
)
def test_builds_of_windows_as_people_write_them(text: str, build: str | None) -> None:
    assert read(text).get((Topic.WINDOWS_BUILD, "")) == build


def test_rows_that_somebody_searched_for() -> None:
    found = read(
        "> conda list | findstr torch\npytorch   2.1.0   py3.10_cuda12.1_cudnn8_0   pytorch\n\n"
        "> pip freeze | findstr numpy\nnumpy==2.0.1\n"
    )
    assert (found[Topic.TORCH, ""], found[Topic.TORCH_CUDA, ""]) == ("2.1.0", "12.1")
    assert found[Topic.PACKAGE, "numpy"] == "2.0.1"
    assert (Topic.COMPLETE_LIST, "pip") not in found


def test_total_memory_among_the_properties_of_a_card() -> None:
    found = read(
        "Device Name: NVIDIA GeForce RTX 4090\nCompute Capability: 8.9\nTotal Memory: 24.0 GB\n\n"
        "Computer\n\nGPU: RTX 4090\nTotal Memory: 64 GB"
    )
    assert found[Topic.GPU_MEMORY, "0"] == str(24 << 30)
    assert found[Topic.MEMORY, ""] == str(64 << 30)


def test_a_table_of_nvidia_smi_that_lost_its_line_ends() -> None:
    found = read(
        "NVIDIA-SMI 546.33 Driver Version: 546.33 CUDA Version: 12.3 | 0 NVIDIA GeForce RTX 3060 WDDM |"
        " 00000000:01:00.0 On | N/A | | 0% 45C P8 15W / 170W | 1024MiB / 12288MiB |"
    )
    assert (found[Topic.GPU, "0"], found[Topic.GPU_MEMORY, "0"]) == (
        "NVIDIA GeForce RTX 3060",
        str(12288 << 20),
    )


def test_json_in_a_line() -> None:
    found = read(
        '{"torch": "2.5.1+cu124", "gpu": "NVIDIA GeForce RTX 4090", "python": "3.11.9", "gpu_vram_gb": 24.0}'
    )
    assert (found[Topic.TORCH, ""], found[Topic.PYTHON, ""]) == ("2.5.1+cu124", "3.11.9")
    assert found[Topic.GPU_MEMORY, "0"] == str(24 << 30)


def test_a_card_behind_the_word_that_cuda_is_there() -> None:
    found = read("torch 2.5.1\nCUDA available: NVIDIA GeForce RTX 4090 (24.0 GB)")
    assert found[Topic.CUDA_AVAILABLE, ""] == "yes"


@pytest.mark.parametrize(
    "columns",
    [("Installed", "Required"), ("Current", "Minimum"), ("Now", "Before"), ("当前", "之前")],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_the_column_of_a_table_with_what_is_there(columns: tuple[str, str], *, is_first: bool) -> None:
    order = (0, 1) if is_first else (1, 0)
    rows = [
        ("Package", columns),
        ("---", ("---", "---")),
        ("torch", ("2.9.0+cu126", "2.4.0+cu118")),
        ("numpy", ("2.3.4", "1.26.4")),
    ]
    text = "\n".join(f"| {name} | {cells[order[0]]} | {cells[order[1]]} |" for name, cells in rows)
    found = read(text)
    assert (found[Topic.TORCH, ""], found[Topic.PACKAGE, "numpy"]) == ("2.9.0+cu126", "2.3.4")


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 8.00 GiB total capacity; 6.1 GiB used)",
        "CUDA out of memory. Tried to allocate 128.00 MiB. GPU 0 has a total capacity of 8.00 GiB of which 0 bytes is free.",
        "CUDA out of memory. Tried to allocate 128.00 MiB. GPU 0 has a total capacty of 8.00 GiB of which 0 bytes is free.",
    ],
)
def test_the_memory_of_a_card_that_is_full(line: str) -> None:
    assert read(line) == {(Topic.GPU_MEMORY, "0"): str(8 << 30)}


def test_a_mismatch_of_versions_over_the_end_of_a_line() -> None:
    found = read(
        "The detected CUDA version (12.6) mismatches the version that was used to compile\nPyTorch (11.8). Please"
    )
    assert (found[Topic.TOOLKIT, ""], found[Topic.TORCH_CUDA, ""]) == ("12.6", "11.8")


@pytest.mark.parametrize(
    ("line", "topic", "subject", "value"),
    [
        ("| `torch.__version__` | 2.7.1+cu118 |", Topic.TORCH, "", "2.7.1+cu118"),
        ("| `nvidia-smi` | RTX 4070, driver 566.36, CUDA 12.7 |", Topic.DRIVER_CUDA, "", "12.7"),
        ("capability: (12, 0)", Topic.GPU_CAPABILITY, "0", "12.0"),
        ("GPU: RTX 5070 Ti Laptop, 12 GB, SM 12.0", Topic.GPU_CAPABILITY, "0", "12.0"),
        ("* transformers — 4.57.1", Topic.PACKAGE, "transformers", "4.57.1"),
        ("Here: Python 3.12.10, no NVIDIA GPU, 16 GB RAM", Topic.PYTHON, "", "3.12.10"),
        ("GPU RTX 4090 / VRAM 24.0 GB", Topic.GPU_MEMORY, "0", str(24 << 30)),
    ],
)
def test_lines_of_notes(line: str, topic: Topic, subject: str, value: str) -> None:
    assert read(f"torch\n{line}").get((topic, subject)) == value


def test_a_number_behind_the_name_of_a_card() -> None:
    found = read(">>> print(torch.cuda.get_device_name(0), memory)\nNVIDIA GeForce RTX 3080 10.737")
    assert found[Topic.GPU, "0"] == "NVIDIA GeForce RTX 3080"
