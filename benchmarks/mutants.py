"""How many small random faults in the code the tests notice.

    python benchmarks/mutants.py [--count N] [--seed S] [FOLDER...]

One place is changed at a time, in a temporary copy of the tree, and the tests that matter for its file run.
Each folder has the same share of the N places. What no test notices is printed with its place.
"""

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
COPIED = ("torchdoctor", "checks", "knowledge_base", "tests", "pyproject.toml", "README.md")
CHECKS = "tests/checks/test_samples.py tests/checks/test_source_samples.py tests/checks/test_machines.py"
ANSWERS = "tests/checks/test_source_answers.py tests/checks/test_fact_answers.py"
# The arguments of pytest for a folder, in turn; after -k comes the name of the file.
TESTS = {
    "checks": (f"{CHECKS} -k", f"{ANSWERS} -k", "tests/checks/test_absurd_facts.py -k",
               "tests/checks/test_machines.py tests/source"),
    "torchdoctor/engine/code": ("tests/engine/code",
                               "tests/engine/test_code_outcomes.py tests/commands/test_fix.py"),
    "torchdoctor/engine": ("tests/engine/test_whole_outcomes.py tests/engine/test_examination.py",
                          "tests/engine --deselect=tests/engine/test_registry.py tests/test_report.py",
                          "tests/engine tests/core tests/commands/test_fix.py tests/checks/test_machines.py"),
    "torchdoctor/explain": ("tests/explain/test_limits.py tests/explain/test_answers.py",
                            "tests/explain --ignore=tests/explain/test_properties.py",
                            "tests/explain/test_properties.py tests/knowledge/test_cases.py"
                            " tests/knowledge/test_kept_builds.py"),
    "torchdoctor/loader/plan.py": ("tests/loader -k plan", "tests/loader/test_trial.py"),
    "torchdoctor/pe": ("tests/pe/test_answers.py", "tests/pe", f"{CHECKS} -k dll"),
    "torchdoctor/policy": ("tests/policy",),
    "torchdoctor/renderers": ("tests/renderers", "tests/test_report.py tests/test_cli.py"),
    "torchdoctor/readers": ("tests/readers", "tests/explain/test_decide.py tests/commands/test_texts.py"),
    "torchdoctor/source": ("tests/source/test_file_answers.py tests/checks/test_source_answers.py",
                           "tests/source",
                           "tests/checks/test_source_samples.py"),
}  # fmt: skip
LIMIT_SECONDS = 120
PAIRS = ("Eq NotEq", "Is IsNot", "In NotIn", "Lt LtE", "Gt GtE", "And Or", "Add Sub")
OPPOSITES = {one: other for pair in PAIRS for one, other in (pair.split(), pair.split()[::-1])}
UNCHANGED = ("annotation", "returns", "decorator_list")


@dataclass(frozen=True)
class Mutant:
    """A place in a file, as offsets into its bytes, and the code to put there; printed, it is one line."""

    folder: str
    file: Path
    line: int
    start: int
    end: int
    new: str

    def __str__(self) -> str:
        old = (ROOT / self.file).read_bytes()[self.start : self.end].decode()
        return f"{self.file}:{self.line}  {' '.join(old.split())} -> {self.new}"


