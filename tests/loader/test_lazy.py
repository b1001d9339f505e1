"""Importing the plan, or the package, loads no torch; a program that `run` starts waits for little."""

import subprocess
import sys


def test_plan_does_not_import_torch() -> None:
    code = (
        "import sys, torchdoctor.loader.plan, torchdoctor.loader as l; dir(l); print('torch' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"
    )


def test_run_loads_nothing_slow_before_the_program() -> None:
    # What the interpreter loads at its own start, an editable install's finder included, is not ours.
    imports = "import torchdoctor.__main__, torchdoctor.commands.run"
    code = f"import sys; own = {{*sys.modules}}; {imports}; print(*{{*sys.modules}} - own)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split()
    assert not {"dataclasses", "inspect", "json", "psutil", "re", "rich", "typer", "typing"} & set(loaded)
