"""The files of installed packages."""

import os
import tempfile
from pathlib import Path

from hypothesis import strategies as st
from mutations import PIECES, damaged_lines, damaged_texts

from targets.table import SHARED_MEMORY, target
from torchdoctor.facts import (
    Distribution,
    Distributions,
    Interpreter,
)
from torchdoctor.probes import packages
from torchdoctor.probes.examined import Description, Examined
from torchdoctor.probes.requirements import observe_torch_requirements
from torchdoctor.probes.torch_install import observe_torch_install

DIST_INFO = "torch-2.9.0.dist-info"
RECORD = "torch/__init__.py,sha256=abc,1\ntorch/lib/c10.dll,sha256=abc,2816\n../../bin/x.exe,,\ntorch/version.py,,50\n"
METADATA = "Metadata-Version: 2.1\nName: torch\nVersion: 2.9.0\nRequires-Dist: sympy>=1.13.3\n"
METADATA += (
    "Requires-Dist: filelock; python_version >= '3.9'\nRequires-Dist: numpy[x]>=1; extra == 'all'\n\nText"
)
VERSION = (
    "from typing import Optional\n__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\nhip = None\n"
)
CONFIG = 'CONFIG = {"Build Dependencies": {"blas": {"name": "scipy-openblas", "found": True}}}\n'
DIRECT_URL = '{"url": "https://download.pytorch.org/whl/torch.whl", "archive_info": {}}'
INSTALLED = {
    f"{DIST_INFO}/RECORD": RECORD, f"{DIST_INFO}/METADATA": METADATA, f"{DIST_INFO}/INSTALLER": "pip\n",
    f"{DIST_INFO}/direct_url.json": DIRECT_URL, "torch/version.py": VERSION, "torch/__init__.py": "1",
    "numpy/__config__.py": CONFIG, "numpy/version.py": VERSION, "torchvision/version.py": VERSION,
    "sympy-1.13.3.dist-info/METADATA": METADATA.replace("torch", "sympy"),
    "conda-meta/torch-2.9.0-py311_0.json": "{}",
}  # fmt: skip
NUMBERS = ("²", "-1", "9" * 5000, "1e3", "١", "0x1", "", " 5 ", "5\0", ",,,,")


@st.composite
def damaged_files(draw: st.DrawFn) -> tuple[str, bytes]:
    """Damage one of the installed files."""
    name = draw(st.sampled_from(sorted(INSTALLED)))
    damaged = draw(st.sampled_from((damaged_texts, damaged_lines)))
    return name, draw(damaged([INSTALLED[name]], (*NUMBERS, *PIECES))).encode("utf-8", errors="surrogatepass")


@target(damaged_files())
def installed_files(damaged: tuple[str, bytes]) -> None:
    """A file of an installed package, whatever it holds, spoils no more than what it says."""
    name, content = damaged
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY) as folder:
        for path, text_of_file in INSTALLED.items():
            file = Path(folder, path)
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(content if path == name else text_of_file.encode())
        examined = examine(folder)
        observe_torch_install(examined)
        observe_torch_requirements(examined)
        packages.observe_torch_record(examined)
        packages.observe_companions(examined)
        packages.observe_numpy_build(examined)
        packages.observe_conda_environment(examined)


def examine(folder: str) -> Examined:
    """Return an interpreter whose packages are in a folder."""
    names = (("torch", "2.9.0"), ("numpy", "2.0.0"), ("sympy", "1.13.3"), ("torchvision", "0.24.0"))
    distributions = Distributions(tuple(Distribution(name, version, folder) for name, version in names))
    interpreter = Interpreter(
        "python", "3.11.7", "CPython", 64, "x64", "win-amd64", folder, folder, folder, import_path=(folder,)
    )
    torch = os.path.join(folder, "torch")
    return Examined(
        "python", Description(interpreter, distributions, torch, os.path.join(torch, "__init__.py"))
    )
