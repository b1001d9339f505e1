"""The table of probes: the function that observes each fact."""

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
    TorchRequirements,
    VcRuntime,
)


@record
class Probe:
    """A function in a module of this package; the module is imported when the probe runs.

    The function takes the examined interpreter if `needs_interpreter` is set, otherwise no argument.
    """

    module: str
    function: str
    needs_interpreter: bool = False

    def load(self) -> Callable[..., object]:
        """Import the module and return the function."""
        module = importlib.import_module(f"torchdoctor.probes.{self.module}")
        return cast("Callable[..., object]", getattr(module, self.function))


# Probes start in this order; the slowest come first.
PROBES: Mapping[type, Probe] = {
    NvidiaDriver: Probe("gpu", "observe_nvidia_driver"),
    SystemEvents: Probe("events", "observe_system_events"),
    OperatingSystem: Probe("machine", "observe_operating_system"),
    Processor: Probe("machine", "observe_processor"),
    Memory: Probe("machine", "observe_memory"),
    EnvironmentVariables: Probe("machine", "observe_environment_variables"),
    DisplayAdapters: Probe("display", "observe_display_adapters"),
    GraphicsSettings: Probe("display", "observe_graphics_settings"),
    BuildTools: Probe("build_tools", "observe_build_tools"),
    PathSettings: Probe("paths", "observe_path_settings"),
    PythonInstallations: Probe("pythons", "observe_python_installations"),
    TorchImportTrial: Probe("torch_trials", "observe_torch_import_trial", needs_interpreter=True),
    CudaTrial: Probe("torch_trials", "observe_cuda_trial", needs_interpreter=True),
    Interpreter: Probe("interpreter", "observe_interpreter", needs_interpreter=True),
    Distributions: Probe("interpreter", "observe_distributions", needs_interpreter=True),
    TorchInstall: Probe("torch_install", "observe_torch_install", needs_interpreter=True),
    DllClosure: Probe("dlls", "observe_dll_closure", needs_interpreter=True),
    VcRuntime: Probe("dlls", "observe_vc_runtime", needs_interpreter=True),
    CondaEnvironment: Probe("packages", "observe_conda_environment", needs_interpreter=True),
    Companions: Probe("packages", "observe_companions", needs_interpreter=True),
    TorchRecord: Probe("packages", "observe_torch_record", needs_interpreter=True),
    TorchRequirements: Probe("requirements", "observe_torch_requirements", needs_interpreter=True),
    ImportShadows: Probe("shadows", "observe_import_shadows", needs_interpreter=True),
    NumpyBuild: Probe("packages", "observe_numpy_build", needs_interpreter=True),
    BundledRuntimes: Probe("runtimes", "observe_bundled_runtimes", needs_interpreter=True),
    DllSymbols: Probe("runtimes", "observe_dll_symbols", needs_interpreter=True),
    CompanionDlls: Probe("runtimes", "observe_companion_dlls", needs_interpreter=True),
}
