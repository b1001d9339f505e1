"""Observes the tools that compile extensions: the CUDA toolkit that torch would use and the MSVC compiler."""

import glob
import json
import os
import re
import shutil
import sys
from pathlib import Path

from torchdoctor.core.files import read_text
from torchdoctor.facts import Absent, BuildTools
from torchdoctor.processes.child import ChildError, run_child

TOOL_SECONDS = 5.0
_RELEASE = re.compile(r"release (\d+\.\d+)")
_COMPONENT = "Microsoft.VisualStudio.Component.VC.Tools.x86.x64"


def observe_build_tools() -> BuildTools:
    """Look for the tools in the same places and the same order as torch.utils.cpp_extension."""
    folder, source = find_cuda_folder()
    has_nvcc = False
    nvcc_version: str | Absent = Absent("there is no nvcc")
    if folder:
        nvcc = Path(folder, "bin", "nvcc.exe" if os.name == "nt" else "nvcc")
        has_nvcc = os.path.isfile(nvcc)
        if has_nvcc:
            nvcc_version = _read_nvcc_version(Path(folder), nvcc)
    compiler, compiler_source = _find_compiler()
    return BuildTools(
        cuda_folder=folder,
        cuda_source=source,
        has_nvcc=has_nvcc,
        nvcc_version=nvcc_version,
        compiler=compiler,
        compiler_source=compiler_source,
    )


def find_cuda_folder() -> tuple[str | None, str | None]:
    """Return the folder of the CUDA toolkit and where it was found; both are None if there is none."""
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if folder := os.environ.get(variable):
            return folder, variable
    if nvcc := shutil.which("nvcc"):
        return str(Path(nvcc).parent.parent), "PATH"
    if os.name == "nt":
        candidates = sorted(glob.glob(r"C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v*.*"))
    else:
        candidates = ["/usr/local/cuda"]
    # Like torch, use only the first candidate.
    if candidates and os.path.isdir(candidates[0]):
        return candidates[0], "default folder"
    return None, None


def _read_nvcc_version(folder: Path, nvcc: Path) -> str | Absent:
    # Since 11.1 the toolkit has a file with its version; reading it is faster than running nvcc.
    try:
        data = json.loads(read_text(folder / "version.json"))
        version = str(data["cuda_nvcc"]["version"])
        return ".".join(version.split(".")[:2])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    try:
        child = run_child((str(nvcc), "--version"), time_limit_seconds=TOOL_SECONDS)
    except ChildError as error:
        return Absent(f"nvcc could not be started: {error}")
    match = _RELEASE.search(child.stdout_tail)
    return match[1] if match else Absent("nvcc --version printed no release")


def _find_compiler() -> tuple[str | Absent | None, str | None]:
    if sys.platform != "win32":
        return Absent("only Windows needs Microsoft's compiler"), None
    if compiler := shutil.which("cl"):
        return compiler, "PATH"
    installer = os.environ.get("PROGRAMFILES(X86)", r"C:\Program Files (x86)")
    vswhere = Path(installer, "Microsoft Visual Studio", "Installer", "vswhere.exe")
    if not os.path.isfile(vswhere):
        # Every Visual Studio since 2017 installs vswhere at this path, and so do its Build Tools.
        return None, None
    arguments = ("-latest", "-products", "*", "-requires", _COMPONENT, "-property", "installationPath")
    try:
        child = run_child((str(vswhere), *arguments), time_limit_seconds=TOOL_SECONDS)
    except ChildError as error:
        return Absent(f"vswhere could not be started: {error}"), None
    if child.exit_code != 0:
        return Absent("vswhere did not answer"), None
    folder = child.stdout_tail.strip()
    compilers = sorted(glob.glob(os.path.join(folder, r"VC\Tools\MSVC\*\bin\Hostx64\x64\cl.exe")))
    return (compilers[-1], "Visual Studio") if folder and compilers else (None, None)