def main() -> None:
    """Try the mutants, and print the figures of each folder and the survivors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help=f"by default {', '.join(TESTS)}")
    arguments = parser.parse_args()
    folders = arguments.folders or list(TESTS)
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name)
        for item in COPIED:
            (shutil.copytree if (ROOT / item).is_dir() else shutil.copy2)(ROOT / item, tree / item)
        subprocess.run([sys.executable, "-m", "compileall", "-q", *COPIED[:2]], cwd=tree, capture_output=True)
        for folder in folders:
            if run_tests(folder, "torch", tree) != "survived":
                sys.exit(f"{folder}: its tests fail without a fault")
            mutants = list(find_mutants(folder))
            share = min(-(-arguments.count // len(folders)), len(mutants))
            results: Counter[str] = Counter()
            for mutant in random.Random(arguments.seed).sample(mutants, share):
                result = try_mutant(mutant, tree)
                results[result] += 1
                if result != "killed":
                    print(f"  {result} {mutant}", flush=True)
            figures = ", ".join(f"{results[key]} {key}" for key in ("killed", "survived", "timeout"))
            print(f"{folder}: {figures} of {share}", flush=True)


def find_mutants(folder: str) -> Iterator[Mutant]:
    """Yield each fault that can be made in the files of a folder, or in one file."""
    for file in [ROOT / folder] if folder.endswith(".py") else sorted((ROOT / folder).rglob("*.py")):
        raw = file.read_bytes()
        starts = [0]
        for line in raw.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        for node, new in find_changes(ast.parse(raw)):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            yield Mutant(folder, file.relative_to(ROOT), node.lineno, start, end, new)


def find_changes(node: ast.AST, returns: str = "") -> Iterator[tuple[ast.AST, str]]:
    """Yield each node of a tree that can be changed, and the code to put there; types and texts stay."""
    if isinstance(node, ast.JoinedStr) or "TYPE_CHECKING" in ast.dump(getattr(node, "test", node))[:40]:
        return
    if isinstance(node, ast.FunctionDef):
        returns = ast.unparse(node.returns) if node.returns else ""
    yield from ((target, f"({new})") for target, new in change_expression(node))
    if isinstance(node, (ast.Continue, ast.Raise)):
        yield node, "pass"
    if isinstance(node, ast.Return) and returns.endswith("| None") and ast.unparse(node) != "return None":
        yield node, "return None"
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in UNCHANGED:
                yield from find_changes(child, returns)


def change_expression(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield the changes of one node: an operator, a condition, a constant, a chosen step or severity."""
    changed = copy.deepcopy(node)
    match changed:
        case ast.Compare():
            for number, operator in enumerate(changed.ops):
                changed.ops[number] = getattr(ast, OPPOSITES[type(operator).__name__])()
                yield node, ast.unparse(changed)
                changed.ops[number] = operator
        case ast.BinOp(op=ast.Add() | ast.Sub()) | ast.BoolOp():
            changed.op = getattr(ast, OPPOSITES[type(changed.op).__name__])()
            yield node, ast.unparse(changed)
        case ast.UnaryOp(op=ast.Not()):
            yield node, ast.unparse(changed.operand)
        case ast.Constant(value=bool(value)):
            yield node, str(not value)
        case ast.Constant(value=int(value)):
            yield node, str(value + 1)
        case ast.IfExp():
            changed.body, changed.orelse = changed.orelse, changed.body
            yield node, ast.unparse(changed)
        case ast.If() | ast.While():
            yield node.test, f"not ({ast.unparse(changed.test)})"
        case ast.comprehension():
            yield from ((test, f"not ({ast.unparse(test)})") for test in node.ifs)
        case ast.keyword(arg="step", value=ast.Constant(value=str())):
            yield node.value, "None"
        case ast.keyword(arg="severity", value=ast.Attribute(attr=severity)):
            yield node.value, "Severity.ERROR" if severity != "ERROR" else "Severity.NOTE"


def try_mutant(mutant: Mutant, tree: Path) -> str:
    """Return "killed", "survived" or "timeout"; the file in the copy is restored, with its time."""
    raw = (ROOT / mutant.file).read_bytes()
    (tree / mutant.file).write_bytes(raw[: mutant.start] + mutant.new.encode() + raw[mutant.end :])
    result = run_tests(mutant.folder, mutant.file.stem, tree)
    shutil.copy2(ROOT / mutant.file, tree / mutant.file)
    return result


def run_tests(folder: str, stem: str, tree: Path) -> str:
    """Run the tests of a file in turn until one notices."""
    # No bytecode is written: it knows a file by its size and the second of its change, which is too coarse.
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    for tests in TESTS[folder]:
        words = tests.split() + ([f"{stem} or {stem.replace('_', '-')}"] if tests.endswith("-k") else [])
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *words]
        try:
            run = subprocess.run(
                command, cwd=tree, env=environment, capture_output=True, timeout=LIMIT_SECONDS
            )
        except subprocess.TimeoutExpired:
            return "timeout"
        # 5 means that no test was selected.
        if run.returncode not in (0, 5):
            return "killed"
    return "survived"


if __name__ == "__main__":
    main()
