"""Scripts that work at import with loaders, trainers and settings of other files of their project."""

from pathlib import Path

import pytest

from torchdoctor.engine.code.examination import examine_code
from torchdoctor.engine.registry import load_registry
from torchdoctor.facts import Facts
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.project import Project

REGISTRY = load_registry()
DATA = """
from torch.utils.data import DataLoader

def get_loader(root, workers=4):
    return _make(workers)

def _make(count):
    return DataLoader([1], num_workers=count)

def get_options(args):
    return DataLoader([1], num_workers=args.workers)

def get_configured(cfg):
    return DataLoader([1], num_workers=cfg["train"]["workers"])

def train(epochs):
    for batch in get_loader("x"):
        print(batch)

def nothing():
    return 1
"""
MODULE = """
import pytorch_lightning as pl
from torch.utils.data import DataLoader

class Data(pl.LightningDataModule):
    def __init__(self, num_workers=4):
        self.num_workers = num_workers
    def train_dataloader(self):
        return DataLoader([1], num_workers=self.num_workers)

class Other:
    def __init__(self):
        self.num_workers = 0

class Trainer:
    def __init__(self, workers=2):
        self.loader = DataLoader([1], num_workers=workers)
    def train(self):
        for batch in self.loader: pass
    def save(self):
        pass
"""
OPTIONS = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--workers', default={})\na = p.parse_args()\n"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in {"data.py": DATA, "lit.py": MODULE, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def find(folder: Path, name: str = "missing-main-guard") -> dict[str, list[int]]:
    checks = [check for check in REGISTRY.checks if check.name == name]
    [outcome] = examine_code([folder], checks, Facts(), REGISTRY.knowledge).outcomes
    found: dict[str, list[int]] = {}
    for finding in outcome.findings:
        assert finding.location is not None
        path = Path(finding.location.path).relative_to(folder).as_posix()
        found.setdefault(path, []).append(finding.location.line)
    return found


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("from data import get_loader\nfor x in get_loader('a'): pass\n", 2),
        ("from data import get_loader\nfor x in get_loader('a', workers=0): pass\n", None),
        ("from data import get_loader\nfor x in get_loader('a', 0): pass\n", None),
        ("from data import get_loader\nl = get_loader('a', 0)\nm = get_loader('a', 8)\nfor x in m: pass\n", 4),
        ("from data import get_loader\nfor x in get_loader('a', unknown): pass\n", None),
        ("from data import get_loader as g\nloader = g('a')\nfor x in loader: pass\n", 3),
        ("import data\nloader = data.get_loader('a')\nfor x in loader: pass\n", 3),
        ("import data as d\ndef main():\n    for x in d.get_loader('a'): pass\nmain()\n", 4),
        ("from data import get_loader\nif __name__ == '__main__':\n    for x in get_loader('a'): pass\n", None),
        ("from data import get_loader\nloader = get_loader('a')\n", None),
        ("from data import train\ntrain(3)\n", 2),
        ("from data import nothing\nfor x in nothing(): pass\n", None),
        (OPTIONS.format(8) + "from data import get_options\nfor x in get_options(a): pass\n", 6),
        (OPTIONS.format(0) + "from data import get_options\nfor x in get_options(a): pass\n", None),
        ("from data import get_configured\nc = {}\nfor x in get_configured(c): pass\n", None),
        ("import pytorch_lightning as pl\nfrom lit import Data\npl.Trainer().fit(m, datamodule=Data())\n", 3),
        ("import pytorch_lightning as pl\nfrom lit import Data\npl.Trainer().fit(m, datamodule=Data(0))\n", None),
        ("from lit import Trainer\nt = Trainer()\nt.train()\n", 3),
        ("from lit import Trainer\nt = Trainer(workers=0)\nt.train()\n", None),
        ("from lit import Trainer\nt = Trainer()\nt.save()\nfor i in range(3): pass\n", None),
        ("from lit import Trainer\nTrainer().train()\n", 2),
        ("from missing import get_loader\nfor x in get_loader('a'): pass\n", None),
    ],
)  # fmt: skip
def test_loader_of_another_file_starts_workers(tmp_path: Path, text: str, line: int | None) -> None:
    write(tmp_path, {"main.py": text})
    assert find(tmp_path) == ({} if line is None else {"main.py": [line]})


