"""Scripts that work at import with loaders, trainers and settings of other files of their project."""

from pathlib import Path

import pytest

from tests.source.made_projects import DATA, REGISTRY, find, write
from torchdoctor.engine.code.examination import examine_code
from torchdoctor.facts import Facts
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.module.project import Project

OPTIONS = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--workers', default={})\na = p.parse_args()\n"


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
