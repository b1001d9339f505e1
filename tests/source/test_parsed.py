"""The index of a module has what Python's own walk over its tree has."""

import ast
import sysconfig
from pathlib import Path

import pytest

from torchdoctor.source.module.parsed import ParsedModule

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
# Files of the standard library that have every kind of node between them.
FILES = ("argparse.py", "asyncio/tasks.py", "dataclasses.py", "typing.py", "enum.py", "subprocess.py")
MATCH = """
match x:
    case {"a": [1, *_], **rest} | P(b=2) as y if z: pass
    case None: pass
async def f[T](*a: int, b=1, **c) -> str:
    async with a as b, c: pass
    async for i in j: await k
    return f"{x!r:>{y}}", [*a], {**b}, (yield), (w := 1), lambda q, /, *, r=2: q[1:2, ...]
try: pass
except* E as e: raise A from B
"""
UNINDEXED = (
    ast.Module,
    ast.expr_context,
    ast.operator,
    ast.cmpop,
    ast.boolop,
    ast.unaryop,
    getattr(ast, "type_param", ast.Module),
)


def assert_index_is_complete(text: str) -> None:
    tree = ast.parse(text)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    expected = {child: node for child, node in parents.items() if not isinstance(child, UNINDEXED)}
    module = ParsedModule(tree)
    # What is below the parameters of a type is not read.
    assert {
        node: parent for node, parent in expected.items() if parent in module.parents or parent is tree
    } == module.parents
    assert sum(map(len, module.nodes.values())) == len(module.parents)


@pytest.mark.parametrize("name", FILES)
def test_index_has_every_node_with_its_parent(name: str) -> None:
    assert_index_is_complete((LIBRARY / name).read_text(encoding="utf-8"))


def test_index_has_the_nodes_of_new_syntax() -> None:
    try:
        ast.parse(MATCH)
    except SyntaxError:
        pytest.skip("this Python is older than the syntax")
    assert_index_is_complete(MATCH)


def test_nodes_are_in_source_order() -> None:
    module = ParsedModule(ast.parse("f(a, g(b), *c, d=e, **h)[i].j(k)\nl = m\n"))
    assert [node.id for node in module.nodes[ast.Name]] == [*"fagbcehikl", "m"]


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        ("from a import Loader as L\nL(); M(); x.Loader()", "Loader", ["L()", "x.Loader()"]),
        ("p = q.Loader\np(r())", "Loader", ["p(r())"]),
        ("Loader(Loader())()", "Loader", ["Loader(Loader())", "Loader()"]),
    ],
)
def test_calls_are_found_by_what_they_may_be(text: str, wanted: str, found: list[str]) -> None:
    module = ParsedModule(ast.parse(text))
    assert [ast.unparse(call) for call in module.find_calls(lambda name: name == wanted)] == found


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        (
            "from a import Loader as L\nL(1); M(); x.Loader()",
            "Loader",
            {"a.Loader": ["L(1)"], "x.Loader": ["x.Loader()"]},
        ),
        ("p = q.Loader\np(r()); p()", "Loader", {"q.Loader": ["p(r())", "p()"]}),
        ("p = q\np(r())", "Loader", {}),
    ],
)
def test_calls_are_found_by_their_whole_name(text: str, wanted: str, found: dict[str, list[str]]) -> None:
    calls = ParsedModule(ast.parse(text)).find_calls_by_name(wanted.__eq__)
    assert {name: [*map(ast.unparse, each)] for name, each in calls.items()} == found


@pytest.mark.parametrize("name", FILES)
def test_module_is_deeper_than_one_level_less_than_it_has(name: str) -> None:
    module = ParsedModule(ast.parse((LIBRARY / name).read_text(encoding="utf-8")))
    depths = [module.depth - 1, module.depth, module.depth + 1, 1000]
    assert [module.is_deeper(each) for each in depths] == [True, False, False, False]


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("", 0),
        ("# nothing", 0),
        ("a", 2),
        (f"{'-' * 60}a", 62),
        ("".join(f"{' ' * i}if a:\n" for i in range(60)) + f"{' ' * 60}b", 62),
        ("if a: pass\n" + "elif b: pass\n" * 60, 2),
    ],
)
def test_depth_of_a_module_is_known(text: str, depth: int) -> None:
    module = ParsedModule(ast.parse(text))
    assert [each for each in range(100) if not module.is_deeper(each)] == [*range(depth, 100)]
