"""Edits change what their finding reports, and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from torchdoctor.check import Check, Finding, Replacement
from torchdoctor.engine.registry import load_registry
from torchdoctor.source import SourceFile
from torchdoctor.source.edits.changes import Change, apply_replacements, plan_change
from torchdoctor.source.files.reading import parse_source

CHECKS = {check.name: check for check in load_registry().checks}
HEAD = "from torch.utils.data import DataLoader\n"


def plan_edit(name: str, text: str, path: str = "a.py") -> Change | None:
    source = parse_source(path, text.encode())
    assert isinstance(source, SourceFile)
    check: Check = CHECKS[name]
    return plan_change(
        source,
        lambda each: [(check, result) for result in check.function(each) if isinstance(result, Finding)],
    )


def edit(name: str, text: str) -> str | None:
    change = plan_edit(name, text)
    return None if change is None else change.after


def test_training_code_moves_under_a_guard() -> None:
    text = HEAD + "loader = DataLoader(data, num_workers=2)\nfor x in loader:\n    print(x)\n"
    assert edit("missing-main-guard", text) == HEAD + (
        'if __name__ == "__main__":\n'
        "    loader = DataLoader(data, num_workers=2)\n    for x in loader:\n        print(x)\n"
    )


@pytest.mark.parametrize("name", ["__main__", "main", "run"])
def test_call_of_any_function_is_guarded(name: str) -> None:
    text = f"{HEAD}def {name}():\n    for x in DataLoader(d, num_workers=2): print(x)\n"
    assert edit("missing-main-guard", f"{text}{name}()\n") == (
        f'{text}if __name__ == "__main__":\n    {name}()\n'
    )


def test_names_that_functions_read_stay_global() -> None:
    text = (
        HEAD
        + "def f():\n    for x in loader: print(x)\n\nloader = DataLoader(d, num_workers=2)\nx = f()\ng = lambda: x\n"
    )
    work = "    loader = DataLoader(d, num_workers=2)\n    x = f()\n    g = lambda: x\n"
    assert edit("missing-main-guard", text) == text[: text.index("loader = D")] + (
        f'if __name__ == "__main__":\n{work}'
    )


def test_guard_begins_before_all_that_workers_can_do_without() -> None:
    head = HEAD + "import os, shutil\nSIZE = 4\n"
    work = (
        "if os.path.exists('out'):\n    shutil.rmtree('out')\nimport argparse\nNAME = 'x'\nmodel = make()\n"
        "loader = DataLoader(d, num_workers=2)\ndef train():\n    for x in loader: model(x)\ntrain()\n"
    )
    indented = "".join(f"    {line}" for line in work.splitlines(keepends=True))
    assert edit("missing-main-guard", head + work) == f'{head}if __name__ == "__main__":\n{indented}'


@pytest.mark.parametrize(
    ("above", "work"),
    [
        ("def show(x): print(x)\n", "print('go')\n"),
        ("class D:\n    def __init__(self, n): self.n = n\n", "d = D(3)\n"),
        ("class D:\n    def __init__(self): self.a = [f.strip() for f in open('x')]\n", "d = D()\n"),
        ("from config import *\nclass D:\n    def __init__(self, n=SIZE): self.n = n\n", "d = D()\n"),
        ("", "m = make()\nfor k in [1]: setattr(m, 'a', k)\n"),
        (
            "@wrap\ndef read(m, k=1):\n    n = m + k\n    return lambda i: n + i\n",
            "m = make()\nfor k in [1]: read(m, k)\n",
        ),
    ],
    ids=["print", "self", "variable", "star", "setattr", "parameter"],
)
def test_guard_begins_before_what_only_shares_names_with_workers(above: str, work: str) -> None:
    loop = "loader = DataLoader(data, num_workers=2)\nfor x in loader: show(x)\n"
    indented = "".join(f"    {line}" for line in (work + loop).splitlines(keepends=True))
    changed = edit("missing-main-guard", HEAD + above + work + loop)
    assert changed == f'{HEAD}{above}if __name__ == "__main__":\n{indented}'


@pytest.mark.parametrize(
    ("above", "work"),
    [
        ("def collate(x): return SIZE\nSIZE = 3\n", "d = make(collate)\n"),
        ("class D:\n    size = SIZE\nSIZE = 3\nclass E(D): pass\n", "d = E()\n"),
        ("import os\nif os.path.exists('a'):\n    class D: pass\n", "d = D()\n"),
        ("def init(i): return read(i)\ndef read(i): pass\n", "d = make(init)\n"),
        ("@wrap\ndef read(i): pass\n", "d = read(1)\n"),
        ("@wrap\ndef read(i=SIZE): pass\n", "d = read(1)\n"),
        ("from a import *\n", "d = read(1)\n"),
        ("if __name__ == '__main__':\n    print(1)\n", "d = 1 + 1\n"),
    ],
)
def test_what_workers_may_need_stays_above_the_guard(above: str, work: str) -> None:
    loop = "for x in DataLoader(d, num_workers=2): pass\n"
    expected = f'{HEAD}{above}if __name__ == "__main__":\n    {work}    {loop}'
    assert edit("missing-main-guard", HEAD + above + work + loop) == expected


@pytest.mark.parametrize(
    "change",
    [
        "K.append(4)",
        "K[0] = 4",
        "K[:] = [4]",
        "del K[0]",
        "fill()",
        "fill_it(K)",
        "for K[0] in [4]: pass",
        "alias = K",
        "D.size = 4",
        "math.flag = True",
        "math.table['a'] = 1",
        "setattr(D, 'size', 4)",
        "math.set_threads(0)",
        "math.setup()",
        "math.getcontext().prec = 5",
        "globals()['K'] = 4",
        "math.register(K)",
    ],
)
def test_what_changes_values_of_workers_stays_above_the_guard(change: str) -> None:
    above = (
        "import math\nK = [1]\nclass D:\n    def __getitem__(self, i): return K\n"
        "def fill(): K.append(4)\ndef fill_it(k): k.append(4)\n"
    )
    loop = "for x in DataLoader(D(), num_workers=2): pass\n"
    changed = edit("missing-main-guard", f"{HEAD}{above}{change}\nprint(1)\n{loop}")
    assert changed == f'{HEAD}{above}{change}\nif __name__ == "__main__":\n    print(1)\n    {loop}'


def test_no_guard_where_the_name_is_another_one() -> None:
    assert (
        edit("missing-main-guard", HEAD + "__name__ = 'a'\nfor x in DataLoader(d, num_workers=2): pass\n")
        is None
    )


@pytest.mark.parametrize(
    "local",
    [
        "max = 5",
        "import json as np",
        "from math import pow as max",
        "def np(): pass",
        "class np: pass",
        "for max in []: pass",
        "(max := 5)",
        "with a as max: pass",
        "try: pass\n    except E as max: pass",
    ],
)
def test_lambda_that_uses_a_name_of_its_function_stays(local: str) -> None:
    text = (
        f"{HEAD}import numpy as np\ndef main():\n    {local}\n"
        "    return DataLoader(d, num_workers=2, collate_fn=lambda b: (np, max, b))\n"
    )
    assert edit("unpicklable-dataset", text) is None
    assert edit("unpicklable-dataset", text.replace(local, "other = 5")) is not None


def test_lambda_that_uses_a_changed_builtin_stays() -> None:
    text = HEAD + "max = 5\nloader = DataLoader(d, num_workers=2, collate_fn=lambda b: max(b))\n"
    assert edit("unpicklable-dataset", text) is None


@pytest.mark.parametrize(
    "effect",
    [
        "import shutil\nif 1:\n    shutil.rmtree('out')\n",
        "log = open('log', 'w')\n",
        "log = open('log', mode='x')\n",
        "from torch.utils.tensorboard import SummaryWriter\nlog = SummaryWriter()\n",
        "import wandb as w\nlog = w.init()\n",
        "log = input()\n",
        "from torch import distributed as dist\nlog = dist.init_process_group('gloo')\n",
    ],
)
def test_no_guard_below_what_must_happen_once(effect: str) -> None:
    used = "class D:\n    def f(self): return log\n"
    loop = "for x in DataLoader(d, num_workers=2): pass\n"
    assert edit("missing-main-guard", HEAD + effect + used + loop) is None
    assert edit("missing-main-guard", HEAD + "log = open('log', mode='r')\n" + used + loop) is not None


@pytest.mark.parametrize(
    "literal",
    ['"""one\n  two\nthree"""', "'''a\n\n b'''", "f'''x\n{1}\ny'''", "'a\\\nb'"],
    ids=["triple", "blank-line", "f-string", "continued"],
)
def test_multi_line_strings_keep_their_value(literal: str) -> None:
    text = f"{HEAD}count = 0\ndef f(): return count\nfor x in DataLoader(d, num_workers=2):\n    count = {literal}\n"
    changed = edit("missing-main-guard", text)
    assert changed is not None
    assert eval(changed[changed.index("count = ", changed.index("for")) + 8 :]) == eval(literal)


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "for x in DataLoader(d, num_workers=2): pass\ndef f(): pass\n",
        HEAD + "for x in DataLoader(d, num_workers=2): pass\nclass D: pass\n",
        HEAD + "for x in DataLoader(d, num_workers=2): pass\ndef f(): pass\ng(f)\n",
        HEAD + "import os; [x for x in DataLoader(d, num_workers=2)]\n",
    ],
    ids=["definition-after", "class-after", "passed-function-after", "same-line"],
)
def test_unsafe_guard_is_not_offered(text: str) -> None:
    assert plan_edit("missing-main-guard", text) is None


def test_tabs_stay_tabs() -> None:
    text = HEAD + "for x in DataLoader(d, num_workers=2):\n\tprint(x)\n"
    changed = edit("missing-main-guard", text)
    assert changed is not None
    assert "\n\tfor x in" in changed
    assert "\n\t\tprint(x)" in changed


def test_crlf_line_endings_stay() -> None:
    text = (HEAD + "for x in DataLoader(d, num_workers=2):\n    print(x)").replace("\n", "\r\n")
    changed = edit("missing-main-guard", text)
    assert changed is not None
    assert changed.count("\n") == changed.count("\r\n")


def test_lambda_becomes_a_function() -> None:
    text = (
        HEAD
        + "\ndef make(data):\n    return DataLoader(data, collate_fn=lambda batch: batch[0], num_workers=2)\n"
    )
    assert edit("unpicklable-dataset", text) == HEAD + (
        "\n\ndef apply_collate_fn(batch):\n    return batch[0]\n\n\n"
        "def make(data):\n    return DataLoader(data, collate_fn=apply_collate_fn, num_workers=2)\n"
    )


def test_lambda_that_uses_a_local_name_is_kept() -> None:
    text = (
        HEAD
        + "def make(data, pad):\n    return DataLoader(data, collate_fn=lambda b: pad(b), num_workers=2)\n"
    )
    assert plan_edit("unpicklable-dataset", text) is None


def test_diff_is_unified() -> None:
    change = Change("src/a.py", "a\nb\n", "a\nc", ("",))
    assert (
        change.diff()
        == b"--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n"
    )


ODD_LINES = ("\f", "\v", "\x1c", "\x85", "\u2028", "\u2029", "\r", "\r\n", "\n")


@pytest.mark.parametrize("start", ["", "\ufeff", "# coding: cp1251\n", "# coding: shift_jis\n"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_diff_applies_to_the_bytes_of_the_file(tmp_path: Path, start: str, line_end: str) -> None:
    encoding = start[10:-1] or "utf-8"
    odd = [each for each in ODD_LINES if each.isascii() or encoding == "utf-8"]
    text = f"{start}a = 'Ж'\nb\n" + "".join(f"# {each}#\n" for each in odd) + "c"
    before, after = (each.replace("\n", line_end) for each in (text, text.replace("\nb\n", "\nB\nЖ\n")))
    file = tmp_path / "a.py"
    file.write_bytes(before.encode(encoding))
    patch = Change("a.py", before, after, ("",), encoding).diff()
    subprocess.run(["git", "apply", "-"], input=patch, cwd=tmp_path, check=True, capture_output=True)
    assert file.read_bytes() == after.encode(encoding)


def test_replacements_may_come_in_any_order() -> None:
    assert apply_replacements("abcd", [Replacement(3, 4, "D"), Replacement(0, 1, "AA")]) == "AAbcD"


def test_guarded_script_runs(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    text = (
        "import concurrent.futures\ntotal = 0\nwith concurrent.futures.ProcessPoolExecutor() as pool:\n"
        "    for value in [1, 2]:\n        total += value\nprint(total)\n"
    )
    path.write_text(text, encoding="utf-8")
    change = plan_edit("missing-main-guard", text, str(path))
    assert change is not None
    path.write_text(change.after, encoding="utf-8")
    result = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    assert result.stdout == "3\n"


def write_prefetcher(block: str, stream: str = "torch.cuda.Stream()", wait: str = "") -> str:
    """Return a prefetcher that runs a block of code in its stream, and waits for it with the line `wait`."""
    wait = wait or "torch.cuda.current_stream().wait_stream(self.stream)"
    lines = "".join(f"            {line}\n" for line in block.splitlines())
    return (
        "import torch\n\n\nclass Prefetcher:\n    def __init__(self, loader):\n        self.loader = iter(loader)\n"
        f"        self.stream = {stream}  # one a process\n\n    def preload(self):\n"
        f"        self.batch = next(self.loader)\n        with torch.cuda.stream(self.stream):\n{lines}\n"
        f"    def next(self):\n        {wait}\n        return self.batch\n"
    )


MOVE = "self.batch = self.batch.cuda()"


@pytest.mark.parametrize(
    "block",
    [
        "self.batch = self.batch.cuda(non_blocking=True)",
        "for name in self.batch:\n    if torch.is_tensor(self.batch[name]):\n        self.batch[name] = self.batch[name].to(\n            device=0, non_blocking=True\n        )",
        "self.images, self.targets = self.images.to(0), self.targets.to(0)",
        "self.batch = {name: value.cuda() for name, value in self.batch.items()}",
        "self.batch = [each.cuda() if torch.is_tensor(each) else each for each in self.batch]",
    ],
    ids=["one", "loop", "pair", "dictionary", "list"],
)
def test_loader_uses_streams_only_where_there_is_a_gpu(block: str) -> None:
    text = write_prefetcher(block)
    changed = edit("background-loader-stream", text)
    assert changed is not None
    for line in (
        "with torch.cuda.stream(self.stream):",
        "torch.cuda.current_stream().wait_stream(self.stream)",
    ):
        assert f"        if torch.cuda.is_available():\n            {line}\n" in changed
    before = text.replace("Stream()  #", "Stream() if torch.cuda.is_available() else None  #")
    lines = [line.strip() for line in changed.splitlines() if line.strip() != "if torch.cuda.is_available():"]
    assert lines == [line.strip() for line in before.splitlines()]


@pytest.mark.parametrize(
    "text",
    [
        write_prefetcher("self.batch = self.batch.cuda().float().sub_(self.mean)"),
        write_prefetcher("self.batch = self.batch.to(0, torch.float16)"),
        write_prefetcher("self.batch = self.batch.to(0, dtype=torch.float16)"),
        write_prefetcher("self.batch = {k: v.cuda() for k, v in self.batch.items() if torch.is_tensor(v)}"),
        write_prefetcher("self.batch = next(self.loader)"),
        write_prefetcher("self.other = self.batch.cuda()"),
        write_prefetcher(MOVE, wait="x = 1; self.stream.synchronize()"),
        write_prefetcher(MOVE, wait="batch = self.batch.cuda()"),
        write_prefetcher(MOVE, wait="return self.share(self.stream)"),
        write_prefetcher(MOVE, stream="wrap(torch.cuda.Stream())"),
        write_prefetcher("self.batch = self.batch.to(self.dtype)"),
        write_prefetcher("self.batch = self.batch.to(*self.places)"),
        write_prefetcher("self.batch = {**self.batch}"),
        write_prefetcher("if (more := next(self.loader)) is not None:\n    self.batch = self.batch.cuda()"),
        write_prefetcher("for self.batch in self.loader:\n    self.batch = self.batch.cuda()"),
        write_prefetcher(MOVE, wait="self.queue.put(self.batch.cuda())"),
        write_prefetcher(MOVE, wait="self.ready.append((self.batch, torch.cuda.current_stream()))"),
        write_prefetcher(MOVE, wait="self.load(self.stream)"),
        write_prefetcher(MOVE, wait="self.record_stream(self.batch)"),
        write_prefetcher(MOVE, wait="threading.Thread(target=self.work, args=(self.stream,)).start()"),
        write_prefetcher(MOVE, wait="zeros = torch.zeros(3, device='cuda')"),
        write_prefetcher(MOVE, wait="batch = self.batch.type(torch.cuda.FloatTensor)"),
        write_prefetcher(MOVE, wait="self.streams.append(torch.cuda.Stream())"),
        write_prefetcher(MOVE, wait="torch.cuda.set_device(self.choose())"),
        write_prefetcher(MOVE)
        + "\n\nclass Other(Prefetcher):\n    def last(self):\n        self.stream.synchronize()\n",
        write_prefetcher(MOVE)
        .replace("import torch\n", "")
        .replace("        self.loader =", "        import torch\n        self.loader ="),
        write_prefetcher(MOVE, wait="torch.cuda.synchronize()").replace(
            "(self, loader)", "(self, loader, torch=torch)"
        ),
        write_prefetcher(
            MOVE,
            stream="None\n        try:\n            self.stream = torch.cuda.Stream()\n        except Exception:\n            pass",
        ),
        write_prefetcher(MOVE, stream="Stream()").replace(
            "torch\n", "torch\nfrom torch.cuda import Stream\n", 1
        ),
    ],
    ids=[
        "arithmetic",
        "type",
        "type by name",
        "filter",
        "reads there",
        "other place",
        "two on a line",
        "moved elsewhere",
        "stream passed on",
        "wrapped stream",
        "type of its own",
        "starred",
        "copy",
        "read in a condition",
        "read by a loop",
        "put into a queue",
        "kept in a list",
        "own method",
        "own method of a tensor's name",
        "thread",
        "other call that needs CUDA",
        "CUDA type",
        "list of streams",
        "device by a call",
        "derived class",
        "late import",
        "other name of torch",
        "caught",
        "imported name",
    ],
)
def test_stream_edit_that_could_change_batches_is_not_offered(text: str) -> None:
    source = parse_source("a.py", text.encode())
    assert isinstance(source, SourceFile)
    assert any(isinstance(each, Finding) for each in CHECKS["background-loader-stream"].function(source))
    assert plan_edit("background-loader-stream", text) is None


def test_stream_edit_keeps_tabs_and_strings() -> None:
    text = write_prefetcher(MOVE, wait="torch.cuda.set_device(RANKS['''a\n'''])").replace("    ", "\t")
    changed = edit("background-loader-stream", text)
    assert changed is not None
    assert "\t\tif torch.cuda.is_available():\n\t\t\ttorch.cuda.set_device(RANKS['''a\n'''])\n" in changed


@pytest.mark.parametrize("function", [
    "lambda b: b.__secret", "lambda b: __class__", "lambda b: super().f(b)", "lambda b, n=n: b[n]",
    "lambda b, *, n=n: b[n]", "lambda b: eval('b')", "lambda b: locals()", "lambda b: f(__x=b)", "lambda b: [n for n in [n]][0] + b", "lambda b: b[lambda n=n: n]", "lambda b: __b(b)",
])  # fmt: skip
def test_lambda_that_means_something_else_elsewhere_stays(function: str) -> None:
    text = (
        HEAD
        + f"class C:\n    def f(self, n, d):\n        return DataLoader(d, num_workers=2, collate_fn={function})\n"
    )
    assert edit("unpicklable-dataset", text) is None


def test_each_lambda_becomes_a_function_of_its_own() -> None:
    call = "DataLoader(d, num_workers=2, collate_fn=lambda b: b[{}])\n"
    text = HEAD + f"def f(d): return {call.format(0)}\n\ndef g(d): return {call.format(1)}"
    assert edit("unpicklable-dataset", text) == HEAD + (
        "\n\ndef apply_collate_fn(b):\n    return b[0]\n\n\n"
        "def f(d): return DataLoader(d, num_workers=2, collate_fn=apply_collate_fn)\n\n\n"
        "def apply_collate_fn_2(b):\n    return b[1]\n\n\n"
        "def g(d): return DataLoader(d, num_workers=2, collate_fn=apply_collate_fn_2)\n"
    )


@pytest.mark.parametrize(
    ("body", "name"), [("b[0]", "apply_collate_fn"), ("b", "identity")], ids=["other", "identity"]
)
def test_equal_lambdas_become_one_function(body: str, name: str) -> None:
    user = "def f{}(d): return DataLoader(d, num_workers=2, collate_fn={})\n"
    text = "".join(user.format(number, f"lambda b: {body}") for number in range(3))
    changed = "".join(user.format(number, name) for number in range(3))
    assert edit("unpicklable-dataset", HEAD + text) == (
        f"{HEAD}\n\ndef {name}(b):\n    return {body}\n\n\n{changed}"
    )


def test_function_is_not_named_identity_where_that_is_another_name() -> None:
    text = f"{HEAD}identity = 1\ndef f(d): return DataLoader(d, num_workers=2, collate_fn=lambda b: b)\n"
    assert "collate_fn=apply_collate_fn" in (edit("unpicklable-dataset", text) or "")


@pytest.mark.parametrize(
    ("above", "parameter", "expected"),
    [
        ("def first(b):\n    return b[0]\n", "", "first"),
        ("def first(b):\n    return b[1]\n", "", "apply_collate_fn"),
        ("@trace\ndef first(b):\n    return b[0]\n", "", "apply_collate_fn"),
        ("def first(b):\n    return b[0]\n", ", first=None", "apply_collate_fn"),
        ("def first(b):\n    return b[0]\nfirst = wrap(first)\n", "", "apply_collate_fn"),
        ("if a:\n    def first(b):\n        return b[0]\n", "", "apply_collate_fn"),
    ],
    ids=["same", "other", "decorated", "hidden", "rebound", "conditional"],
)
def test_function_of_the_file_takes_the_place_of_an_equal_lambda(
    above: str, parameter: str, expected: str
) -> None:
    user = f"def f(d{parameter}): return DataLoader(d, num_workers=2, collate_fn="
    changed = edit("unpicklable-dataset", f"{HEAD}{above}{user}lambda b: b[0])\n")
    assert changed is not None
    assert changed.endswith(f"{user}{expected})\n")


def test_function_below_its_user_does_not_take_the_place_of_a_lambda() -> None:
    text = (
        "from torch.utils.data import Dataset\nclass D(Dataset):\n"
        "    def __init__(self, f=lambda b: b[0]): self.f = f\ndef first(b):\n    return b[0]\n"
    )
    assert "f=apply_f)" in (edit("unpicklable-dataset", text) or "")


def test_functions_of_one_statement_keep_their_order() -> None:
    text = (
        HEAD
        + "class D(Dataset):\n    def __init__(self):\n        self.f = lambda x: +x\n        self.g = lambda x: -x\n"
    )
    changed = edit("unpicklable-dataset", "from torch.utils.data import Dataset\n" + text)
    assert changed is not None
    assert changed.index("def apply_f(x)") < changed.index("def apply_g(x)") < changed.index("class D")


@pytest.mark.parametrize(
    "work",
    [
        "match [3, 4]:\n    case [k, *rest]: pass\nshow('k')",
        "max = max\nshown.append(max([2, 3]))",
        "max = max(1, 2)\nshown.append(max)",
        "k = 5\nshown.append(eval('k'))",
        "k = 5\nshown.append('{k}'.format_map(globals()))",
        "k: int = 5\nshown.append(__annotations__['k'])",
        "k = 5\ndel k\nshown.append('k' in vars())",
    ],
    ids=["capture", "builtin", "shadowed", "eval", "format-map", "annotation", "deleted"],
)
def test_guarded_work_does_the_same(work: str) -> None:
    text = (
        "from torch.utils.data import DataLoader\nshown = []\n"
        "def show(name): shown.append(globals()[name])\n"
        f"k = 1\nloader = DataLoader([], num_workers=2)\nfor x in loader: pass\n{work}\n"
    )
    changed = edit("missing-main-guard", text)
    assert changed is not None
    results = []
    for code in (text, changed):
        names = {"__name__": "__main__"}
        code = code.replace(
            "from torch.utils.data import DataLoader", "def DataLoader(*_, **options): return []"
        )
        exec(compile(code, "a.py", "exec"), names)
        results.append(names["shown"])
    assert results[0] == results[1] != []


@pytest.mark.parametrize(
    "maker",
    ["collections.namedtuple('P', 'a b')", "enum.Enum('P', 'A B')", "type('P', (), {})"],
    ids=["namedtuple", "enum", "type"],
)
def test_class_that_a_call_makes_stays_above_the_guard(maker: str) -> None:
    text = f"import collections, enum\n{HEAD}P = {maker}\nfor x in DataLoader([P], num_workers=2): pass\n"
    assert edit("missing-main-guard", text) == text.replace("for x", 'if __name__ == "__main__":\n    for x')


LOOP = "for x in DataLoader(d, num_workers=2): pass\n"


def guard(work: str) -> str:
    lines = work.splitlines(keepends=True)
    return 'if __name__ == "__main__":\n' + "".join(f"    {line}" if line.strip() else line for line in lines)


def test_one_blank_line_stays_between_parts_of_the_work() -> None:
    first, second = "print(1)\n", "print('''a\n\n\n''')\n"
    text = f"{HEAD}\n\n{first}\n\n\n{second}\n\n{LOOP}\n\n"
    expected = f"    {first}\n    {second}\n    {LOOP}\n\n"
    assert edit("missing-main-guard", text) == f'{HEAD}\n\nif __name__ == "__main__":\n{expected}'


def test_warning_for_importers_stays_above_the_guard() -> None:
    above = f"import warnings\n{HEAD}warnings.warn('old')\n"
    assert edit("missing-main-guard", above + LOOP) == above + guard(LOOP)


def test_comments_above_the_work_go_with_it() -> None:
    above = f"{HEAD}# Settings\nSIZE = 4\n# ----\n\n"
    work = f"# Train,\n# slowly\n{LOOP}"
    assert edit("missing-main-guard", above + work) == above + guard(work)


def test_comments_at_the_start_of_a_file_stay_there() -> None:
    above = "#!/usr/bin/env python\n# Licence\nimport concurrent.futures\n"
    work = "pool = concurrent.futures.ProcessPoolExecutor()\npool.submit(print)\n"
    assert edit("missing-main-guard", above + work) == above + guard(work)


@pytest.mark.parametrize(("width", "expected"), [(2, 2), (5, 4), (8, 8)], ids=["two", "slip", "eight"])
def test_indentation_is_that_of_the_file(width: int, expected: int) -> None:
    above = f"{HEAD}class D:\n{' ' * width}size = 2\n"
    assert edit("missing-main-guard", above + LOOP) == (
        f'{above}if __name__ == "__main__":\n{" " * expected}{LOOP}'
    )


@pytest.mark.parametrize("reader", ["", "print(f().__doc__)\n"], ids=["unread", "read"])
def test_docstring_is_indented_with_its_function(reader: str) -> None:
    work = f"""d = make()\ndef f():\n    '''Text.\n\n    More.\n    '''\nf()\n{reader}{LOOP}"""
    expected = guard(work)
    if reader:
        expected = expected.replace("        More.\n        '", "    More.\n    '")
    assert edit("missing-main-guard", HEAD + work) == HEAD + expected


@pytest.mark.parametrize(
    "text",
    [
        f"print(1)\nif __name__ == '__main':\n    {LOOP}",
        f"{LOOP}is_main = __name__ == '__main__'\n",
        f"#%% data\nd = make()\n# %% train\n{LOOP}",
    ],
    ids=["mistyped", "kept-test", "cells"],
)
def test_no_guard_where_the_script_is_divided_already(text: str) -> None:
    assert edit("missing-main-guard", HEAD + text) is None


@pytest.mark.parametrize(
    "statement",
    [
        "cudnn.benchmark = True",
        "torch.backends.cuda.matmul.allow_tf32 = True",
        "model.apply(init)",
        "@torch.no_grad()\ndef test(): model.eval()\ntest()",
        "opt.size = 4",
        "show(opt.size, width)",
        "net = torch.setup('large')",
        "logging.basicConfig(level='INFO')",
        "model.setup('fit')",
        "parts = Path.settings_of('a')",
        "parser.add_argument('--d', type=D)",
        "parser.add_argument('--d', type=Path)",
        "run()",
    ],
)
def test_what_only_the_main_process_needs_goes_under_the_guard(statement: str) -> None:
    above = (
        "import argparse, torch\nfrom pathlib import Path\nimport torch.backends.cudnn as cudnn\nwidth = int('4')\n"
        "class D:\n    def __getitem__(self, i): return width\n"
    )
    work = (
        "parser = argparse.ArgumentParser()\nopt = parser.parse_args()\nmodel = make(D())\ndef init(m): m.fill(0)\n"
        f"model.apply(init)\ndef run(): model.train()\n{statement}\nrun()\n{LOOP}"
    )
    assert edit("missing-main-guard", HEAD + above + work) == HEAD + above + guard(work)


@pytest.mark.parametrize(
    "statement",
    [
        "PIL.ImageFile.LOAD_TRUNCATED_IMAGES = True",
        "np.table['a'] = 1",
        "cfg.merge_from_file('a')",
        "update_config(cfg, 'a')",
    ],
)
def test_what_workers_may_read_in_other_files_stays_above_the_guard(statement: str) -> None:
    above = f"import PIL\nimport numpy as np\nfrom config import cfg, update_config\n{statement}\n"
    changed = edit("missing-main-guard", f"{HEAD}{above}print(1)\n{LOOP}")
    assert changed == HEAD + above + guard(f"print(1)\n{LOOP}")


@pytest.mark.parametrize(
    "reader",
    [
        "class D:\n    def __getitem__(self, i): logging.info(i)\n",
        "@wrap\ndef collate(items): logger.debug(items)\n",
    ],
)
def test_setting_of_what_workers_log_stays_above_the_guard(reader: str) -> None:
    above = f"import logging\nlogger = logging.getLogger()\n{reader}logging.basicConfig(level=10)\n"
    assert edit("missing-main-guard", f"{HEAD}{above}{LOOP}") == HEAD + above + guard(LOOP)


def test_function_that_a_pool_applies_stays_above_the_guard() -> None:
    above, work = "def make(n=1): return n\n", f"print(pool.apply(make))\n{LOOP}"
    assert edit("missing-main-guard", HEAD + above + work) == HEAD + above + guard(work)


def test_what_is_read_by_a_function_that_is_called_above_the_guard_stays_there() -> None:
    above = "k = make()\ndef f(): return k\nf()\nclass D: pass\n"
    assert edit("missing-main-guard", f"{HEAD}{above}{LOOP}") == HEAD + above + guard(LOOP)


@pytest.mark.parametrize("caller", ["class D:\n    def f(self): return f()\n", "@wrap\ndef g(): f()\n"])
def test_what_is_read_by_a_function_that_workers_call_stays_above_the_guard(caller: str) -> None:
    above = f"{caller}def f(): return k\nk = make()\n"
    assert edit("missing-main-guard", f"{HEAD}{above}print(1)\n{LOOP}") == HEAD + above + guard(
        f"print(1)\n{LOOP}"
    )


def test_no_guard_around_another_value_for_workers() -> None:
    text = f"{HEAD}k = 0\nclass D:\n    def __getitem__(self, i): return k\nd = D()\n{LOOP}"
    assert edit("missing-main-guard", text) is not None
    assert edit("missing-main-guard", f"{text}k = 5\n{LOOP}") is None


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("self._pre = lambda x: -x", "apply_pre"),
        ("self.counts = defaultdict(lambda: 4)", "make_default"),
        ("self.t = Compose([Lambda(lambda x: -x)])", "apply_t"),
        ("self.t: object = lambda *x: x", "apply_t"),
        ("self.t = []; self.t.append(lambda x: -x)", "apply_t"),
        ("self.t = {}; self.t['a'] = lambda x: -x", "apply_t"),
        ("self.t = dict(crop=lambda x: -x)", "apply_crop"),
        ("self.t = dict(crop=dict(func=lambda x: -x))", "apply_crop"),
    ],
)
def test_function_is_named_after_what_keeps_it(code: str, name: str) -> None:
    text = (
        f"from torch.utils.data import Dataset\nclass D(Dataset):\n    def __init__(self):\n        {code}\n"
    )
    assert f"\n\n\ndef {name}(" in (edit("unpicklable-dataset", text) or "")


@pytest.mark.parametrize(
    ("default", "given"),
    [("", "lambda x: -x"), ("=lambda x: -x", ""), ("=lambda x: -x, /", "")],
    ids=["given", "default", "positional"],
)
def test_function_is_named_after_the_parameter_that_gets_it(default: str, given: str) -> None:
    text = (
        f"{HEAD}class D(Dataset):\n    def __init__(self, root, crop{default}): self.crop = crop\n"
        f"loader = DataLoader(D('a', {given}), num_workers=2)\n"
    )
    assert "def apply_crop(x):" in (edit("unpicklable-dataset", text) or "")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("dict(\n        x=x,\n    )", "dict(\n        x=x,\n    )"),
        ("dict(a=x,\n" + " " * 66 + "b=1)", "dict(a=x,\n                b=1)"),
        ("(x -\n  1)", "(x -\n        1)"),
        ("'''a\nb''' + x", "'''a\nb''' + x"),
    ],
    ids=["closed", "aligned", "parentheses", "string"],
)
def test_body_of_several_lines_is_indented_with_the_function(body: str, expected: str) -> None:
    text = f"{HEAD}def f(d):\n    return DataLoader(d, num_workers=2, collate_fn=lambda x: {body})\n"
    changed = edit("unpicklable-dataset", text)
    assert f"def apply_collate_fn(x):\n    return {expected}\n\n\n" in (changed or "")


def test_function_goes_above_the_comments_of_its_user() -> None:
    user = "# Make a loader.\n@wrap\ndef f(d):\n    return DataLoader(d, num_workers=2, collate_fn={})\n"
    changed = edit("unpicklable-dataset", HEAD + "a = 1\n\n" + user.format("lambda x: -x"))
    function = "def apply_collate_fn(x):\n    return -x\n\n\n"
    assert changed == f"{HEAD}a = 1\n\n\n{function}{user.format('apply_collate_fn')}"


def test_function_under_no_grad_goes_under_the_guard() -> None:
    above = "import torch\nfrom torch.utils.data import DataLoader\n"
    work = (
        "data = torch.load('data.pt')\n@torch.no_grad()\ndef test():\n    return data.sum()\n"
        "test()\nfor x in DataLoader(data, num_workers=2):\n    print(test())\n"
    )
    guarded = "".join(f"    {line}\n" for line in work.splitlines())
    assert edit("missing-main-guard", above + work) == f'{above}if __name__ == "__main__":\n{guarded}'


@pytest.mark.parametrize(
    ("above", "rest"),
    [
        ("size = 3\n", ""),
        ("data = Images('a')\n", ""),
        ("data = load_data('a')\n", "; line 2 stays above it, and each worker repeats that work"),
        (
            "data = load_data('a')\nnet = Net().to('cuda')\n",
            "; lines 2, 3 stay above it, and each worker repeats that work, and takes GPU memory where the script does",
        ),
        (
            "".join(f"data{number} = load_data('a')\n" for number in range(6)),
            "; lines 2, 3, 4, 5 and 2 more stay above it, and each worker repeats that work",
        ),
        ("import os\nos.makedirs('runs', exist_ok=True)\n", ""),
        (
            "import os, time\nrun = f'runs/{time.time()}'\nif not os.path.exists(run):\n    os.makedirs(run)\n",
            "; line 4 stays above it, and each worker repeats that work",
        ),
    ],
    ids=["setting", "unknown", "loaded", "on-the-gpu", "many", "folder", "new-folder"],
)
def test_edit_says_what_work_stays_above_the_guard(above: str, rest: str) -> None:
    text = f"{HEAD}{above}class Thing: pass\nfor x in DataLoader([1], num_workers=2): print(x)\n"
    change = plan_edit("missing-main-guard", text)
    assert change is not None
    [description] = change.descriptions
    assert description.partition(" under a main guard")[2] == rest