TOP_LEVEL = """
from torch.utils.data import DataLoader
from data import get_loader

train_loader = DataLoader([1], num_workers=2)
val_loader, test_loader = DataLoader([1], num_workers=2), DataLoader([1])
made = get_loader("x")
both = {"train": train_loader}
numbers = [1, 2]
plain = DataLoader([1], num_workers=0)
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("from top import train_loader\nfor x in train_loader: pass\n", 2),
        ("from top import train_loader as loader\nfor x in loader: pass\n", 2),
        ("from top import *\nfor x in train_loader: pass\n", 2),
        ("from pkg import train_loader\nfor x in train_loader: pass\n", 2),
        ("import top\nfor x in top.train_loader: pass\n", 2),
        ("from top import val_loader\nfor x in val_loader: pass\n", 2),
        ("from top import test_loader\nfor x in test_loader: pass\n", None),
        ("from top import made\nfor x in made: pass\n", 2),
        ("from top import both\nfor x in both['train']: pass\n", 2),
        ("from top import train_loader\ndef train():\n    for x in train_loader: pass\ntrain()\n", 4),
        ("def main():\n    from top import train_loader\n    for x in train_loader: pass\nmain()\n", 4),
        ("from top import plain\nfor x in plain: pass\n", None),
        ("from top import numbers, train_loader\nfor x in numbers: pass\n", None),
        ("from top import train_loader\nfor x in range(3): pass\n", None),
        ("from top import train_loader\ntrain_loader = [1]\nfor x in train_loader: pass\n", None),
        ("from top import train_loader\nif __name__ == '__main__':\n    for x in train_loader: pass\n", None),
        ("import torch\nfrom top import train_loader\nfor i, x in enumerate(train_loader): pass\n", 3),
    ],
)
def test_loader_at_the_top_of_another_file_starts_workers(
    tmp_path: Path, text: str, line: int | None
) -> None:
    write(
        tmp_path, {"top.py": TOP_LEVEL, "pkg/__init__.py": "from top import train_loader\n", "main.py": text}
    )
    assert find(tmp_path) == ({} if line is None else {"main.py": [line]})


SUBCLASS = """
from lit import Trainer

class Mine(Trainer):
    def __init__(self, model, *args, **kwargs):
        super().__init__(*args, **kwargs)

class Fixed(Trainer):
    def __init__(self, workers=4):
        super().__init__(workers)

class Plain(Trainer):
    pass
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("from mine import Mine\nMine(1).train()\n", 2),
        ("from mine import Mine\nt = Mine(1, workers=0)\nt.train()\n", None),
        ("from mine import Mine\nt = Mine(1, workers=8)\nt.train()\n", 3),
        ("from mine import Fixed\nt = Fixed()\nt.train()\n", 3),
        ("from mine import Fixed\nt = Fixed(0)\nt.train()\n", None),
        ("from mine import Fixed\nt = Fixed(workers=0)\nt.train()\n", None),
        ("from mine import Plain\nt = Plain()\nt.train()\n", 3),
        ("from mine import Plain\nt = Plain(0)\nt.train()\n", None),
        ("from mine import Plain\nt = Plain()\nt.save()\nfor i in range(3): pass\n", None),
        ("from lit import *\nt = Trainer()\nt.train()\n", 3),
        ("from pkg import *\nt = Trainer()\nt.train()\n", 3),
        ("from lit import Trainer\nclass M(Trainer): pass\nt = M()\nt.train()\n", 4),
        ("from lit import Trainer\nclass M(Trainer): pass\nt = M(0)\nt.train()\n", None),
        ("from lit import Trainer\nclass M(Trainer): pass\nt = M(workers=0)\nt.train()\n", None),
        ("from lit import Trainer\nclass M(Trainer):\n    def __init__(self, n):\n        super().__init__(n)\nt = M(0)\nt.train()\n",
         None),
        ("from lit import Trainer\nclass M(Trainer):\n    def __init__(self, n=2):\n        super().__init__(n)\nt = M()\nt.train()\n",
         6),
        ("from lit import Trainer\nclass M(Trainer):\n    def __init__(self, **k):\n        super().__init__(**k)\nt = M(workers=0)\nt.train()\n",
         None),
        ("from lit import Trainer\nclass M(Trainer):\n    def run_all(self):\n        self.train()\nt = M()\nt.run_all()\n", 6),
        ("from lit import Trainer\nclass M(Trainer):\n    def train(self): pass\nt = M()\nt.train()\n", None),
    ],
)  # fmt: skip
def test_class_that_another_file_derives_starts_workers(tmp_path: Path, text: str, line: int | None) -> None:
    write(tmp_path, {"mine.py": SUBCLASS, "pkg/__init__.py": "from lit import *\n", "main.py": text})
    assert find(tmp_path) == ({} if line is None else {"main.py": [line]})


