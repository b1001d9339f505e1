"""The `repair` command: mend what a scan finds, or take back what a repair changed."""

import os
import shutil

from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.examiner import Examiner
from torchdoctor.engine.registry import load_registry
from torchdoctor.engine.selection import select_checks
from torchdoctor.repair.journal import only_repair
from torchdoctor.repair.results import Dialogue, RepairRequest, RepairResult
from torchdoctor.repair.session import Session
from torchdoctor.report import Report


def repair(request: RepairRequest, dialogue: Dialogue) -> RepairResult:
    """Examine, make a plan, and run its steps, each after consent; examine again after each.

    Raises:
        UsageError: an argument is not usable, another repair runs, or the journal cannot be written.
    """
    if request.folder is not None and not os.path.isdir(request.folder):
        raise UsageError(f"{request.folder} is no folder: --find-links names a folder with packages")
    if request.select:
        select_checks(load_registry(), request.select, ())
    python = _choose_python(request.python)

    def examine() -> Report:
        return scan(ScanRequest(python=python), dialogue.watch)

    session = Session(request, dialogue, python, examine)
    if request.is_dry_run:
        return session.plan_only()
    with only_repair():
        return session.run()


def _choose_python(given: str | None) -> str:
    """Return the path of the Python to repair; pip runs in another folder, so it is absolute."""
    with Examiner(given) as examiner:
        executable = examiner.python.executable
    return os.path.abspath(shutil.which(executable) or executable)
