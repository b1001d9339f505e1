"""Files in which a check can find nothing are not parsed for it; most of a scan's time is for those that are."""

import pytest

from torchdoctor.engine.registry import load_registry
from torchdoctor.source.files.relevance import make_filter
from torchdoctor.source.source_file import FoundWords

CHECKS = {check.name: check for check in load_registry().checks}
GETTER = "def __getitem__(self, i): "
BASE = "def __init__(self, root): super(A, self).__init__(\n    root"


@pytest.mark.parametrize(
    ("check", "text", "matters"),
    [
        ("cuda-in-dataset", f"class A: {GETTER}return self.a.cuda()", False),
        ("cuda-in-dataset", f"class Dataset2: {GETTER}return self.a.cuda()", True),
        ("cuda-in-dataset", f"class B(IterDataPipe): {GETTER}return self.a.cuda()", True),
        ("unpicklable-dataset", f"class A: {GETTER}return (lambda: i)()", False),
        ("unpicklable-dataset", f"class A(MyDataset): {GETTER}return (lambda: i)()", True),
        ("unpicklable-dataset", f"def all(datasets): ...\nclass A(B): {GETTER}return (lambda: i)()", False),
        ("unpicklable-dataset", f"class aDATAset: {GETTER}return (lambda: i)()", True),
        ("unpicklable-dataset", f"import torchvision\nclass A(t.VOC): {GETTER}return (lambda: i)()", True),
        ("unpicklable-dataset", f"class A(B): {GETTER}return (lambda: i)()\nmake_loader(A(), None, 4)", True),
        ("unpicklable-dataset", f"class A(B): {GETTER}return self.transform(lambda: i)", False),
        ("unpicklable-dataset", f"class A(B): {GETTER}...\n{BASE}, transform=make(lambda: 1))", True),
        ("unpicklable-dataset", f"class A(B): {GETTER}...\n{BASE})\ndef f(transform=None): lambda: 1", False),
        ("unseeded-loader", f"class A(Dataset): {GETTER}return np.random.rand()", False),
        ("unseeded-loader", f"class A(Dataset): {GETTER}return np.random.rand()\nDataLoader(A())", True),
        ("posix-only", "from os import path, system", True),
        ("posix-only", "from os import (\n    path,\n    popen,\n)", True),
        ("posix-only", "from os import path", False),
        ("path-separator", "x = path.split('/')\nimport glob", True),
        ("path-separator", "x = path.split('.')\ny = '/'\nimport glob", False),
        ("path-separator", "x = path.split('/')[0]\nimport glob", True),
        ("path-separator", "x = path.split('/', len(a))\nimport glob", True),
        ("path-separator", "x = len(path.split('/'))\nimport glob", False),
        ("path-separator", "x = path.rfind('/')\nimport glob", True),
        ("workers-in-config", "add('--num_workers', type=int, default=8)", True),
        ("workers-in-config", "add('--num_workers', '-j', type=int, default=8)", True),
        ("workers-in-config", "add('--num_workers', type=int, default=0)\nadd('--x')", False),
        ("workers-in-config", "add('--num_workers', type=int)\nadd('--x', default=0)", True),
        ("workers-in-config", "flags.DEFINE_integer('num_workers', 8, 'Workers.')", True),
        ("workers-in-config", "data = {'workers': 8, 'workers_2': 2}", True),
        ("workers-in-config", "a = data['workers'], {'workers': 2}", False),
        ("missing-main-guard", "num_workers = 4\nBatchSampler(a)", False),
        ("missing-main-guard", "from torch_geometric.loader import S\nS(num_workers=4)", True),
        ("cuda-ipc-unsupported", "import multiprocessing as mp\nmp.Pool(4)", True),
        ("cuda-ipc-unsupported", "from torch.multiprocessing import Process as Started", True),
        ("cuda-ipc-unsupported", "from multiprocessing import pool\npool.ThreadPool(4)", False),
        ("cuda-ipc-unsupported", "# Process the batch of multiprocessing with a ContextManager.", False),
        ("illegal-filename", "open(f'a|{b}', 'w')", True),
        ("illegal-filename", "open(a, 'w')\nprint(f'a|{b}')", False),
        ("illegal-filename", "open(f'a_{b}: c', 'w')", True),
        ("illegal-filename", "open(f'a_{b}', 'w')", False),
    ],
)
def test_words_of_a_check_are_those_of_what_it_finds(check: str, text: str, matters: bool) -> None:
    may_matter = make_filter([CHECKS[check].words])
    assert may_matter(FoundWords(text.encode())) is matters