@pytest.mark.parametrize(
    ("config", "use", "is_found"),
    [
        ("WORKERS = 4\n", "import config\n", True),
        ("WORKERS = 0\n", "import config\n", False),
        ("WORKERS = 4\nWORKERS = 0\n", "import config\n", False),
        ("WORKERS = 4\n", "import config as c\nclass config: WORKERS = 0\n", False),
        ("class Config:\n    WORKERS = 4\n", "from config import Config as config\n", True),
        ("class Config:\n    WORKERS = 0\n", "from config import Config as config\n", False),
        ("class A:\n    WORKERS = 4\ncfg = A()\n", "from config import cfg as config\n", True),
        ("OTHER = 4\n", "import config\n", False),
        ("from defaults import WORKERS\n", "import config\n", True),
    ],
)
def test_number_of_workers_comes_from_another_file(
    tmp_path: Path, config: str, use: str, is_found: bool
) -> None:
    head = f"from torch.utils.data import DataLoader\n{use}"
    text = f"{head}for x in DataLoader([1], num_workers=config.WORKERS): pass\n"
    write(tmp_path, {"config.py": config, "defaults.py": "WORKERS = 2\n", "main.py": text})
    assert bool(find(tmp_path)) is is_found


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"pkg/__init__.py": "from .loaders import get_loader\n", "pkg/loaders.py": DATA,
          "main.py": "from pkg import get_loader\nfor x in get_loader('a'): pass\n"}, {"main.py": [2]}),
        ({"src/__init__.py": "", "src/loaders.py": DATA, "src/run/__init__.py": "",
          "src/run/a.py": "from ..loaders import get_loader\nfor x in get_loader('a'): pass\n"},
         {"src/run/a.py": [2]}),
        ({"tools/a.py": "from data import get_loader\nfor x in get_loader('a'): pass\n"}, {"tools/a.py": [2]}),
        ({"a.py": "from b import f\nf()\n", "b.py": "from a import f\n"}, {}),
        ({"a.py": "from b import f\nfor x in f(): pass\n", "b.py": f"{DATA}\nimport a\ndef f(): return a.f()\n"}, {}),
        ({"data.py": "def get_loader(:\n# Loader num_workers\n",
          "a.py": "from data import get_loader\nfor x in get_loader('a'): pass\n"}, {}),
    ],
    ids=["package", "relative", "above", "circle", "circle-through-call", "damaged"],
)  # fmt: skip
def test_imports_are_found_as_python_finds_them(
    tmp_path: Path, files: dict[str, str], found: dict[str, list[int]]
) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path, files)
    assert find(tmp_path) == found


def test_project_does_not_look_above_its_repository(tmp_path: Path) -> None:
    write(tmp_path, {"repository/.git/HEAD": "", "repository/a.py": ""})
    assert Project().find_file(str(tmp_path / "repository" / "a.py"), "data.get_loader") is None
    assert Project().find_file(str(tmp_path / "b.py"), "data.get_loader") == (
        str(tmp_path / "data.py"), ("get_loader",),
    )  # fmt: skip


@pytest.mark.parametrize("statement", ["from m{} import *", "from m{} import loader", "import m{}"])
def test_few_files_are_parsed_for_a_script(tmp_path: Path, monkeypatch, statement: str) -> None:
    # Each file imports all others, and all of them mention loaders.
    imports = "\n".join(statement.format(number) for number in range(150))
    calls = "\n".join(f"    m{number}.run(x)" for number in range(150))
    text = (
        f"from torch.utils.data import DataLoader\n{imports}\nloaders = DataLoader([1], num_workers=2)\n"
        f"def run(x):\n    DataLoader([1], num_workers=x)\n{calls}\n"
    )
    script = f"{imports}\nfor batch in loader: pass\nm0.run(2)\n"
    write(tmp_path, {**{f"m{number}.py": text for number in range(150)}, "main.py": script})
    parsed: list[str] = []
    parse = Project._parse

    def record(self: Project, path: str) -> ParsedModule | None:
        parsed.append(path)
        return parse(self, path)

    monkeypatch.setattr(Project, "_parse", record)
    checks = [check for check in REGISTRY.checks if check.name == "missing-main-guard"]
    examine_code([tmp_path / "main.py"], checks, Facts(), REGISTRY.knowledge)
    assert 0 < len(parsed) < 100


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


