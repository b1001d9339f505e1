"""Projects that are written for a test, and where a check finds something in them."""

from pathlib import Path

from torchdoctor.engine.code.examination import examine_code
from torchdoctor.engine.registry import load_registry
from torchdoctor.facts import Facts

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
