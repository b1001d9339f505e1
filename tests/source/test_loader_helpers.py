"""Loaders, datasets and objects that other files of a project make, with what they are given for workers."""

from pathlib import Path

import pytest

from torchdoctor.engine.code.examination import examine_code
from torchdoctor.engine.registry import load_registry
from torchdoctor.facts import Facts

REGISTRY = load_registry()
DATA = """
import os
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder
from tables import LAMBDAS, NAMED

def make_loader(dataset, workers=4, collate_fn=None):
    return DataLoader(dataset, num_workers=workers, collate_fn=collate_fn)

def make_quiet_loader(dataset, num_workers=0, *, worker_init_fn=None):
    return DataLoader(dataset, num_workers=num_workers, worker_init_fn=worker_init_fn)

def make_loader_of_options(dataset, **options):
    return DataLoader(dataset, **options)

def make_windows_loader(dataset, num_workers=4):
    if os.name == "nt":
        num_workers = 0
    return DataLoader(dataset, num_workers=num_workers)

def choose(name):
    class_ = ImageFolder
    if name == "own":
        class_ = Own
    return class_, {"root": name}

class Own(ImageFolder):
    pass

class Wrapped(ImageFolder):
    def __getnewargs__(self):
        return (self.root,)

def make_dataset(name, transform=None):
    class_, options = choose(name)
    return class_(transform=transform, **options)

def make_normal(name):
    return Own(name, transform=LAMBDAS[name])

def make_named(name):
    return Own(name, transform=NAMED[name])

class Encoder:
    def __init__(self, path, device=None):
        self.net = Net(path).to(device)

class LazyEncoder:
    def __init__(self, path, device=None):
        self.device = device
        self.net = None
"""
TABLES = """
from torchvision.transforms import Lambda
def halve(x):
    return x / 2
LAMBDAS = {"a": Lambda(lambda x: x / 2)}
NAMED = {"a": Lambda(halve)}
"""
HEAD = """import torch
from torchvision.datasets import ImageFolder
from torch.utils.data import DataLoader
import data
def train(root, args):
"""
LAMBDA = "ImageFolder(root, transform=lambda x: x)"
POOL = (
    "    from concurrent.futures import ProcessPoolExecutor\n    ProcessPoolExecutor(2).submit(print, {})\n"
)


def find(folder: Path, name: str, text: str) -> list[int]:
    """Return the lines of a script that a check reports."""
    for file, content in {"data.py": DATA, "tables.py": TABLES, "main.py": HEAD + text}.items():
        (folder / file).write_text(content, encoding="utf-8")
    checks = [check for check in REGISTRY.checks if check.name == name]
    [outcome] = examine_code([folder], checks, Facts(), REGISTRY.knowledge).outcomes
    found = [each.location for each in outcome.findings if each.location is not None]
    return [each.line for each in found if each.path.endswith("main.py")]


@pytest.mark.parametrize(
    ("call", "is_found"),
    [
        (f"data.make_loader({LAMBDA})", True),
        (f"data.make_loader({LAMBDA}, 2)", True),
        (f"data.make_loader({LAMBDA}, workers=args.workers)", True),
        (f"data.make_loader({LAMBDA}, workers=0)", False),
        (f"data.make_loader({LAMBDA}, 0)", False),
        ("data.make_loader(ImageFolder(root, transform=len))", False),
        ("data.make_loader(data.Wrapped(root, transform=lambda x: x))", False),
        ("data.make_loader(data.Own(root, transform=lambda x: x))", True),
        ("data.make_loader([1], collate_fn=lambda batch: batch)", True),
        ("data.make_loader([1], workers=0, collate_fn=lambda batch: batch)", False),
        (f"data.make_quiet_loader({LAMBDA})", False),
        (f"data.make_quiet_loader({LAMBDA}, num_workers=2)", True),
        ("data.make_quiet_loader([1], 2, worker_init_fn=lambda number: None)", True),
        (f"data.make_loader_of_options({LAMBDA}, num_workers=2)", True),
        (f"data.make_loader_of_options({LAMBDA})", False),
        (f"data.make_windows_loader({LAMBDA})", False),
        (f"data.make_other_loader({LAMBDA}, num_workers=2)", False),
        ("data.make_loader(data.make_dataset(root, transform=lambda x: x))", True),
        ("data.make_loader(data.make_dataset(root, transform=len))", False),
        ("DataLoader(data.make_normal('a'), num_workers=2)", True),
        ("DataLoader(data.make_normal('a'), num_workers=0)", False),
        ("DataLoader(data.make_named('a'), num_workers=2)", False),
    ],
)
def test_loader_of_another_file_is_followed(tmp_path: Path, call: str, is_found: bool) -> None:
    assert find(tmp_path, "unpicklable-dataset", f"    return {call}\n") == ([6] if is_found else [])


@pytest.mark.parametrize(
    ("made", "is_found"),
    [
        ("data.Encoder('a', device='cuda')", True),
        ("data.Encoder('a', torch.device('cuda'))", True),
        ("data.Encoder('a', device='cpu')", False),
        ("data.LazyEncoder('a', device='cuda')", False),
        ("data.OtherEncoder('a', device='cuda')", False),
    ],
)
def test_device_is_followed_into_another_file(tmp_path: Path, made: str, is_found: bool) -> None:
    assert find(tmp_path, "cuda-ipc-unsupported", POOL.format(made)) == ([7] if is_found else [])
