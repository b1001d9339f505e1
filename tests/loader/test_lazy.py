"""torchdoctor.loader does not import torch, and `run` imports nothing slow before the program starts."""

import subprocess
import sys


def test_plan_does_not_import_torch() -> None:
    code = (
        "import sys, torchdoctor.loader.plan, torchdoctor.loader as l; dir(l); print('torch' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"
    )


def test_run_imports_nothing_slow_before_the_program() -> None:
    # Modules that the interpreter imports at its start do not count (an editable install's finder is one).
    imports = "import torchdoctor.__main__, torchdoctor.commands.run"
    code = f"import sys; own = {{*sys.modules}}; {imports}; print(*{{*sys.modules}} - own)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split()
    slow = {
        "dataclasses",
        "inspect",
        "json",
        "psutil",
        "re",
        "rich",
        "torchdoctor.vendored",
        "typer",
        "typing",
    }
    assert not slow & set(loaded)
