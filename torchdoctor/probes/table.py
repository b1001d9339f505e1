"""The table of probes: for each fact, the function that observes it."""

import importlib
from collections.abc import Callable, Mapping
from typing import cast

from torchdoctor.core.record import record
from torchdoctor.facts import (
    BuildTools,
    BundledRuntimes,
    CompanionDlls,
    Companions,
    CondaEnvironment,
    CudaTrial,
    DisplayAdapters,
    Distributions,
    DllClosure,
    DllSymbols,
    EnvironmentVariables,
    GraphicsSettings,
    ImportShadows,
    Interpreter,
    Memory,
    NumpyBuild,
    NvidiaDriver,
    OperatingSystem,
    PathSettings,
    Processor,
    PythonInstallations,
    SystemEvents,
    TorchImportTrial,
    TorchInstall,
    TorchRecord,
    VcRuntime,
)


@record
class Probe:
    """A function of a module of this package, which is imported when the probe runs.

    It takes no argument, or the examined interpreter where `needs_interpreter` is set.
    """

    module: str
    function: str
    needs_interpreter: bool = False

    def load(self) -> Callable[..., object]:
        """Import the module and return the function."""
        module = importlib.import_module(f"torchdoctor.probes.{self.module}")
        return cast("Callable[..., object]", getattr(module, self.function))


# In the order in which they are started: what takes longest comes first.
PROBES: Mapping[type, Probe] = {
    NvidiaDriver: Probe("gpu", "read_nvidia_driver"),
    SystemEvents: Probe("events", "read_system_events"),
    OperatingSystem: Probe("machine", "read_operating_system"),
    Processor: Probe("machine", "read_processor"),
    Memory: Probe("machine", "read_memory"),
    EnvironmentVariables: Probe("machine", "read_environment_variables"),
    DisplayAdapters: Probe("display", "read_display_adapters"),
    GraphicsSettings: Probe("display", "read_graphics_settings"),
    BuildTools: Probe("build_tools", "read_build_tools"),
    PathSettings: Probe("paths", "read_path_settings"),
    PythonInstallations: Probe("pythons", "read_python_installations"),
    TorchImportTrial: Probe("torch", "read_torch_import_trial", needs_interpreter=True),
    CudaTrial: Probe("torch", "read_cuda_trial", needs_interpreter=True),
    Interpreter: Probe("interpreter", "read_interpreter", needs_interpreter=True),
    Distributions: Probe("interpreter", "read_distributions", needs_interpreter=True),
    TorchInstall: Probe("torch", "read_torch_install", needs_interpreter=True),
    DllClosure: Probe("dlls", "read_dll_closure", needs_interpreter=True),
    VcRuntime: Probe("dlls", "read_vc_runtime", needs_interpreter=True),
    CondaEnvironment: Probe("packages", "read_conda_environment", needs_interpreter=True),
    Companions: Probe("packages", "read_companions", needs_interpreter=True),
    TorchRecord: Probe("packages", "read_torch_record", needs_interpreter=True),
    ImportShadows: Probe("shadows", "read_import_shadows", needs_interpreter=True),
    NumpyBuild: Probe("packages", "read_numpy_build", needs_interpreter=True),
    BundledRuntimes: Probe("runtimes", "read_bundled_runtimes", needs_interpreter=True),
    DllSymbols: Probe("runtimes", "read_dll_symbols", needs_interpreter=True),
    CompanionDlls: Probe("runtimes", "read_companion_dlls", needs_interpreter=True),
}
