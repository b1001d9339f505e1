"""Facts: frozen records of what was observed, each with a JSON form."""

from torchdoctor.facts.core import Absent, Facts, collect, is_fact, occurs_many_times, subject_of
from torchdoctor.facts.dlls import (
    DamagedDll,
    DllClosure,
    DllImage,
    ForeignDll,
    MissingDll,
    RuntimeFile,
    SearchFolder,
    VcRegistration,
    VcRuntime,
)
from torchdoctor.facts.machine import Memory, OperatingSystem, PageFile, Processor
from torchdoctor.facts.python import Distribution, Distributions, EnvironmentVariables, Interpreter
from torchdoctor.facts.source import ConfigFile, Setting, SourceFile
from torchdoctor.facts.torch import TorchImportTrial, TorchInstall

# Every single fact, in the order in which reports show them.
SUBJECTS: tuple[type, ...] = (
    OperatingSystem,
    Processor,
    Memory,
    Interpreter,
    Distributions,
    EnvironmentVariables,
    TorchInstall,
    TorchImportTrial,
    DllClosure,
    VcRuntime,
)

__all__ = [
    "SUBJECTS",
    "Absent",
    "ConfigFile",
    "DamagedDll",
    "Distribution",
    "Distributions",
    "DllClosure",
    "DllImage",
    "EnvironmentVariables",
    "Facts",
    "ForeignDll",
    "Interpreter",
    "Memory",
    "MissingDll",
    "OperatingSystem",
    "PageFile",
    "Processor",
    "RuntimeFile",
    "SearchFolder",
    "Setting",
    "SourceFile",
    "TorchImportTrial",
    "TorchInstall",
    "VcRegistration",
    "VcRuntime",
    "collect",
    "is_fact",
    "occurs_many_times",
    "subject_of",
]
