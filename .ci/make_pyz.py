"""Write torchdoctor as one file that any Python from 3.10 on runs, where nothing can be installed.

python .ci/make_pyz.py torchdoctor.pyz
"""

import subprocess
import sys
import tempfile
import zipapp
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# What zipapp itself writes cannot say that the Python is too old.
_MAIN = "from torchdoctor.__main__ import main\n\nmain()\n"


def make_pyz(target: Path, wheel: Path | None = None) -> None:
    """Write the file from a wheel, by default from one that is built of this tree.

    Raises:
        CalledProcessError: the wheel cannot be built.
    """
    with tempfile.TemporaryDirectory() as folder:
        wheel = wheel or _build_wheel(Path(folder) / "wheel")
        tree = Path(folder) / "tree"
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(tree)
        (tree / "__main__.py").write_text(_MAIN, encoding="utf-8")
        zipapp.create_archive(tree, target, interpreter="/usr/bin/env python3", compressed=True)


def _build_wheel(folder: Path) -> Path:
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python .ci/make_pyz.py FILE.pyz")
    make_pyz(Path(sys.argv[1]))
    print(f"{sys.argv[1]}: written; run it with: python {sys.argv[1]} scan")
