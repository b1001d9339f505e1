"""The probes of the environment around torch, each with what it needs to know."""

from collections.abc import Callable, Mapping
from pathlib import Path

from torchdoctor.facts import (
    Absent,
    BundledRuntimes,
    CompanionDlls,
    Companions,
    CondaEnvironment,
    DllSymbols,
    ImportShadows,
    NumpyBuild,
    PathSettings,
    PythonInstallations,
    TorchInstall,
    TorchRecord,
)
from torchdoctor.probes import dlls, packages, paths, pythons, runtimes, shadows
from torchdoctor.probes.interpreter import Description
from torchdoctor.probes.torch import find_plain_module


def find_environment_probes(
    description: Description, install: TorchInstall | Absent
) -> Mapping[type, Callable[[], object]]:
    """Give the probes of packages, other Pythons and settings; they read files and the registry only."""
    interpreter, distributions = description.interpreter, description.distributions

    def read_symbols() -> object:
        if isinstance(install, Absent):
            return install
        if not interpreter.is_for_windows:
            return Absent("this Python's torch has no Windows DLLs")
        return runtimes.read_dll_symbols(install, dlls.find_torch_search(interpreter, install))

    def read_companion_dlls() -> object:
        if isinstance(install, Absent):
            return install
        if not interpreter.is_for_windows:
            return Absent("this Python's packages have no Windows DLLs")
        search = dlls.find_torch_search(interpreter, install)
        companions = packages.read_companions(distributions)
        return runtimes.read_companion_dlls(interpreter, install, companions, search)

    def read_record() -> object:
        if isinstance(install, Absent):
            return install
        return packages.read_torch_record(install, distributions)

    def read_shadows() -> object:
        found = install if isinstance(install, TorchInstall) else None
        module = find_plain_module(description)
        return shadows.read_import_shadows(interpreter, found, Path.cwd(), module)

    return {
        PathSettings: paths.read_path_settings,
        PythonInstallations: pythons.read_python_installations,
        CondaEnvironment: lambda: packages.read_conda_environment(interpreter),
        Companions: lambda: packages.read_companions(distributions),
        TorchRecord: read_record,
        ImportShadows: read_shadows,
        NumpyBuild: lambda: packages.read_numpy_build(distributions),
        BundledRuntimes: lambda: runtimes.read_bundled_runtimes(interpreter, distributions),
        DllSymbols: read_symbols,
        CompanionDlls: read_companion_dlls,
    }
