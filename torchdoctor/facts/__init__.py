"""Facts: frozen records of what was observed, each with a JSON form."""

from torchdoctor.facts.build_tools import BuildTools
from torchdoctor.facts.crash import Crash, SecondTrial
from torchdoctor.facts.dataset import (
    DatasetTrial,
    Failure,
    HeavyMember,
    Measurement,
    Member,
    Part,
    WorkerRun,
)
from torchdoctor.facts.display import DisplayAdapter, DisplayAdapters, GraphicsSettings
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
from torchdoctor.facts.events import SystemEvent, SystemEvents
from torchdoctor.facts.gpu import Gpu, NvidiaDriver
from torchdoctor.facts.interpreter import Distribution, Distributions, Interpreter
from torchdoctor.facts.machine import EnvironmentVariables, Memory, OperatingSystem, PageFile, Processor
from torchdoctor.facts.packages import (
    AlteredFile,
    Companion,
    Companions,
    CondaEnvironment,
    CondaPackage,
    NumpyBuild,
    TorchRecord,
)
from torchdoctor.facts.paths import PathSettings
from torchdoctor.facts.pythons import FoundInterpreter, PythonCommand, PythonInstallations
from torchdoctor.facts.requirements import Requirement, TorchRequirements
from torchdoctor.facts.runtimes import (
    BundledRuntime,
    BundledRuntimes,
    CompanionClosure,
    CompanionDlls,
    DllSymbols,
    SymbolGap,
)
from torchdoctor.facts.shadows import ImportShadows, Shadow
from torchdoctor.facts.torch_install import TorchInstall
from torchdoctor.facts.torch_trials import CudaTrial, TorchImportTrial
from torchdoctor.facts.values import Absent, Facts, is_fact, occurs_many_times, subject_of

# Every fact of the environment, in the order in which reports show them.
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
    PathSettings,
    PythonInstallations,
    CondaEnvironment,
    Companions,
    TorchRecord,
    TorchRequirements,
    ImportShadows,
    NumpyBuild,
    BundledRuntimes,
    DllSymbols,
    CompanionDlls,
    NvidiaDriver,
    DisplayAdapters,
    GraphicsSettings,
    SystemEvents,
    CudaTrial,
    BuildTools,
    DatasetTrial,
)

__all__ = [
    "SUBJECTS",
    "Absent",
    "AlteredFile",
    "BuildTools",
    "BundledRuntime",
    "BundledRuntimes",
    "Companion",
    "CompanionClosure",
    "CompanionDlls",
    "Companions",
    "CondaEnvironment",
    "CondaPackage",
    "Crash",
    "CudaTrial",
    "DamagedDll",
    "DatasetTrial",
    "DisplayAdapter",
    "DisplayAdapters",
    "Distribution",
    "Distributions",
    "DllClosure",
    "DllImage",
    "DllSymbols",
    "EnvironmentVariables",
    "Facts",
    "Failure",
    "ForeignDll",
    "FoundInterpreter",
    "Gpu",
    "GraphicsSettings",
    "HeavyMember",
    "ImportShadows",
    "Interpreter",
    "Measurement",
    "Member",
    "Memory",
    "MissingDll",
    "NumpyBuild",
    "NvidiaDriver",
    "OperatingSystem",
    "PageFile",
    "Part",
    "PathSettings",
    "Processor",
    "PythonCommand",
    "PythonInstallations",
    "Requirement",
    "RuntimeFile",
    "SearchFolder",
    "SecondTrial",
    "Shadow",
    "SymbolGap",
    "SystemEvent",
    "SystemEvents",
    "TorchImportTrial",
    "TorchInstall",
    "TorchRecord",
    "TorchRequirements",
    "VcRegistration",
    "VcRuntime",
    "WorkerRun",
    "is_fact",
    "occurs_many_times",
    "subject_of",
]