WORK = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool, Process

def run_all(count):
    with Pool(count) as pool:
        pool.map(abs, [1])

def process_files(names):
    return list(ProcessPoolExecutor(2).map(abs, names))

def start_one(target):
    worker = Process(target=target)
    worker.start()

def run_later(count):
    return lambda: Pool(count)

def run_plain(count):
    return count
"""
TUNE = """
from transformers import Trainer, TrainingArguments

def train(model):
    Trainer(model, TrainingArguments("out", dataloader_num_workers=4)).train()
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("from work import run_all\nrun_all(4)\n", 2),
        ("import work\nnames = work.process_files(['a'])\n", 2),
        ("import work as w\nw.start_one(print)\n", 2),
        ("import pkg\npkg.run_all(2)\n", 2),
        ("import pkg as p\np.run_all(2)\n", 2),
        ("from tune import train\ntrain(1)\n", 2),
        ("from work import run_all\nif __name__ == '__main__':\n    run_all(4)\n", None),
        ("from work import run_all\ndef main():\n    run_all(4)\n", None),
        ("from work import run_later\nrun_later(4)\n", None),
        ("from work import run_plain\nrun_plain(4)\n", None),
        ("import pkg\npkg.run_plain(2)\n", None),
        ("import sys\nfrom work import run_all\nif sys.platform == 'linux':\n    run_all(4)\n", None),
    ],
)
def test_processes_of_another_file_are_started(tmp_path: Path, text: str, line: int | None) -> None:
    package = "from work import run_all, run_plain\n"
    write(tmp_path, {"work.py": WORK, "tune.py": TUNE, "pkg/__init__.py": package, "main.py": text})
    assert find(tmp_path) == ({} if line is None else {"main.py": [line]})


PARTS = """
from torch.utils.data import DataLoader

class Trainer:
    def __init__(self, data, count=8):
        self.loader = DataLoader(data, num_workers=count)
    def start(self):
        for batch in self.loader: pass
    def stop(self):
        pass

class Loaders:
    def initialize(self, opt):
        self.made = DataLoader([1], num_workers=int(opt.threads))
    def load_data(self):
        return self.made

def get_first(configs):
    chosen = []
    for config in configs:
        chosen.append(config)
    return DataLoader([1], num_workers=chosen[0].workers)

def get_local(options):
    count = options.workers
    return DataLoader([1], num_workers=count)
"""
FACTORY = """
def create_loader(opt):
    from parts import Loaders
    made = Loaders()
    made.initialize(opt)
    return made

def create_trainer(count):
    from parts import Trainer
    return Trainer([1], count)
"""
SETTINGS = """
from dataclasses import dataclass

class Config:
    def __init__(self, **kwargs):
        self.workers = kwargs.get("workers", 2)

@dataclass
class Options:
    workers: int = 2

class Positional:
    def __init__(self, workers=2):
        self.workers = workers
"""
PARSED = "import argparse\nfrom factory import *\nopt = argparse.ArgumentParser().parse_args()\n"


