"""A log in which torch works, and nothing fails, raises no alarm, whatever versions it names."""

import pytest

from torchdoctor import read_environment
from torchdoctor.engine.library import load_heads
from torchdoctor.explain import explain
from torchdoctor.explain.answer import Confidence
from torchdoctor.explain.statements.successes import Works

KNOWLEDGE = load_heads()
LOGS = {
    "ultralytics": r"""(yolo) D:\yolo>yolo detect train data=coco128.yaml model=yolov8n.pt epochs=2
Ultralytics YOLOv8.2.0 Python-{py} torch-{torch}+cu{cu} CUDA:0 ({gpu}, {mem}MiB)
      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size
        1/2      2.49G      1.146      1.514       1.25        217        640: 100%|##########| 8/8 [00:02<00:00,  3.11it/s]
        2/2      2.49G      1.167      1.421      1.257        238        640: 100%|##########| 8/8 [00:01<00:00,  6.40it/s]
2 epochs completed in 0.006 hours.
Results saved to runs\detect\train4""",
    "yolov5": r"""YOLOv5  v7.0-312-g1bcd17ee Python-{py} torch-{torch}+cu{cu} CUDA:0 ({gpu}, {mem}MiB)
      Epoch    GPU_mem   box_loss   obj_loss   cls_loss  Instances       Size
        0/2      3.75G    0.04542    0.06721    0.01782        224        640: 100%|##########| 8/8 00:03
3 epochs completed in 0.009 hours.
Results saved to runs\train\exp3""",
    "comfyui": r"""** Python version: {py} (tags/v{py}) [MSC v.1938 64 bit (AMD64)]
** Python executable: D:\ComfyUI_windows_portable\python_embeded\python.exe
Total VRAM {mem} MB, total RAM 32692 MB
pytorch version: {torch}+cu{cu}
Set vram state to: NORMAL_VRAM
Device: cuda:0 {gpu} : cudaMallocAsync
Starting server
To see the GUI go to: http://127.0.0.1:8188
got prompt
100%|##########| 20/20 [00:06<00:00,  3.21it/s]
Prompt executed in 9.14 seconds""",
    "a1111": r"""venv "D:\webui\venv\Scripts\Python.exe"
Python {py} (tags/v{py}) [MSC v.1932 64 bit (AMD64)]
Version: v1.10.1
Launching Web UI with arguments: --xformers
Running on local URL:  http://127.0.0.1:7860
version: v1.10.1  python: {py}  torch: {torch}+cu{cu}  gradio: 3.41.2
Model loaded in 6.2s (load weights from disk: 1.1s, create model: 0.7s).
100%|##########| 20/20 [00:04<00:00,  4.61it/s]
Total progress: 100%|##########| 20/20 [00:04<00:00,  4.55it/s]""",
    "kohya": r"""INFO     Kohya_ss GUI version: v24.1.7
INFO     Python version is {py}
INFO     Torch {torch}+cu{cu}
INFO     Torch backend: nVidia CUDA {cu} cuDNN 8907
INFO     Torch detected GPU: {gpu} VRAM {mem} Arch (8, 6) Cores 28
steps: 100%|##########| 1600/1600 [21:05<00:00,  1.26it/s, avr_loss=0.0871]
INFO     model saved.""",
    "lightning": r"""C:\proj>python train.py
torch {torch}+cu{cu}, Python {py}
GPU available: True (cuda), used: True
LOCAL_RANK: 0 - CUDA_VISIBLE_DEVICES: [0]
Epoch 9: 100%|##########| 235/235 [00:07<00:00, 31.22it/s, v_num=4, train_loss=0.0412]
`Trainer.fit` stopped: `max_epochs=10` reached.""",
    "hf": r"""C:\proj>python run_glue.py
torch=={torch}+cu{cu}
Python {py}
{{'loss': 0.3102, 'grad_norm': 2.1, 'learning_rate': 1e-05, 'epoch': 2.0}}
{{'train_runtime': 312.4, 'train_samples_per_second': 33.1, 'train_loss': 0.29, 'epoch': 3.0}}
100%|##########| 1380/1380 [05:12<00:00,  4.42it/s]""",
    "plain": r"""C:\proj>python main.py
torch {torch}+cu{cu} python {py} cuda True {gpu}
Epoch 1/3 - loss: 0.6512 - val_loss: 0.5120
Epoch 2/3 - loss: 0.4402 - val_loss: 0.4011
Epoch 3/3 - loss: 0.3611 - val_loss: 0.3550
Training finished, model saved to out\model.pt""",
    "session": r"""Python {py} (tags/v{py}, Apr  2 2024) [MSC v.1938 64 bit (AMD64)] on win32
>>> import torch
>>> torch.__version__
'{torch}+cu{cu}'
>>> torch.cuda.is_available()
True
>>> torch.rand(2, device="cuda")
tensor([0.3210, 0.9811], device='cuda:0')""",
    "mmdet": r"""2024/05/02 10:11:12 - mmengine - INFO -
System environment:
    sys.platform: win32
    Python: {py} (tags/v{py}) [MSC v.1938 64 bit (AMD64)]
    CUDA available: True
    GPU 0: {gpu}
    PyTorch: {torch}+cu{cu}
2024/05/02 10:13:42 - mmengine - INFO - Epoch(train) [1][ 50/250]  lr: 2.0e-02  eta: 0:12:01  time: 0.2412  loss: 1.2031
2024/05/02 10:15:55 - mmengine - INFO - Epoch(val) [1][100/100]    coco/bbox_mAP: 0.3120
2024/05/02 10:15:55 - mmengine - INFO - Saving checkpoint at 1 epochs""",
    "whisper": r"""(w) C:\audio>whisper talk.mp3 --model small --device cuda
torch {torch}+cu{cu} Python {py} {gpu}
Detecting language using up to the first 30 seconds.
Detected language: English
[00:00.000 --> 00:04.120]  Good morning everybody.
[00:04.120 --> 00:09.000]  Let us begin.""",
    "fooocus": r"""[System ARGV] ['Fooocus\\entry_with_update.py']
Python {py} (tags/v{py}) [MSC v.1934 64 bit (AMD64)]
Fooocus version: 2.5.5
Total VRAM {mem} MB, total RAM 32690 MB
torch {torch}+cu{cu}
Device: cuda:0 {gpu} : native
App started successful. Use the app with http://127.0.0.1:7865/
100%|##########| 30/30 [00:10<00:00,  2.87it/s]
Image generated with private log at: D:\Fooocus\outputs\log.html
Generating and saving time: 15.21 seconds""",
    "sdnext": r"""10:00:01-000001 INFO     Python: version={py} platform=Windows
10:00:05-000001 INFO     Torch: torch=={torch}+cu{cu} torchvision==0.20.1+cu{cu}
10:00:05-000001 INFO     Device: detect={{'cuda': '12.1'}} GPU={gpu}
10:01:05-000001 INFO     Processed: images=1 its=4.21 time=5.9 timers={{'process': 5.7}}""",
    "nnunet": r"""(nn) C:\nn>nnUNetv2_train 4 2d 0
torch {torch}+cu{cu}, Python {py}
Using device: cuda:0
2024-05-02 10:11:12: Epoch 1
2024-05-02 10:12:12: train_loss -0.4412
2024-05-02 10:12:12: val_loss -0.4512
2024-05-02 10:12:12: Epoch time: 61.2 s
2024-05-02 10:13:12: Epoch 2
2024-05-02 10:13:12: train_loss -0.5412
2024-05-02 10:13:13: Training done.""",
    "detectron2": r"""PyTorch                 {torch}+cu{cu} @D:\v\Lib\site-packages\torch
Python                  {py}
GPU 0                   {gpu} (arch=8.6)
sys.platform            win32
[05/02 10:12:12 d2.utils.events]:  eta: 0:04:11  iter: 19  total_loss: 2.212  loss_cls: 0.91  time: 0.2111  lr: 0.0002
[05/02 10:13:12 d2.utils.events]:  eta: 0:03:11  iter: 39  total_loss: 1.812  loss_cls: 0.71  time: 0.2111  lr: 0.0002
[05/02 10:15:12 d2.engine.hooks]: Overall training speed: 298 iterations in 0:01:02 (0.2111 s / it)""",
    "diffusers": r"""(d) C:\d>python gen.py
torch {torch}+cu{cu} Python {py} {gpu}
Loading pipeline components...: 100%|##########| 7/7 [00:01<00:00,  5.21it/s]
100%|##########| 50/50 [00:11<00:00,  4.41it/s]
saved to astronaut.png""",
    "invokeai": r"""[2024-05-02 10:11:12,121]::[InvokeAI]::INFO --> PyTorch version = {torch}+cu{cu}, CUDA = {cu}
Python {py} on Windows
[2024-05-02 10:11:12,121]::[InvokeAI]::INFO --> Using torch device: {gpu}
100%|##########| 30/30 [00:07<00:00,  4.01it/s]
Graph stats: 1f2
TOTAL GRAPH EXECUTION TIME:   9.311s""",
    "llamafactory": r"""- `llamafactory` version: 0.9.1
- Platform: Windows-10-10.0.22631-SP0
- Python version: {py}
- PyTorch version: {torch}+cu{cu} (GPU)
- GPU type: {gpu}
***** train metrics *****
  epoch                    =        3.0
  train_loss               =     0.9211
  train_runtime            = 0:12:41.11
  train_samples_per_second =      4.311""",
    "fastai": r"""torch version {torch}+cu{cu}, python {py}, cuda available True
epoch     train_loss  valid_loss  accuracy  time
0         0.361212    0.210111    0.912     00:21
1         0.261212    0.190111    0.922     00:21""",
    "keraslike": r"""PyTorch {torch}+cu{cu} Python {py}
Epoch: 1 [00000/60000 (0%)]	Loss: 2.301121
Epoch: 1 [59520/60000 (99%)]	Loss: 0.051121
Test set: Average loss: 0.0391, Accuracy: 9871/10000 (99%)""",
    "predict": r"""Ultralytics YOLOv8.3.40 Python-{py} torch-{torch}+cu{cu} CUDA:0 ({gpu}, 12288MiB)
image 1/1 C:\i\bus.jpg: 640x480 4 persons, 1 bus, 41.2ms
Speed: 2.1ms preprocess, 41.2ms inference, 61.1ms postprocess per image at shape (1, 3, 640, 480)
Results saved to runs\detect\predict""",
    "collectenv": r"""Collecting environment information...
PyTorch version: {torch}+cu{cu}
Is debug build: False
CUDA used to build PyTorch: 12.1
OS: Microsoft Windows 11 Pro
Python version: {py} (tags/v{py}) [MSC v.1938 64 bit (AMD64)] (64-bit runtime)
Is CUDA available: True
GPU models and configuration: GPU 0: {gpu}
Nvidia driver version: 560.94""",
}
# Each is one that a check dislikes, or beside which one dislikes another.
TORCHES = ("2.3.0", "2.3.1", "2.4.0", "2.0.1", "1.13.1", "1.8.0", "2.9.0")
PYTHONS = ("3.7.0", "3.9.0", "3.13.0", "3.14.0", "3.11.0")
ASIDES = (
    "\n\npip list\nnumpy 2.1.3\ntorch {torch}+cu{cu}\ntorchvision 0.15.0+cu118\ntorchaudio 2.0.1",
    "\n\nNVIDIA-SMI 471.11 Driver Version: 471.11 CUDA Version: 11.4",
)
VERSIONS = [
    *((torch, "3.11.9", "") for torch in TORCHES),
    *(("2.5.1", python, "") for python in PYTHONS),
    ("1.13.1", "3.12.0", ""),
    *(("2.2.2", "3.11.9", aside) for aside in ASIDES),
]


