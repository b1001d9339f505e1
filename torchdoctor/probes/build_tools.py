"""Observes what compiles extensions: the CUDA toolkit that torch would take, and Microsoft's compiler."""

import glob
import json
import os
import re
import shutil
import sys
from pathlib import Path

from torchdoctor.facts import Absent, BuildTools
from torchdoctor.processes.child import ChildError, run_child

TOOL_SECONDS = 5.0
_RELEASE = re.compile(r"release (\d+\.\d+)")
_COMPONENT = "Microsoft.VisualStudio.Component.VC.Tools.x86.x64"


def observe_build_tools() -> BuildTools:
    """Look for the tools in the order in which torch.utils.cpp_extension does."""
    folder, source = find_cuda_folder()
    nvcc = Path(folder, "bin", "nvcc.exe" if os.name == "nt" else "nvcc") if folder else None
    has_nvcc = nvcc is not None and nvcc.is_file()
    compiler, compiler_source = _find_compiler()
    return BuildTools(
        cuda_folder=folder,
        cuda_source=source,
        has_nvcc=has_nvcc,
        nvcc_version=_read_nvcc_version(Path(folder), nvcc)
        if folder and nvcc and has_nvcc
        else Absent("there is no nvcc"),
        compiler=compiler,
        compiler_source=compiler_source,
    )


def find_cuda_folder() -> tuple[str | None, str | None]:
    """Give the toolkit's folder and from where it is known."""
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if value := os.environ.get(variable):
            return value, variable
    if found := shutil.which("nvcc"):
        return str(Path(found).parent.parent), "PATH"
    pattern = r"C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v*.*" if os.name == "nt" else ""
    candidates = sorted(glob.glob(pattern)) if pattern else ["/usr/local/cuda"]
    for candidate in candidates[:1]:
        if os.path.isdir(candidate):
            return candidate, "default folder"
    return None, None


def _read_nvcc_version(folder: Path, nvcc: Path) -> str | Absent:
    # The toolkit tells its version in a file since 11.1; asking nvcc takes a process.
    try:
        data = json.loads((folder / "version.json").read_text(encoding="utf-8"))
        version = str(data["cuda_nvcc"]["version"])
        return ".".join(version.split(".")[:2])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    try:
        ended = run_child((str(nvcc), "--version"), time_limit_seconds=TOOL_SECONDS)
    except ChildError as error:
        return Absent(f"nvcc could not be started: {error}")
    match = _RELEASE.search(ended.stdout_tail)
    return match[1] if match else Absent("nvcc --version told no release")


def _find_compiler() -> tuple[str | Absent | None, str | None]:
    if sys.platform != "win32":
        return Absent("only Windows needs Microsoft's compiler"), None
    if found := shutil.which("cl"):
        return found, "PATH"
    installer = os.environ.get("PROGRAMFILES(X86)", r"C:\Program Files (x86)")
    vswhere = Path(installer, "Microsoft Visual Studio", "Installer", "vswhere.exe")
    if not vswhere.is_file():
        # Every Visual Studio since 2017, the Build Tools too, brings vswhere to this very place.
        return None, None
    arguments = ("-latest", "-products", "*", "-requires", _COMPONENT, "-property", "installationPath")
    try:
        ended = run_child((str(vswhere), *arguments), time_limit_seconds=TOOL_SECONDS)
    except ChildError as error:
        return Absent(f"vswhere could not be started: {error}"), None
    if ended.exit_code != 0:
        return Absent("vswhere did not answer"), None
    folder = ended.stdout_tail.strip()
    compilers = sorted(glob.glob(os.path.join(folder, r"VC\Tools\MSVC\*\bin\Hostx64\x64\cl.exe")))
    return (compilers[-1], "Visual Studio") if folder and compilers else (None, None)
