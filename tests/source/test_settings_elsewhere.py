"""Numbers of workers, transforms and start methods that another file of the project sets."""

from pathlib import Path

import pytest

from torchdoctor.engine.code.examination import examine_code
from torchdoctor.engine.registry import load_registry
from torchdoctor.facts import Facts

REGISTRY = load_registry()
LOOP = "from torch.utils.data import DataLoader\n{}\nfor batch in DataLoader([1], num_workers={}): pass\n"
DECLARED = "import argparse\ndef parse():\n    p = argparse.ArgumentParser()\n    p.add_argument('--workers', default={})\n"
OPTIONS = {
    "returned": DECLARED.format(4) + "    return p.parse_args()\n",
    "none": DECLARED.format(0) + "    return p.parse_args()\n",
    "on_linux": "import os\n" + DECLARED.format("0 if os.name == 'nt' else 4") + "    return p.parse_args()\n",
    "changed": (
        "import os\n" + DECLARED.format(4) + "    a = p.parse_args()\n    if os.name == 'nt': a.workers = 0\n    return a\n"
    ),
    "replaced": DECLARED.format(4) + "    p.set_defaults(workers=0)\n    return p.parse_args()\n",
    "parser": DECLARED.format(4) + "    return p\n",
    "two": DECLARED.format(4) + "    return p.parse_args()\n" + DECLARED.format(0).replace("parse()", "parse_few()") + "    return p.parse_args()\n",
    "constants": "import os\nMANY = 4\nFEW = 0\nCHANGED = 4\nif os.name == 'nt': CHANGED = 0\n",
    "adding": "def add(parser):\n    parser.add_argument('--workers', default=4)\n",
    "module": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--workers', default=4)\nargs, rest = p.parse_known_args()\n",
    "options": """
import argparse
class Base:
    def declare(self, parser):
        parser.add_argument("--workers", default=4)
        return parser
    def gather(self):
        return self.declare(argparse.ArgumentParser()).parse_args()
    def parse(self):
        self.opt = self.gather()
        return self.opt
class Options(Base):
    pass
""",
    "settings": """
import sys
from dataclasses import dataclass, field
from types import SimpleNamespace
from easydict import EasyDict
from yacs.config import CfgNode
@dataclass
class Data:
    workers: int = 4
    few: int = 0
    chosen: int = field(default=4)
@dataclass
class Config:
    data: Data = field(default_factory=Data)
class Plain:
    workers = 4
    def __init__(self):
        self.own = 4
        self.windows = 4
        if sys.platform == "win32":
            self.windows = 0
class Derived(Plain):
    pass
table = {"workers": 4, "few": 0}
namespace = SimpleNamespace(workers=4)
cfg = EasyDict()
cfg.TRAIN = EasyDict()
cfg.TRAIN.WORKERS = 4
cfg.TRAIN.FEW = 0
_C = CfgNode()
_C.WORKERS = 4
made = Plain()
def get_cfg():
    return _C.clone()
""",
}  # fmt: skip
TRANSFORMS = """
from torchvision import transforms
def scale(x):
    return x
def build(augment):
    steps = [transforms.ToTensor()]
    if augment:
        steps.append(transforms.Lambda(lambda x: x * 2))
    return transforms.Compose(steps)
def build_plain():
    return transforms.Compose([transforms.ToTensor(), scale])
def make_collate(size):
    def collate(batch):
        return batch[:size]
    return collate
class Scale:
    def __init__(self):
        self.f = lambda x: x
class Pickled:
    def __init__(self):
        self.f = lambda x: x
    def __getstate__(self):
        return {}
kept = lambda x: x
"""
DATASETS = """
from torch.utils.data import Dataset
class Images(Dataset):
    def __init__(self, root, transform=None):
        self.transform = transform
    def __getitem__(self, index): return index
    def __len__(self): return 4
def make(root, transform, key):
    return Images(root, transform=transform)
"""
USE = """from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder
from data import Images, make
from tf import Pickled, Scale, build, build_plain, kept, make_collate, scale
def main():
    loader = {}
    for batch in loader: pass
if __name__ == "__main__":
    main()
"""


