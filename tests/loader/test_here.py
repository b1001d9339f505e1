"""The plan within a program is the plan of the command line."""

import json
import subprocess
import sys

import pytest

from torchdoctor.domain.commit import leave_out_process
from torchdoctor.facts import Absent, Facts, Memory, OperatingSystem, Processor, TorchImportTrial
from torchdoctor.loader.plan import PLAN_FACTS, make_plan

GIB, MIB = 1 << 30, 1 << 20


def _count_workers(memory: Memory) -> int:
    trial = TorchImportTrial("imported", 1.0, 60.0, private_bytes_after=900 * MIB)
    system = OperatingSystem("windows", "11", "x64", 22631)
    facts = {type(fact): fact for fact in (system, Processor(32, 16), memory, trial)}
    return make_plan(Facts(facts)).num_workers


def test_training_process_is_counted_once() -> None:
    before = Memory(32 * GIB, 16 * GIB, 20 * GIB, 14 * GIB, Absent("-"), 6 * GIB, ())
    used = 14 * GIB + 900 * MIB
    after = Memory(32 * GIB, 16 * GIB - 900 * MIB, 20 * GIB, used, Absent("-"), 6 * GIB - 900 * MIB, ())
    assert (_count_workers(after), _count_workers(leave_out_process(after, 900 * MIB))) == (2, 3)
    assert _count_workers(before) == 3


@pytest.mark.torch
def test_plan_in_a_program_has_the_facts_and_settings_of_the_command_line(torchdoctor) -> None:
    code = (
        "import json, torch; from torchdoctor.loader import here; from torchdoctor.renderers import json as j\n"
        "facts = here.observe_plan_facts()\n"
        "print(json.dumps([sorted(f.__name__ for f in facts.values), j.encode_plan(here.make_plan_here())]))"
    )
    result = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    names, plan = json.loads(result.stdout)
    expected = json.loads(torchdoctor("loader", "--format", "json").stdout)["loader"]
    assert names == sorted(fact.__name__ for fact in PLAN_FACTS)
    assert [(item["name"], item["value"]) for item in plan["settings"]] == [
        (item["name"], item["value"]) for item in expected["settings"]
    ]
    assert [bound["name"] for bound in plan["bounds"]] == [bound["name"] for bound in expected["bounds"]]
    assert plan["unknown"] == expected["unknown"]