def write(log: str, torch: str, python: str = "3.11.9", aside: str = "") -> str:
    cuda = "121" if torch >= "2" else "117"
    return (log + aside).format(torch=torch, cu=cuda, py=python, gpu="NVIDIA GeForce RTX 3060", mem=12287)


@pytest.mark.parametrize("name", LOGS)
def test_a_log_of_work_raises_no_alarm(name: str) -> None:
    found = {
        (*versions, explanation.diagnoses[0].name)
        for versions in VERSIONS
        if (explanation := explain(write(LOGS[name], *versions), KNOWLEDGE)).recognised
    }
    assert not found


# What programs print while all goes well.
NOTICES = {
    "where": "INFO: Could not find files for the given pattern(s).",
    "where-chinese": "信息: 用提供的模式无法找到文件。",
    "triton-compiler": "Failed to find MSVC.\nFailed to find Windows SDK.\nFailed to find CUDA.",
    "triton": "A matching Triton is not available, some optimizations will not be enabled.",
    "redistributable": "Microsoft Visual C++ Redistributable is not installed, this may lead to the DLL load failure.",
    "pynvml": "FutureWarning: The pynvml package is deprecated. Please install nvidia-ml-py instead.",
    "libuv": "[W socket.cpp:697] [c10d] The client socket has failed to connect to [pc]:29500",
    "redirects": "NOTE: Redirects are currently not supported in Windows or MacOs.",
    "symlinks": "UserWarning: `huggingface_hub` cache-system uses symlinks by default to efficiently store duplicated files but your machine does not support them",
    "meshgrid": "UserWarning: torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.",
    "workers": "UserWarning: This DataLoader will create 12 worker processes in total. Our suggested max number of worker in current system is 8",
    "amp": "FutureWarning: `torch.cuda.amp.autocast(args...)` is deprecated.",
    "weights": "FutureWarning: You are using `torch.load` with `weights_only=False`",
    "bitsandbytes": "bin C:\\v\\Lib\\site-packages\\bitsandbytes\\libbitsandbytes_cuda121.dll",
    "tensorflow": "oneDNN custom operations are on. You may see slightly different numerical results",
}


