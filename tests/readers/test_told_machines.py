"""What people say in a sentence of their own machine, and what they say of something else."""

import pytest

from tests.readers.conftest import check_stated as check


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "I'm trying to install torch on Windows 11 with Python 3.9 installed by using the command:",
            "system windows; python 3.9",
        ),
        ("I'm trying to install this on Windows 10 with Python 3.11.", "system windows; python 3.11"),
        (
            "Installing on Windows 11 (Python 3.12, RTX 4070) fails.",
            "system windows; python 3.12; gpu RTX 4070",
        ),
        (
            "I attempted to use it with the latest PyTorch nightly (2.6.0.dev20241112+cu121).",
            "torch 2.6.0.dev20241112+cu121",
        ),
        (
            "I'm using the nightly build of torch (2.7.0.dev20250310+cu128) on my 5090.",
            "torch 2.7.0.dev20250310+cu128; gpu RTX 5090",
        ),
        ("On my 4070 Ti Super it crashes", "gpu RTX 4070 Ti Super"),
        ("Got a new 5090, torch 2.6.0+cu124 does not work", "gpu RTX 5090; torch 2.6.0+cu124"),
        (
            "my env is windows 11 x64, Python 3.10.13 + torch 2.1.2+ cu11.8, GPU is old P40 24GB",
            "gpu P40; vram 24; torch 2.1.2+cu118",
        ),
        ("First I had torch 2.1.0, now torch 2.3.1", "torch 2.3.1"),
        ("PyTorch 2.1.0 w/ CUDA 12.1", "torch 2.1.0; cuda 12.1"),
        ("- torch-2.1.0+cu121", "torch 2.1.0+cu121"),
        ("- PyTorch 2.1.0 CPU only", "torch 2.1.0; cuda none"),
        ("I have PyTorch 2.1.0 CPU version", "torch 2.1.0; cuda none"),
        ("Pytorch-2.1.0, Python-3.10", "torch 2.1.0; python 3.10"),
        ("CUDA 12.4 according to nvidia-smi", "driver_cuda 12.4"),
        ("nvidia-smi says 12.4", "driver_cuda 12.4"),
        (
            "PyTorch version is 1.12.0 with py3.9_cuda11.3_cudnn8_0, which was installed via pip",
            "torch 1.12.0; cuda 11.3",
        ),
        ("It doesn't find torch==1.10.0+cu113.", "torch"),
        ("I use python 3.10, it does not find a version of torch 1.10.0", "torch; python 3.10"),
        ("torch 2.1.0 should be installed via pip", "torch"),
        ("RTX3060 12GB and i5 7200u / Intel HD620 (20GB shared)", "gpu RTX3060; vram 12"),
        ("グラフィックボードは RTX 4070 (12GB)、メモリ 32GB です。", "gpu RTX 4070; vram 12; ram 32"),
        ("그래픽카드 GTX 1070 8GB, 램 16GB 입니다.", "gpu GTX 1070; vram 8; ram 16"),
        ("이 프로그램 16GB 를 받았어요", "ram"),
        ("Win 11, 4090, 64 GB, page file 40 GB", "gpu RTX 4090; vram"),
        ("Win 7 x64 SP1, python 3.8.6 32bit", "python 3.8.6; bits 32"),
        ("Windows 10, python 3.8.6 x64", "python 3.8.6; bits 64"),
        ("python 3.11 arm64 and no wheel of torch is found", "python 3.11"),
        ("win10+pytorch0.4.1+cuda9.2", "torch 0.4.1; cuda 9.2"),
        ("I upgraded pytorch from 0.3.1 to 0.4.0.", "torch 0.4.0"),
        ("If I upgraded pytorch to 2.1.0, would it run?", "torch"),
        ("The older torch 0.4 has it as well.", "torch"),
        ("el driver es el 531.79 y uso python 3.10.9", "driver 531.79; python 3.10.9"),
        ("der Treiber ist der 552.44", "driver 552.44"),
        ("on ubuntu 24.10 with the 550.40.82 driver", "driver 550.40.82"),
        ("The card is RTX 5000", "gpu RTX 5000"),
        ("the RTX 5000 series is not for me", "gpu"),
        ("I have bought an RTX 5090 just for AI apps.", "gpu RTX 5090"),
        ("My friend bought an RTX 5090.", "gpu"),
        ("Since I put the RTX 5080 in nothing starts.", "gpu RTX 5080"),
        ("How do I install flash-attn on Windows?", "system windows"),
        ("I'm trying it on an RTX 5070 Ti (Blackwell, CUDA capability sm_120).", "gpu RTX 5070 Ti"),
        ("GPU: NVIDIA GeForce RTX 4060 Laptop GPU (8.0 GiB VRAM)", "gpu NVIDIA GeForce RTX 4060 Laptop GPU"),
        ("nvidia-smi shows CUDA 12.4 and driver 551.23", "driver_cuda 12.4; driver 551.23"),
        ("nvcc reports 12.1", "toolkit 12.1"),
        ("nvcc --version gives 11.8", "toolkit 11.8"),
        ("I have CUDA toolkit 12.1 installed", "toolkit 12.1"),
        ("CUDA 11.7 toolkit is installed", "toolkit 11.7"),
        ("I have 64 gigs of ram and a 3090", "ram 64; gpu RTX 3090"),
        ("my 2080ti", "gpu RTX 2080ti"),
        ("4070 Ti Super", "gpu RTX 4070 Ti Super"),
        ("win11 4070tisuper", "system windows; gpu RTX 4070tisuper"),
        ("显卡是3060", "gpu RTX 3060"),
        ("显卡 3080ti 驱动 531.79", "driver 531.79; gpu RTX 3080ti"),
        ("1080ti", "gpu GTX 1080ti"),
        (
            "RuntimeError: CUDA error: no kernel image is available for execution on the device\nrtx 3060ti lhr",
            "gpu rtx 3060ti",
        ),
        ("64 GB system memory", "ram 64"),
        ("32 gb RAM and 12 gb VRAM", "ram 32; vram 12"),
        ("with 16GB of system RAM", "ram 16"),
        ("内存32G，显存12G", "ram 32; vram 12"),
        ("Using conda env with Python 3.10", "origin conda; python 3.10"),
        ("In an anaconda environment, python 3.11", "origin conda; python 3.11"),
        ("(base) PS C:\\Users\\me> conda activate sd", "origin conda; system windows"),
        ("# won't work win 11 , RTX-5060ti-16GB", "system windows; gpu RTX 5060ti; vram 16"),
        ("OS -> Windows 11\nGPU -> RTX 3060\nTorch -> 2.1.0", "system windows; gpu RTX 3060; torch 2.1.0"),
        ("OS | Windows 11\nGPU | RTX 3060\nTorch | 2.1.0", "system windows; gpu RTX 3060; torch 2.1.0"),
        ("Env: Win11, py3.10, torch2.1, cu121, 4090", "python 3.10; torch 2.1; cuda 12.1; gpu RTX 4090"),
        ("[INFO] PyTorch version 2.3.0 available.", "torch 2.3.0"),
        ("print(torch.__version__)  # 2.1.0+cpu", "torch 2.1.0+cpu"),
        ("Package versions\n- torch==2.1.0+cu121\n- numpy==1.26.4", "torch 2.1.0+cu121"),
        (
            "Relevant lines from my conda file:\n  - python=3.8.5\n  - pytorch=1.11.0",
            "python 3.8.5; torch 1.11.0",
        ),
        ("(venv) D:\\app>python app.py", "origin venv; system windows"),
        ("I use a venv with Python 3.10", "origin venv; python 3.10"),
        (
            'pytorch version is "pip3 install torch torchvision torchaudio --index-url https://download.pytorch.org/whl/cu124"',
            "cuda 12.4",
        ),
        (
            "My cuda version is 11.7.1, cuDNN is 8.8.0.121, gpu is 3060laptop, but I can't run the project, which returns: -1073740791 (0xC0000409).Through debugging I found that it is so",
            "gpu RTX 3060 laptop",
        ),
        ('nvcc --version show "cuda_11.8.r11.8/compiler.31833905_0"', "toolkit 11.8"),
        (
            "Also, my GPU is NVIDIA GeForce MX130 with a 551.76 driver version.",
            "driver 551.76; gpu NVIDIA GeForce MX130",
        ),
        (
            "Unfortunately on Windows, I still have issues with 2.8.0.dev20250319+cu128.",
            "system windows; torch 2.8.0.dev20250319+cu128",
        ),
        (
            "So I use [the latest NVIDIA _**standard**_ driver](https://www.nvidia.com/x.aspx?lang=en-us), which is version `472.84`.",
            "driver 472.84",
        ),
        ("I have a _GeForce GTX 1080 Ti_ here", "gpu GeForce GTX 1080 Ti"),
        (
            "显卡是3060ti  16g，Win11，已科学上网，pytorch和cuda的版本都是12.1",
            "gpu RTX 3060ti; vram 16; system windows; cuda 12.1",
        ),
        ("我用的是GTX1650的卡，配置的pytorch为2.3.1.我下载了谷歌上的代码", "gpu GTX1650; torch 2.3.1"),
        ("Here is my local environment for it.\npython=3.11.12\ntorch=2.6.0", "python 3.11.12; torch 2.6.0"),
        (
            "# torch.cuda.is_available() returns False on GTX 1650 with torch==2.0.0+cpu",
            "torch 2.0.0+cpu; available no; gpu GTX 1650",
        ),
        ("when i run pip show torch it gives me version 2.0.1 + cu117 which is why", "torch 2.0.1+cu117"),
        ("### GPU model and memory\n\n4080 RTX", "gpu RTX 4080"),
        ("I have a Quadro RTX 5000", "gpu Quadro RTX 5000"),
        ("I installed the program on windows, using pip:", "system windows"),
        ("I am running this on windows, using cpu works.", "system windows"),
        ("OS: Windows 11, GPU: RTX 3060, RAM: 32GB", "system windows; gpu RTX 3060; ram 32"),
        ("系统：win11 显卡：RTX 3060 内存：32g", "system windows; gpu RTX 3060; ram 32"),
    ],
)
def test_own_machine(text: str, expected: str) -> None:
    check(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My friend has torch 2.1.0 and Windows 11, works for him", "torch; system"),
        ("On my other PC with an RTX 3060 it works", "gpu"),
        ("Does it support Windows 11 with Python 3.13?", "python"),
        ("torch-2.1.0-cp310-cp310-win_amd64.whl is too old", "torch"),
        ("Could I use a conda environment for it?", "origin"),
        ("You should try it in a new conda env.", "origin"),
        ("on my RTX 5000 with nightly", "gpu"),
        ("The required environment:\npython=3.11.12\ntorch=2.6.0", "python; torch"),
        ("torchvision 0.22.0.dev20250319+cu128 is missing, torch needs 2.8.0.dev20250319+cu128", "torch"),
        ("You should have torch==2.0.0+cpu", "torch"),
        ("It needs torch==2.0.0+cu118", "torch"),
        ("If I run it on windows it fails", "system"),
        ("I use it in WSL, not on Windows", "system"),
        ("I tried it on Windows and Linux", "system"),
        ("They are using it on windows", "system"),
        ("nvidia-smi should show CUDA 12.4", "driver_cuda"),
        ("print(torch.cuda.is_available())  # True", "available"),
        ("- torch==2.1.0\n- numpy==1.26.4", "torch"),
        ("Use a venv if you can.", "origin"),
    ],
)
def test_something_else(text: str, expected: str) -> None:
    check(text, expected)