def find(folder: Path, name: str, files: dict[str, str]) -> dict[str, list[int]]:
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")
    checks = [check for check in REGISTRY.checks if check.name == name]
    [outcome] = examine_code([folder], checks, Facts(), REGISTRY.knowledge).outcomes
    found: dict[str, list[int]] = {}
    for finding in outcome.findings:
        assert finding.location is not None
        found.setdefault(Path(finding.location.path).name, []).append(finding.location.line)
    return found


@pytest.mark.parametrize(
    ("setting", "workers", "is_found"),
    [
        ("from returned import parse; args = parse()", "args.workers", True),
        ("import returned; args = returned.parse()", "args.workers", True),
        ("from returned import parse; args = parse(); args.workers = 0", "args.workers", False),
        ("from none import parse; args = parse()", "args.workers", False),
        ("from on_linux import parse; args = parse()", "args.workers", False),
        ("from changed import parse; args = parse()", "args.workers", False),
        ("from replaced import parse; args = parse()", "args.workers", False),
        ("from parser import parse; args = parse().parse_args()", "args.workers", True),
        ("import argparse\nfrom adding import add\np = argparse.ArgumentParser(); add(p); args = p.parse_args()", "args.workers", True),
        ("from module import args", "args.workers", True),
        ("from module import args", "args.other", False),
        ("from options import Options; opt = Options().parse()", "int(opt.workers)", True),
        ("from options import Options; opt = Options(); opt.parse()", "opt.opt.workers", True),
        ("from settings import Config; cfg = Config()", "cfg.data.workers", True),
        ("from settings import Config; cfg = Config()", "cfg.data.chosen", True),
        ("from settings import Config; cfg = Config()", "cfg.data.few", False),
        ("from settings import Plain; cfg = Plain()", "cfg.own", True),
        ("from settings import Plain; cfg = Plain()", "cfg.windows", False),
        ("from settings import Derived; cfg = Derived()", "cfg.workers", True),
        ("from settings import Plain", "Plain.workers", True),
        ("from settings import made as opt", "opt.workers", True),
        ("from settings import table", "table['workers']", True),
        ("from settings import table", "table['few']", False),
        ("import settings", "settings.table['workers']", True),
        ("from settings import namespace as n", "n.workers", True),
        ("from settings import cfg", "cfg.TRAIN.WORKERS", True),
        ("from settings import cfg", "cfg.TRAIN.FEW", False),
        ("from settings import get_cfg; cfg = get_cfg()", "cfg.WORKERS", True),
        ("import copy\nfrom settings import cfg; c = copy.deepcopy(cfg)", "c.TRAIN.WORKERS", True),
        ("import tyro\nfrom settings import Data; cfg = tyro.cli(Data)", "cfg.workers", True),
        ("from settings import missing", "missing.workers", False),
        ("from settings import table", "table.get('workers', 0)", True),
        ("from settings import table", "table.get('few', 4 - 4)", False),
        ("from settings import table", "table.get('none', 0)", False),
        ("from constants import *", "MANY", True),
        ("from constants import *", "MANY // 2", True),
        ("from constants import *", "FEW", False),
        ("from constants import *", "CHANGED", False),
        ("from constants import *\nMANY = 0", "MANY", False),
        ("from constants import *\ndef MANY(): pass", "MANY", False),
        ("import constants\nconstants.MANY = 0", "constants.MANY", False),
        ("from two import parse; args = parse()", "args.workers", True),
        ("from two import parse_few; args = parse_few()", "args.workers", False),
    ],
)  # fmt: skip
def test_setting_of_another_file_is_followed(
    tmp_path: Path, setting: str, workers: str, is_found: bool
) -> None:
    files = {f"{name}.py": text for name, text in OPTIONS.items()}
    found = find(tmp_path, "missing-main-guard", {**files, "train.py": LOOP.format(setting, workers)})
    assert list(found) == (["train.py"] if is_found else [])


def test_class_in_an_annotation_is_followed(tmp_path: Path) -> None:
    body = LOOP.format("from settings import Data", "cfg.workers").replace(
        "for", "def f(cfg: Data):\n    for"
    )
    files = {"settings.py": OPTIONS["settings"], "train.py": body + "f(make())\n"}
    assert find(tmp_path, "missing-main-guard", files) == {"train.py": [5]}


