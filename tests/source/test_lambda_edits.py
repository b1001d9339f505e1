"""The edit that makes functions of lambdas changes what its finding reports, and nothing else."""

import pytest

from tests.source.planned_edits import HEAD, edit, plan_edit


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
