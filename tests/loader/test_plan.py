"""The number of workers is the smallest of the known bounds, and the plan names that bound."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from torchdoctor.check import Bound
from torchdoctor.facts import Absent, Facts, Interpreter, Memory, OperatingSystem, Processor, TorchImportTrial
from torchdoctor.loader import plan as plan_module
from torchdoctor.loader.plan import PLAN_FACTS, make_plan

GIB = 1 << 30
MIB = 1 << 20
WINDOWS = OperatingSystem("windows", "11", "x64", 22631)
TRIAL = TorchImportTrial("imported", 3.0, 60.0, exit_code=0, private_bytes_after=900 * MIB)


def _memory(limit: int, used: int, physical: int = 32 * GIB) -> Memory:
    absent = Absent("-")
    return Memory(physical, physical // 2, limit, used, absent, limit - used, ())


def _plan(*facts: object, more_bounds: tuple[Bound, ...] = ()):
    return make_plan(Facts({type(fact): fact for fact in facts}), more_bounds)


def test_cores_bound_the_plan_with_enough_memory() -> None:
    plan = _plan(WINDOWS, Processor(16, 8), _memory(64 * GIB, 10 * GIB), TRIAL)
    assert (plan.num_workers, plan.bounds[0].name) == (8, "cores")


def test_commit_bounds_the_plan_if_it_is_short() -> None:
    plan = _plan(WINDOWS, Processor(16, 8), _memory(20 * GIB, 14 * GIB), TRIAL)
    # 90 % of 20 GiB less 14 GiB is 4 GiB: four processes of 900 MiB, one of them the training itself.
    assert (plan.num_workers, plan.bounds[0].name) == (3, "commit")


def test_full_commit_gives_no_workers() -> None:
    assert _plan(WINDOWS, Processor(16, 8), _memory(16 * GIB, 16 * GIB), TRIAL).num_workers == 0


def test_bound_of_a_check_counts() -> None:
    bound = Bound("main guard", 0, "train.py starts workers without a main guard")
    plan = _plan(WINDOWS, Processor(16, 8), _memory(64 * GIB, 10 * GIB), TRIAL, more_bounds=(bound,))
    assert (plan.num_workers, "train.py" in plan.settings[0].reason) == (0, True)


def test_unknown_cost_on_windows_gives_no_workers() -> None:
    assert _plan(WINDOWS, Processor(16, 8), _memory(64 * GIB, 10 * GIB)).num_workers == 0


def test_32bit_interpreter_gets_no_workers() -> None:
    interpreter = Interpreter("py", "3.9", "CPython", 32, "x86", "win32", "a", "a", "a")
    facts = (WINDOWS, interpreter, Processor(16, 8), _memory(64 * GIB, 10 * GIB), TRIAL)
    assert _plan(*facts).num_workers == 0


def test_memory_bounds_the_plan_on_linux_with_overcommit() -> None:
    memory = Memory(8 * GIB, 4 * GIB, 4 * GIB, 9 * GIB, *[Absent("-")] * 3, commit_limit_enforced=False)
    plan = _plan(OperatingSystem("linux", "6", "x64"), Processor(16, 8), memory, TRIAL)
    assert (plan.bounds[0].name, plan.num_workers) == ("memory", 2)


def test_plan_without_facts_has_no_workers() -> None:
    assert make_plan(Facts()).num_workers == 0


def test_every_setting_has_a_reason() -> None:
    plan = _plan(WINDOWS, Processor(16, 8), _memory(64 * GIB, 10 * GIB), TRIAL)
    assert all(setting.reason for setting in plan.settings)


def test_snippet_compiles() -> None:
    compile(_plan(WINDOWS, Processor(16, 8), _memory(64 * GIB, 10 * GIB), TRIAL).snippet, "snippet", "exec")


@pytest.mark.torch
@pytest.mark.parametrize("workers", [0, 2])
def test_snippet_runs(tmp_path, workers: int) -> None:
    plan = _plan(WINDOWS, Processor(workers, workers), _memory(64 * GIB, 10 * GIB), TRIAL)
    script = tmp_path / "train.py"
    script.write_text(
        plan.snippet + "    print(sum(len(b) for b in make_loader(list(range(100)))))\n", encoding="utf-8"
    )
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert result.stdout.strip() == "100", result.stderr


def test_plan_facts_lists_the_facts_that_the_plan_asks_for() -> None:
    source = Path(str(plan_module.__file__)).read_text(encoding="utf-8")
    names = set(re.findall(r"\bfacts\.get\((\w+)\)", source)) - {"DatasetTrial"}
    assert names == {fact.__name__ for fact in PLAN_FACTS}
