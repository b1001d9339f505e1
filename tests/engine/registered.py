"""The registry, the names of its checks, and a machine, for tests of the engine."""

from torchdoctor.engine.registry import load_registry
from torchdoctor.facts import Absent, Facts, OperatingSystem, Processor

REGISTRY = load_registry()


WINDOWS = Facts(
    {OperatingSystem: OperatingSystem("windows", "11", "x64", 22631), Processor: Absent("no cores")}
)


NAMES = [check.name for check in REGISTRY.checks]