SAYS_SO = (
    "torch.cuda.is_available() -> {}",
    "CUDA Available? {}",
    "torch.cuda.is_available() is returning {}",
    "torch.cuda.is_available() keeps returning {}",
    "torch.cuda.is_available() always returns {}",
    "and it returns {} when I run torch.cuda.is_available()",
    "When I run `torch.cuda.is_available()`, I get `{}`",
    "print(torch.cuda.is_available()) gives {}",
    "torch.cuda.is_available() ({})",
    "I get {} from torch.cuda.is_available()",
    "torch.cuda.is_available() was {}",
    "torch.cuda.is_available() just says {}",
    "{} from torch.cuda.is_available()",
    "cuda.is_available(): {}",
    "torch.cuda.is_available() devuelve {}",
    "torch.cuda.is_available() 返回 {}",
)


@pytest.mark.parametrize("sentence", SAYS_SO)
@pytest.mark.parametrize(("answer", "value"), [("False", "no"), ("True", "yes")])
def test_what_torch_answers(sentence: str, answer: str, value: str) -> None:
    check(sentence.format(answer), f"available {value}")


@pytest.mark.parametrize(
    "sentence",
    [
        "torch.cuda.is_available() returns True on my laptop but False here",
        "If torch.cuda.is_available() returns False, reinstall",
        "Expected torch.cuda.is_available() to return True",
        "it used to return True for torch.cuda.is_available()",
        "torch.cuda.is_available() should be True",
        "Why is it False when you run torch.cuda.is_available()?",
    ],
)
def test_what_torch_does_not_answer_here(sentence: str) -> None:
    check(sentence, "available")


