"""Importing the plan, or the package, loads no torch."""

import subprocess
import sys


def test_plan_does_not_import_torch() -> None:
    code = (
        "import sys, torchdoctor.loader.plan, torchdoctor.loader as l; dir(l); print('torch' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"
    )
