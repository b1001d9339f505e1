"""Journeys with training code that was written for Linux, for a GPU or for another release of torch."""

import pytest

pytestmark = pytest.mark.windows

TRAIN = "python train.py"


def write(journey, code: str, name: str = "train.py") -> None:
    journey.write(journey.project / name, code)


def test_resource(journey) -> None:
    """The script imports the module resource, to open more files.

    https://github.com/Megvii-BaseDetection/YOLOX/issues/17
    """
    lines = "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))\n"
    write(journey, f"import torch\n{lines}print(torch.ones(1))\n")
    journey.fails(TRAIN, saying="No module named 'resource'")
    journey.scan("train.py", first="posix-only")
    journey.edit(
        "train.py", lines,
        "try:\n    import resource\nexcept ImportError:\n    resource = None\n\nif resource is not None:\n"
        "    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))\n",
        "if resource is not None:",
    )  # fmt: skip
    journey.works()


def test_alarm(journey) -> None:
    """The script sets signal.SIGALRM, and the person pastes the error.

    https://github.com/eg4000/SKU110K_CVPR19/issues/27
    """
    line = "signal.signal(signal.SIGALRM, lambda *_: None)\n"
    write(journey, f"import signal, torch\n{line}print(torch.ones(1))\n")
    journey.fails(TRAIN, saying="SIGALRM")
    journey.explain(first="posix-only")
    journey.edit("train.py", line, f"if hasattr(signal, 'SIGALRM'):\n    {line}", "if hasattr(signal,")
    journey.works()


def test_user_signal(journey) -> None:
    """The script sets signal.SIGUSR1.

    https://github.com/facebookresearch/pycls/issues/140
    """
    line = "signal.signal(signal.SIGUSR1, print)\n"
    write(journey, f"import signal, torch\n{line}print(torch.ones(1))\n")
    journey.fails(TRAIN, saying="SIGUSR1")
    journey.scan("train.py", first="posix-only")
    journey.edit("train.py", line, f"if hasattr(signal, 'SIGUSR1'):\n    {line}", "if hasattr(signal,")
    journey.works()


def test_nccl(journey) -> None:
    """The script starts the NCCL backend.

    https://github.com/OFA-Sys/Chinese-CLIP/issues/279
    """
    write(
        journey,
        "import torch.distributed as dist\n\nif __name__ == '__main__':\n"
        "    dist.init_process_group('nccl', init_method='file:///C:/torch_store', rank=0, world_size=1)\n",
    )
    journey.fails(TRAIN)
    journey.scan("train.py", first="nccl-unavailable")
    journey.edit(
        "train.py",
        "'nccl'",
        "'nccl' if dist.is_nccl_available() else 'gloo'",
        '"nccl" if dist.is_nccl_available() else "gloo"',
    )
    journey.works()


def test_colon_in_a_file_name(journey) -> None:
    """The checkpoint's name has the time in it; Wine takes it, and Windows refuses it.

    https://github.com/nshaud/DeepHyperX/issues/16
    """
    write(
        journey,
        "import time, torch\ntorch.save({}, time.strftime('%Y-%m-%d %H:%M:%S') + '_epoch.pth')\n",
    )
    journey.scan("train.py", first="illegal-filename")
    journey.edit("train.py", "%H:%M:%S')", "%H:%M:%S').replace(':', '-')", '.replace(":", "-")')
    journey.passes("illegal-filename", "train.py")


def test_cuda_without_a_gpu(journey) -> None:
    """The script sends the model to CUDA, with a CPU build of torch and no GPU.

    https://github.com/NVlabs/edm/issues/25
    """
    write(journey, "import torch\nmodel = torch.nn.Linear(2, 2).to('cuda')\n")
    journey.fails(TRAIN, saying="Torch not compiled with CUDA enabled")
    journey.explain(first="cpu-only-build")
    journey.edit("train.py", ".to('cuda')", ".to('cpu')", '.to("cpu")')
    journey.works()


