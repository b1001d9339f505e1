"""Processes, pools and options that other files of a project start and set."""

from pathlib import Path

import pytest

from tests.source.made_projects import find, write

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
