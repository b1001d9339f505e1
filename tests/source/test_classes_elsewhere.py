"""Classes, devices and data sets that other files of a project define."""

from pathlib import Path

import pytest

from tests.source.made_projects import find, write

SETS = """
import torch
from torch.utils.data import Dataset
from base import Base

class Images(Dataset):
    def __init__(self, transform=None):
        self.transform = transform
    def __getitem__(self, index):
        return self.transform(index)

class Plain:
    def __init__(self, transform=None):
        self.transform = transform

def get_device():
    return torch.device("cuda")

def get_cpu():
    return torch.device("cpu")

def get_norm():
    def norm(x):
        return x / 2
    return norm
"""


BASE = "from torchvision.datasets import VisionDataset\nclass Base(VisionDataset): pass\n"


LOADER = "from torch.utils.data import DataLoader\n"


SHARE = "import torch\nimport torch.multiprocessing as mp\nnet = torch.nn.Linear(3, 3)\n"


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("unpicklable-dataset", "import sets\nDataLoader(sets.Images(transform=lambda x: x), num_workers=2)\n", [3]),
        ("unpicklable-dataset", "import sets\nDataLoader(sets.Plain(transform=lambda x: x), num_workers=2)\n", []),
        ("unpicklable-dataset", "import sets\nDataLoader(sets.Images(transform=lambda x: x), num_workers=0)\n", []),
        ("unpicklable-dataset", "from base import Base\nclass A(Base):\n    def __init__(self, root):\n"
         "        super().__init__(root, target_transform=lambda x: x)\n", [5]),
        ("unpicklable-dataset", "import sets\nfrom torch.utils.data import Dataset\nclass D(Dataset):\n    def __init__(self):\n"
         "        self.norm_fn = sets.get_norm()\n    def __getitem__(self, i): return self.norm_fn(i)\n", [6]),
        ("unpicklable-dataset", "import sets\nfrom torch.utils.data import Dataset\nclass D(Dataset):\n    def __init__(self):\n"
         "        self.norm_fn = sets.get_device()\n    def __getitem__(self, i): return self.norm_fn(i)\n", []),
        ("cuda-ipc-unsupported", f"from sets import get_device\n{SHARE}net.to(get_device())\nnet.share_memory()\n", [7]),
        ("cuda-ipc-unsupported", f"from sets import *\n{SHARE}net.to(get_device())\nnet.share_memory()\n", [7]),
        ("cuda-ipc-unsupported", f"from sets import *\n{SHARE}net.to(get_cpu())\nnet.share_memory()\n", []),
        ("cuda-ipc-unsupported", f"from other import *\n{SHARE}net.to(get_device())\nnet.share_memory()\n", []),
    ],
)  # fmt: skip
def test_classes_and_devices_of_other_files_are_known(
    tmp_path: Path, name: str, text: str, lines: list[int]
) -> None:
    write(tmp_path, {"sets.py": SETS, "base.py": BASE, "main.py": LOADER + text})
    assert find(tmp_path, name).get("main.py", []) == lines