@pytest.mark.parametrize(
    ("loader", "is_found"),
    [
        ("DataLoader(ImageFolder('x', transform=build(True)), num_workers=2)", True),
        ("DataLoader(ImageFolder('x', transform=build_plain()), num_workers=2)", False),
        ("DataLoader(ImageFolder('x', transform=build(True)), num_workers=0)", False),
        ("DataLoader(ImageFolder('x', transform=Scale()), num_workers=2)", True),
        ("DataLoader(ImageFolder('x', transform=Pickled()), num_workers=2)", False),
        ("DataLoader(ImageFolder('x', transform=kept), num_workers=2)", True),
        ("DataLoader(ImageFolder('x', transform=scale), num_workers=2)", False),
        ("DataLoader([1], num_workers=2, collate_fn=make_collate(3))", True),
        ("DataLoader([1], num_workers=2, collate_fn=scale)", False),
        ("DataLoader(Images('x', lambda x: x), num_workers=2)", True),
        ("DataLoader(make('x', lambda x: x, None), num_workers=2)", True),
        ("DataLoader(make('x', scale, key=lambda x: x), num_workers=2)", False),
        ("DataLoader(sorted([1], key=lambda x: x), num_workers=2)", False),
    ],
)
def test_transform_of_another_file_is_followed(tmp_path: Path, loader: str, is_found: bool) -> None:
    files = {"tf.py": TRANSFORMS, "data.py": DATASETS, "train.py": USE.format(loader)}
    found = find(tmp_path, "unpicklable-dataset", files)
    assert found == ({"train.py": [6]} if is_found else {})


@pytest.mark.parametrize(("method", "is_found"), [("fork", True), ("spawn", False)])
def test_start_method_of_another_file_is_followed(tmp_path: Path, method: str, is_found: bool) -> None:
    text = "import torch.multiprocessing as mp\nfrom returned import parse\nmp.set_start_method(parse().workers)\n"
    files = {"returned.py": OPTIONS["returned"].replace("4", repr(method)), "train.py": text}
    found = find(tmp_path, "fork-start-method", files)
    assert found == ({"train.py": [3]} if is_found else {})


@pytest.mark.parametrize("workers", [0, 2])
def test_factory_is_given_the_workers_by_another_file(tmp_path: Path, workers: int) -> None:
    factory = "from torch.utils.data import DataLoader\ndef make(**settings):\n    return DataLoader([1], **settings)\n"
    text = f"from factory import make\nfor batch in make(num_workers={workers}): pass\n"
    found = find(tmp_path, "missing-main-guard", {"factory.py": factory, "train.py": text})
    assert found == ({"train.py": [2]} if workers else {})


COUNT = """
from torch.utils.data import DataLoader
from settings import Plain
def gather(configs):
    made = []
    for each in configs:
        made.append(Plain())
    return DataLoader([1], num_workers=made[0].workers)
def make(configs):
    return DataLoader([1], num_workers=configs[0].workers)
def make_second(configs):
    return DataLoader([1], num_workers=configs[1].workers)
"""


@pytest.mark.parametrize(
    ("loader", "is_found"),
    [
        ("make([Plain()])", True),
        ("make([none, Plain()])", False),
        ("make_second((none, Plain()))", True),
        ("make_second([Plain()])", False),
        ("make([*none, Plain()])", False),
        ("make([Plain() for each in none])", True),
        ("make(configs)", True),
        ("gather(none)", True),
        ("make(none)", False),
    ],
)
def test_object_in_a_list_is_followed(tmp_path: Path, loader: str, is_found: bool) -> None:
    start = "from data import gather, make, make_second\nfrom settings import Plain\n"
    text = f"{start}none = len\nconfigs = [Plain()]\nfor batch in {loader}: pass\n"
    files = {"settings.py": OPTIONS["settings"], "data.py": COUNT, "train.py": text}
    found = find(tmp_path, "missing-main-guard", files)
    assert found == ({"train.py": [5]} if is_found else {})


def test_workers_in_the_script_of_a_cluster_say_nothing(tmp_path: Path) -> None:
    text = "#!/bin/bash\n#SBATCH --cpus-per-task=16\nsrun python train.py --workers 16\n"
    assert find(tmp_path, "workers-in-config", {"train.sh": text, "train.slurm": text}) == {}