def test_answer_behind_warnings() -> None:
    text = (
        ">>> torch.cuda.is_available()\n"
        "/home/me/x/lib/python3.12/site-packages/torch/cuda/__init__.py:129: UserWarning: CUDA initialization: error\n"
        "  return torch._C._cuda_getDeviceCount() > 0\nFalse"
    )
    check(text, "available no")


def test_answer_in_the_next_comment() -> None:
    text = (
        'maintainer · comment · 2024-08-11\nRun\n\npython -c "import torch; print(torch.cuda.is_available())"\n\n'
        "That'll tell you True or false.\n\nperson · comment · 2024-08-11\nFalse\n\nbut a gtx 1060 has CUDA cores"
    )
    check(text, "available no")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[INFO] base:487 - diagnostics: torch=2.11.0+cu128, torch_cuda=12.8, cuda_available=True, count=1",
            "torch 2.11.0+cu128",
        ),
        ("conda install pytorch torch=2.1.0 -c pytorch", ""),
        (
            "PyTorch version: 2.2.2\nIs debug build: False\nCUDA used to build PyTorch: Could not collect\n"
            "ROCM used to build PyTorch: N/A",
            "torch 2.2.2; cuda none",
        ),
        ("CUDA used to build PyTorch: N/A\nROCM used to build PyTorch: N/A", ""),
    ],
)
def test_what_programs_say_of_their_torch(text: str, expected: str) -> None:
    check(text, expected)
