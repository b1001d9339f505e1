"""The edit that puts work under a guard changes what its finding reports, and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.source.planned_edits import HEAD, edit, plan_edit


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