@pytest.mark.parametrize(
    ("kept", "condition", "argument", "is_found"),
    [
        ("self.n = n", "self.n <= 1", "1", False),
        ("self.n = n", "self.n <= 1", "4", True),
        ("self.n = n", "self.n <= 1", "", True),
        ("self.n = n", "self.n <= 1", "count()", True),
        ("self.n = n or 8", "self.n < 2", "1", False),
        ("self.n = ifnone(n, 8)", "self.n == 1", "1", False),
        ("self.n = n if n is not None else 8", "not self.n > 1", "1", False),
        ("self.n = 8 if n is None else n", "not self.n > 1", "1", False),
        ("self.n = 8 if n is None else n", "not self.n > 1", "2", True),
        ("self.is_parallel = n is not None and n > 1 and not a", "not self.is_parallel", "1", False),
        ("self.is_parallel = n is not None and n > 1 and not a", "not self.is_parallel", "2", True),
        ("self.n = n\n        self.n = 4", "self.n <= 1", "1", True),
    ],
)
def test_pool_that_one_process_does_without_is_not_started(
    tmp_path: Path, kept: str, condition: str, argument: str, is_found: bool
) -> None:
    tokens = (
        "from multiprocessing import Pool\nclass Tokenizer:\n"
        f"    def __init__(self, n=None, a=False):\n        {kept}\n"
        f"    def run(self, texts):\n        if {condition}:\n            return list(map(str, texts))\n"
        "        with Pool(self.n) as pool:\n            return pool.map(str, texts)\n"
    )
    script = f"from tokens import Tokenizer\nTokenizer({argument}).run(['a'])\n"
    write(tmp_path, {"tokens.py": tokens, "train.py": script})
    assert find(tmp_path) == ({"train.py": [2]} if is_found else {})


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("import parts_package\nparts_package.Trainer([1]).start()\n", 2),
        ("import parts_package as p\nclass M(p.Trainer): pass\nt = M([1])\nt.start()\n", 4),
        ("import parts_package as p\nt = p.Trainer([1], 0)\nt.start()\n", None),
        ("import parts_package as p\nt = p.Trainer([1])\nt.stop()\n", None),
        (f"{PARSED}opt.threads = 1\nfor x in create_loader(opt).load_data(): pass\n", 5),
        (f"{PARSED}opt.threads = 1\nm = create_loader(opt)\nd = m.load_data()\nfor x in d: pass\n", 7),
        (f"{PARSED}opt.threads = 0\nfor x in create_loader(opt).load_data(): pass\n", None),
        (f"{PARSED}for x in create_loader(opt).load_data(): pass\n", None),
        ("from factory import create_trainer\ncreate_trainer(2).start()\n", 2),
        ("from factory import create_trainer\nt = create_trainer(2)\nt.stop()\n", None),
        ("from factory import create_trainer\nt = create_trainer(0)\nt.start()\n", None),
        (
            "from factory import create_trainer\ndef make(): return create_trainer(2)\nt = make()\nt.start()\n",
            4,
        ),
        *[
            (f"from parts import {get}\nfrom settings import {name}\nfor x in {call}: pass\n", line)
            for get, name, call, line in [
                ("get_first", "Config", "get_first([Config()])", 3),
                ("get_first", "Config", "get_first([Config(workers=4)])", 3),
                ("get_first", "Config", "get_first([Config(workers=0)])", None),
                ("get_first", "Config", "get_first([])", None),
                ("get_local", "Config", "get_local(Config())", 3),
                ("get_local", "Options", "get_local(Options())", 3),
                ("get_local", "Options", "get_local(Options(workers=0))", None),
                ("get_local", "Positional", "get_local(Positional())", 3),
                ("get_local", "Positional", "get_local(Positional(0))", None),
            ]
        ],
    ],
)
def test_what_two_files_pass_on_is_followed(tmp_path: Path, text: str, line: int | None) -> None:
    files = {"parts.py": PARTS, "factory.py": FACTORY, "settings.py": SETTINGS}
    write(tmp_path, {**files, "parts_package/__init__.py": "from parts import Trainer\n", "main.py": text})
    assert find(tmp_path) == ({} if line is None else {"main.py": [line]})


@pytest.mark.parametrize(
    ("change", "is_found"),
    [
        ("", True),
        ("opt.n = 0\n", False),
        ("if fast: opt.n = 0\n", True),
        ("opt.n = opt.n // 2\n", True),
        ("def unused():\n    opt.n = 0\n", True),
    ],
    ids=["none", "set", "in-a-branch", "from-itself", "in-a-function"],
)
def test_option_that_is_set_has_no_default(tmp_path: Path, change: str, is_found: bool) -> None:
    head = "import argparse\nfrom torch.utils.data import DataLoader\np = argparse.ArgumentParser()\n"
    parsed = "p.add_argument('--n', default=4)\nopt = p.parse_args()\n"
    text = f"{head}{parsed}{change}for x in DataLoader([1], num_workers=opt.n): pass\n"
    write(tmp_path, {"main.py": text})
    assert bool(find(tmp_path)) is is_found


@pytest.mark.parametrize(("text", "is_found"), [("", True), ("import pytest\n", False)])
def test_script_whose_name_begins_like_a_test_is_read(tmp_path: Path, text: str, is_found: bool) -> None:
    write(
        tmp_path, {"test_loader.py": f"{text}from data import get_loader\nfor x in get_loader('a'): pass\n"}
    )
    assert bool(find(tmp_path)) is is_found