def test_checkpoint_of_a_gpu(journey) -> None:
    """A checkpoint that was saved on a GPU is loaded without one."""
    write(
        journey,
        "import torch\nvalue = torch.ones(1)\ntorch.serialization.register_package(0, lambda s: 'cuda:0', lambda s, l: None)\n"
        "torch.save({'w': value}, 'model.pt')\n",
        "save.py",
    )
    assert journey.type(["python save.py"]).returncode == 0
    write(journey, "import torch\nprint(torch.load('model.pt'))\n")
    journey.fails(TRAIN, saying="deserialize object on a CUDA device")
    journey.explain(first="cuda-not-available")
    journey.edit("train.py", "'model.pt'", "'model.pt', map_location='cpu'", 'map_location="cpu"')
    journey.works()


def test_weights_only(journey) -> None:
    """An old checkpoint of the person's own holds a whole model.

    https://github.com/e3nn/e3nn/issues/519
    """
    write(journey, "import torch\ntorch.save(torch.nn.Linear(2, 2), 'model.pt')\n", "save.py")
    assert journey.type(["python save.py"]).returncode == 0
    write(journey, "import torch\nprint(torch.load('model.pt'))\n")
    journey.fails(TRAIN, saying="Weights only load failed")
    journey.explain(first="checkpoint-weights-only")
    journey.edit("train.py", "'model.pt'", "'model.pt', weights_only=False", "weights_only=False")
    journey.works()


def test_reading_utf_8(journey) -> None:
    """A configuration in UTF-8 is opened without its encoding.

    https://github.com/ASLP-lab/DiffRhythm/issues/14
    """
    (journey.project / "config.json").write_text('{"name": "\u0101"}', encoding="utf-8")
    write(journey, "import json, torch\nprint(len(json.load(open('config.json'))))\n")
    journey.fails(TRAIN, saying="UnicodeDecodeError")
    journey.explain(first="text-encoding")
    journey.do(next(n for n in range(1, 9) if journey.find_commands(n)))
    journey.works()


def test_printing_a_tick(journey) -> None:
    """A script prints a character that the console's code page has not."""
    write(journey, "import torch\nprint('\\u2713 epoch 1')\n")
    journey.fails(TRAIN, saying="UnicodeEncodeError")
    journey.explain(first="text-encoding")
    journey.do(next(n for n in range(1, 9) if journey.find_commands(n)))
    journey.works()


def test_compile_without_a_compiler(journey) -> None:
    """torch.compile finds no C++ compiler.

    https://github.com/pytorch/pytorch/issues/157458
    """
    write(journey, "import torch\nprint(torch.compile(lambda x: x + 1)(torch.ones(2)))\n")
    journey.fails(TRAIN, saying="cl is not found")
    journey.explain(first="msvc-not-found")
    journey.tells("Build Tools", "the compiler needs an installer, and the Windows of these tests has none")


def test_own_torch_py(journey) -> None:
    """The person's own script is called torch.py.

    https://github.com/ZhendongWang6/Uformer/issues/61
    """
    write(journey, "import torch\nprint(torch.cuda.is_available())\n", "torch.py")
    journey.fails("python torch.py")
    journey.scan(".", first="shadowed-or-partial-torch")
    journey.do()
    journey.command = ["python my_torch.py"]
    journey.works()


@pytest.mark.parametrize("name", ["random", "queue", "numpy", "typing_extensions"])
def test_own_module(journey, name: str) -> None:
    """A file of the project has the name of a module that torch needs.

    https://github.com/pytorch/pytorch/issues/19943
    """
    journey.row.fault = f"A file {name}.py of the project has the name of a module that torch needs"
    write(journey, "values = [1, 2]\n", f"{name}.py")
    write(journey, "import torch\nprint(torch.ones(1).numpy())\n")
    journey.fails(TRAIN)
    journey.scan(".", first="shadowed-or-partial-torch")
    journey.do()
    journey.works()


def test_own_module_pasted(journey) -> None:
    """A file random.py of the project hides Python's, and the person pastes the error."""
    write(journey, "values = [1, 2]\n", "random.py")
    write(journey, "import torch\n")
    journey.fails(TRAIN)
    journey.explain(first="shadowed-or-partial-torch")
    journey.do()
    journey.works()
