"""Code beside the work of a program: tests, examples, and branches that do not run or expect their error."""

import ast
import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path, PurePath

from torchdoctor.check import Location
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.source_file import SourceFile

_TEST_FOLDERS = frozenset({"test", "tests", "testing", "unittests", "unit_tests"})
_TEST_FILE = re.compile(r"^(?:test_.*|.*_tests?|conftest)$")
# Modules and packages that only tests import.
_TEST_HELPER = re.compile(r"^(?:tests?|testing)_(?:utils?|helpers?|tools|common)$")
# A folder called "test" may evaluate a model; a test says so itself.
_TEST_WORDS = (b"def test_", b"pytest", b"unittest")
_EXAMPLE_FOLDERS = frozenset({"example", "examples", "demo", "demos", "tutorial", "tutorials", "samples"})
_EXAMPLE_FILE = re.compile(r"^(?:(?:example|demo|tutorial)s?(?:_.*)?|.*_(?:example|demo|tutorial))$")
# Contexts in which an error is expected, or a function replaced.
_EXPECTING = re.compile(r"(?:^|\.)(?:raises|assertRaises\w*|skip\w*|suppress|patch(?:\.\w+)*)$")


def describe_file(source: SourceFile, roots: Sequence[Path]) -> str | None:
    """Return "a test" or "an example" for such a file, and None for others.

    Only folders below the roots count: whoever names a folder of examples wants to know about them. A file
    that is itself a root is neither.
    """
    parts = _find_parts_below(PurePath(source.path), roots)
    folders, stem = (
        {part.lower() for part in parts[:-1]},
        parts[-1].rpartition(".")[0].lower() if parts else "",
    )
    is_test_name = _TEST_FILE.match(stem) or folders & _TEST_FOLDERS
    if any(map(_TEST_HELPER.match, (stem, *folders))):
        return "a test"
    if "tests" in folders or (is_test_name and any(source.words[word] for word in _TEST_WORDS)):
        return "a test"
    return "an example" if folders & _EXAMPLE_FOLDERS or _EXAMPLE_FILE.match(stem) else None


def _find_parts_below(path: PurePath, roots: Sequence[Path]) -> tuple[str, ...]:
    """Return the parts of a path below the outermost root that contains it; () if it is a root itself."""
    below = [path.relative_to(root).parts for root in roots if path.is_relative_to(root)]
    return max(below, key=len, default=path.parts)


def describe_place(source: SourceFile, location: Location) -> str | None:
    """Return what the code around a place is, if it does not run in normal work, and None otherwise."""
    node = _find_innermost(source, location)
    if node is None:
        return None
    return source.module.ask_around(_describe_parent, node, source.words[b"pytest"])


def _describe_parent(module: ParsedModule, parent: ast.AST, child: ast.AST, has_pytest: bool) -> str | None:
    match parent:
        case ast.If(test=test, body=body) if child in body and _is_switched_off(module, test):
            return "a branch that a constant switches off"
        case ast.If(test=test, body=body) if child in body and _asks_for_slurm(test):
            return "a branch for clusters with SLURM"
        case ast.With(items=items) | ast.AsyncWith(items=items):
            names = (ast.unparse(getattr(item.context_expr, "func", item.context_expr)) for item in items)
            if any(_EXPECTING.search(name) for name in names):
                return "code that expects it to fail"
        case ast.FunctionDef(name=name) if name.startswith("test_") and has_pytest:
            return "a test"
        case ast.ClassDef() if any(
            base.rpartition(".")[2].endswith("TestCase") for base in module.find_base_names(parent)
        ):
            return "a test"
    return None


def _find_innermost(source: SourceFile, location: Location) -> ast.stmt | None:
    """Return the innermost statement that covers the line of a location; None in notebooks."""
    if source.is_notebook:
        return None
    module = source.module
    statements = module.statements
    index = bisect_right(statements, location.line, key=attrgetter("lineno"))
    # What covers a line is the last statement that begins before its end, or is around that one.
    last = statements[index - 1] if index else module.tree
    around = (last, *module.ancestors(last))
    return next(
        (
            node
            for node in around
            if isinstance(node, ast.stmt) and location.line <= (node.end_lineno or node.lineno)
        ),
        None,
    )


def _asks_for_slurm(test: ast.expr) -> bool:
    """Return whether a condition asks for a variable of SLURM, which there is on Linux only."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(map(_asks_for_slurm, values))
        case ast.Compare(left=ast.Constant(value=str() as name), ops=[ast.In()]):
            return name.startswith("SLURM_")
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return _asks_for_slurm(left)
        case ast.Call(args=[ast.Constant(value=str() as name), *_]):
            return name.startswith("SLURM_")
    return False


def _is_switched_off(module: ParsedModule, test: ast.expr) -> bool:
    """Return whether a condition is a constant, or a name that is bound only once, that is false."""
    if isinstance(test, ast.Name):
        value = module.find_only_value(test)
        is_parameter = module.find_parameter(test) is not None
        return not is_parameter and isinstance(value, ast.Constant) and not value.value
    return isinstance(test, ast.Constant) and not test.value
