"""The first steps of an answer are those that cure what the text shows."""

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain

KNOWLEDGE, _ = load_knowledge()
CUDA_10 = "The current PyTorch install supports CUDA capabilities sm_37 sm_60 sm_70 sm_75 compute_37."
RTX_4060 = "RTX 4060 with CUDA capability sm_89 is not compatible with the current PyTorch installation."
RTX_5080 = "RTX 5080 with CUDA capability sm_120 is not compatible with the current PyTorch installation."
K1 = "Found GPU0 GRID K1 which is of cuda capability 3.0.\nPyTorch no longer supports this GPU because it is too old."

NO_CUDA = "AssertionError: Torch not compiled with CUDA enabled"
OOM = "CUDA out of memory. Tried to allocate 96.00 MiB (GPU 0; {} GiB total capacity; {} already allocated; 0 bytes free)"
LOADING = 'File "D:\\torch\\serialization.py", line 155, in default_restore_location'
LOW_USAGE = "CUDA out of memory. Tried to allocate 14.00 MiB. GPU 0 has a total capacty of 6.00 GiB of which 3.55 GiB is free."
OMP = "OMP: Error #15: Initializing libiomp5md.dll, but found libiomp5md.dll already initialized."
CPM = 'File "C:\\v\\Lib\\site-packages\\cpm_kernels\\library\\cuda.py", line 7, in <module>\n    cuda = WinDLL("nvcuda.dll")'


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        pytest.param(f"{RTX_4060}\n{CUDA_10}", ["torch==1.7.1+cu110", "new environment"], id="cuda-10"),
        pytest.param(
            f"PyTorch version: 1.9.0+cu102\n{RTX_4060}\n{CUDA_10}",
            ["torch==1.9.0+cu111"],
            id="cuda-10-release",
        ),
        pytest.param(f"启动器启动后报错\n{RTX_5080}", ["launcher's package", "/whl/cu128"], id="package"),
        pytest.param(K1, ["--use_gpu False"], id="old-card"),
        pytest.param(
            f"{K1}\nCan not find pose estimation results.", ["openpose.bin", "--use_gpu"], id="openpose"
        ),
        pytest.param(
            f"{NO_CUDA}\ntorch.cuda.is_available() is True, but\nmagic-pdf --path x.pdf\nfails",
            ["where.exe magic-pdf", "Scripts"],
            id="two-pythons",
        ),
        pytest.param(
            "pip install git+https://github.com/NVlabs/tiny-cuda-nn/#subdirectory=bindings/torch\n"
            "No CUDA runtime is found, using CUDA_HOME='C:\\CUDA\\v11.7'",
            ["torch.version.cuda", "whl/cu117", "TCNN_CUDA_ARCHITECTURES"],
            id="tiny-cuda-nn",
        ),
        pytest.param(
            "No GPU being used. Careful, inference might be very slow!",
            ["torch.version.cuda", "torch==2.5.1", "SUNO_USE_SMALL_MODELS"],
            id="bark",
        ),
        pytest.param(
            f"{OOM.format('6.00', '5.27 GiB')}", ["SUNO_USE_SMALL_MODELS", "quantize(4)"], id="weights-fill"
        ),
        pytest.param(f"{OOM.format('6.00', '5.27 GiB')}\nwhile training", ["batch_size"], id="training"),
        pytest.param(f"{LOADING}\n{OOM.format('2.00', '1.26 GiB')}", ["Colab"], id="card-of-2-gib"),
        pytest.param(f"8 GB RAM, SDXL\n{LOW_USAGE}", ["40960", "WSL"], id="sdxl-and-ram"),
        pytest.param(LOW_USAGE, ["pin_memory=False", "num_workers=0"], id="low-usage"),
        pytest.param(
            "Stable Diffusion: the images come out green. GTX 1660", ["--full_precision"], id="green"
        ),
        pytest.param("GTX 1660 Ti生成的视频头像部分黑屏", ["--no_flag_use_half_precision"], id="black-video"),
        pytest.param(
            "Generating leads to a black screen on both monitors, with the HDMI monitor off it is fine. RTX 5080",
            ["clean installation", "HDMI cable", "warranty"],
            id="hdmi",
        ),
        pytest.param("训练时电脑突然关机", ["nvidia-smi -pl", "power supply", "gpu.csv"], id="switch-off"),
        pytest.param(
            "torch 1.6\nRuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED",
            ["nvidia-smi -L", "1.7.1+cu110"],
            id="cudnn-of-2020",
        ),
        pytest.param(
            f"Kernel dies\nimport numpy as np\nimport torch\n{OMP}", ["first cell"], id="omp-notebook"
        ),
        pytest.param(
            f"The kernel dies when any plotting function runs\n{OMP}", ["rglob", "ren"], id="omp-plots"
        ),
        pytest.param(f"(fake) F:\\D>python a.py\n{OMP}", ["rglob", "libiomp5md.dll.bak"], id="omp-conda"),
        pytest.param(CPM, ["CPUKernel(", "w64devkit"], id="cpm-kernels"),
    ],
)
def test_first_steps_are_those_that_cure(text: str, steps: list[str]) -> None:
    fix = explain(text, KNOWLEDGE).diagnoses[0].fix
    assert [part for part, step in zip(steps, fix, strict=False) if part not in step] == []
