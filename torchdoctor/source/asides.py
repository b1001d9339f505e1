"""Code beside the work of a program: tests, examples, and branches that do not run or expect their error."""

import ast
import operator
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from operator import attrgetter
from pathlib import Path, PurePath
from typing import Any

from torchdoctor.check import Location
from torchdoctor.source.module.nodes import FUNCTIONS
from torchdoctor.source.module.parsed import ParsedModule
from torchdoctor.source.source_file import SourceFile

_TEST_FOLDERS = frozenset({"test", "testing"})
# Folders of which all files are tests, or parts of tests.
_ONLY_TEST_FOLDERS = frozenset({"tests", "test_utils", "unittests", "unit_tests"})
_TEST_FILE = re.compile(r"^(?:test_.*|.*_tests?|conftest)$")
# Modules and packages that only tests import.
_TEST_HELPER = re.compile(r"^(?:tests?|testing)_(?:utils?|helpers?|tools|common)$")
# A folder called "test" may evaluate a model; a test says so itself.
TEST_WORDS = (b"def test_", b"pytest", b"unittest")
_EXAMPLE_FOLDERS = frozenset({"example", "examples", "demo", "demos", "tutorial", "tutorials", "samples"})
_EXAMPLE_FILE = re.compile(r"^(?:(?:example|demo|tutorial)s?(?:_.*)?|.*_(?:example|demo|tutorial))$")
# The fields of a statement that are blocks, and expressions a part of which may not be evaluated.
_BLOCKS = ("body", "orelse", "finalbody")
_NOT_IN_EACH_RUN = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.comprehension)
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
# What `describe_place` says of a function that only runs under SLURM, so never on Windows.
SLURM_FUNCTION = "a function for clusters with SLURM"
_SLURM_NAME = re.compile(r"(?:.*_)?slurm(?:_.*)?$", re.IGNORECASE)
_OTHER_NAME = re.compile(r"(?:^|_)(?:no|non|not|without|or|and)(?:_|$)", re.IGNORECASE)
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
    if folders & _ONLY_TEST_FOLDERS or (is_test_name and any(source.words[word] for word in TEST_WORDS)):
        return "a test"
    return "an example" if folders & _EXAMPLE_FOLDERS or _EXAMPLE_FILE.match(stem) else None


def is_in_tests(path: str, roots: Sequence[Path]) -> bool:
    """Return whether a file is in a folder of tests below the roots."""
    folders = {part.lower() for part in _find_parts_below(PurePath(path), roots)[:-1]}
    return bool(folders & _ONLY_TEST_FOLDERS)


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
    if isinstance(child, FUNCTIONS) and _is_for_slurm(module, child):
        return SLURM_FUNCTION
    match parent:
        case ast.If(test=test, body=body) if child is not test and (
            _find_truth(module, test) is (child not in body)
        ):
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
    if isinstance(parent, FUNCTIONS):
        return None
    blocks = module.ask_once(_find_slurm_blocks).get(parent, ())
    return "code for clusters with SLURM" if any(child in getattr(parent, each) for each in blocks) else None


def _is_for_slurm(module: ParsedModule, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function has the name of SLURM, or reads one of its variables in each run."""
    if _SLURM_NAME.match(function.name) and not _OTHER_NAME.search(function.name):
        return True
    return "body" in module.ask_once(_find_slurm_blocks).get(function, ())


def _find_innermost(source: SourceFile, location: Location) -> ast.stmt | None:
    """Return the innermost statement that covers the line of a location."""
    module = source.module
    statements = module.statements
    line = location.line
    if location.cell is not None:
        # Lines count in the cell.
        line += source.cell_lines[source.cell_numbers.index(location.cell)] - 1
    index = bisect_right(statements, line, key=attrgetter("lineno"))
    # What covers a line is the last statement that begins before its end, or is around that one.
    last = statements[index - 1] if index else module.tree
    around = (last, *module.ancestors(last))
    return next(
        (node for node in around if isinstance(node, ast.stmt) and line <= (node.end_lineno or node.lineno)),
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


def _find_slurm_blocks(module: ParsedModule) -> Mapping[ast.AST, frozenset[str]]:
    """Return the blocks that read a variable of SLURM in each run, and so fail without it: fields by node."""
    blocks: dict[ast.AST, set[str]] = defaultdict(set)
    for node in module.nodes.get(ast.Subscript, ()):
        match node:
            case ast.Subscript(value=value, slice=ast.Constant(value=str() as name), ctx=ast.Load()) if (
                name.startswith("SLURM_") and module.find_dotted_name(value) == "os.environ"
            ):
                statement = module.find_statement(node)
                around = takewhile(lambda each: not isinstance(each, ast.stmt), module.ancestors(node))
                if not any(isinstance(each, _NOT_IN_EACH_RUN) for each in around):
                    parent = module.parents[statement]
                    blocks[parent] |= {
                        field for field in _BLOCKS if statement in (getattr(parent, field, None) or ())
                    }
    return {parent: frozenset(fields) for parent, fields in blocks.items()}


def _find_truth(module: ParsedModule, test: ast.expr) -> bool | None:
    """Return the value of a condition of constants, and of names that are bound once, to a constant."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _find_truth(module, operand)
            return None if inner is None else not inner
        case ast.BoolOp(op=joint, values=values):
            deciding_value = isinstance(joint, ast.Or)
            found = [_find_truth(module, value) for value in values]
            if deciding_value in found:
                return deciding_value
            return None if None in found else not deciding_value
        case ast.Compare(left=left, ops=[operation], comparators=[right]):
            return _compare(operation, _find_constant(module, left), _find_constant(module, right))
    constant = _find_constant(module, test)
    return None if constant is None else bool(constant.value)


def _compare(operation: ast.cmpop, left: ast.Constant | None, right: ast.Constant | None) -> bool | None:
    function = _COMPARISONS.get(type(operation))
    if function is None or left is None or right is None:
        return None
    try:
        return bool(function(left.value, right.value))
    except TypeError:
        return None


def _find_constant(module: ParsedModule, node: ast.expr) -> ast.Constant | None:
    """Return a constant, or the one that a name is bound to, if to nothing else."""
    if isinstance(node, ast.Name):
        value = module.find_only_value(node) if module.find_parameter(node) is None else None
        return value if isinstance(value, ast.Constant) else None
    return node if isinstance(node, ast.Constant) else None