@pytest.mark.parametrize("notice", NOTICES.values(), ids=NOTICES)
def test_a_notice_in_a_log_of_work_raises_no_alarm(notice: str) -> None:
    found = set()
    for name, log in LOGS.items():
        first, *others = write(log, "2.5.1").splitlines()
        explanation = explain("\n".join((first, notice, *others)), KNOWLEDGE)
        if explanation.recognised and explanation.diagnoses[0].confidence is not Confidence.POSSIBLE:
            found.add((name, explanation.diagnoses[0].name))
    # It says that the notice is wrong.
    assert not {each for each in found if each[1] != "vc-redist-check-false-positive"}


@pytest.mark.parametrize("notice", ["where", "where-chinese", "triton-compiler", "pynvml"])
@pytest.mark.parametrize(
    "error", ["RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x8 and 9x2)", "KeyError: 'image'"]
)
def test_an_error_of_the_program_is_not_explained_by_a_notice_above_it(notice: str, error: str) -> None:
    assert not explain(f"{NOTICES[notice]}\n{error}", KNOWLEDGE).recognised


def test_an_error_beside_a_log_is_explained_by_the_release() -> None:
    error = (
        'OSError: [WinError 126] The specified module could not be found. Error loading "C:\\v\\Lib\\'
        'site-packages\\torch\\lib\\fbgemm.dll" or one of its dependencies.'
    )
    assert explain(f"{write(LOGS['yolov5'], '2.4.0')}\n{error}", KNOWLEDGE).recognised


