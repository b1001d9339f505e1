"""Make the loader plan within a running program, from the facts that `torchdoctor loader` uses."""

import functools
import sys

from torchdoctor.domain.commit import leave_out_process
from torchdoctor.facts import (
    Absent,
    DllClosure,
    Facts,
    Interpreter,
    Memory,
    OperatingSystem,
    Processor,
    TorchImportTrial,
    TorchInstall,
)
from torchdoctor.inside import describe, memory
from torchdoctor.loader.plan import LoaderPlan, make_plan
from torchdoctor.probes import dlls, machine
from torchdoctor.probes.examined import Examined
from torchdoctor.probes.interpreter import read_description
from torchdoctor.probes.torch_install import observe_torch_install


def make_plan_here() -> LoaderPlan:
    """Make the plan for this machine and this Python without starting another process."""
    return make_plan(observe_plan_facts())


def observe_plan_facts() -> Facts:
    """Observe the facts of the plan with the probes of the command line; torch must be imported.

    The memory of this process stands for that of the import trial, which a program need not wait for. It is
    left out of the memory in use, because the plan counts the training process itself.
    """
    machine_memory = machine.observe_memory()
    private_bytes = memory.read_private_bytes()
    trial: TorchImportTrial | Absent = Absent("what this process holds could not be read")
    if private_bytes is not None and not isinstance(machine_memory, Absent):
        trial = TorchImportTrial("imported", 0.0, 0.0, private_bytes_after=private_bytes)
        machine_memory = leave_out_process(machine_memory, private_bytes)
    values = {
        OperatingSystem: machine.observe_operating_system(),
        Processor: machine.observe_processor(),
        Memory: machine_memory,
        TorchImportTrial: trial,
    }
    return Facts({**values, **_observe_python()})


@functools.cache
def _observe_python() -> dict[type, object]:
    """Observe what does not change while the program runs."""
    examined = Examined(
        sys.executable, read_description(describe.describe(), "it runs this program"), runs_trials=False
    )
    return {
        Interpreter: examined.interpreter,
        TorchInstall: observe_torch_install(examined),
        DllClosure: dlls.observe_dll_closure(examined),
    }