def test_a_release_without_its_dlls_is_named_where_nothing_shows_that_it_works() -> None:
    text = (
        "PyTorch version: 2.4.0+cu121\nOS: Microsoft Windows 11 Pro\nPython version: 3.11.9 (64-bit runtime)"
    )
    assert explain(text, KNOWLEDGE).diagnoses[0].name == "known-broken-torch-release"


@pytest.mark.parametrize("complaint", ["Why is it so slow?", "It runs on the CPU instead of my card."])
def test_a_complaint_keeps_what_is_said_of_the_driver(complaint: str) -> None:
    text = write(LOGS["a1111"], "2.2.2", aside=ASIDES[1])
    assert explain(f"{complaint}\n{text}", KNOWLEDGE).recognised


@pytest.mark.parametrize(
    ("text", "is_refuted"),
    [
        ("PyTorch 2.5.1, CUDA available: True", True),
        ("PyTorch 2.5.1, CUDA available: False", False),
        ("My torch.cuda.is_available() is True, torch 2.5.1", False),
    ],
    ids=["printed", "no", "said"],
)
def test_only_what_torch_itself_prints_refutes_an_old_driver(text: str, is_refuted: bool) -> None:
    works = Works((), read_environment(text))
    assert works.refutes(KNOWLEDGE.entries["driver-too-old"]) is is_refuted
