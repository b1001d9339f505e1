"""torchdoctor finds out why PyTorch fails on Windows, proves it, and gives the fix that works.

`scan` and `explain_text` are the Python interface of the two main commands; `torchdoctor.loader` is for
training programs. Modules are imported when they are first used.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from torchdoctor.core.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from torchdoctor.explain import Explanation
    from torchdoctor.report import Report

__all__ = ["__version__", "explain_text", "scan"]

# In a clone, the checks and the knowledge base are beside this package, not in it.
_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_CLONE = os.path.dirname(_PACKAGE)
if not os.path.isdir(os.path.join(_PACKAGE, "checks")) and os.path.isdir(os.path.join(_CLONE, "checks")):
    __path__.append(_CLONE)


def scan(
    paths: Iterable[str | Path] = (),
    *,
    python: str | None = None,
    trials: bool = True,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
) -> Report:
    """Examine this machine, an interpreter and training code, and return the report.

    The arguments are those of `torchdoctor scan`. `findings()` of the report returns what is wrong, worst
    first.

    Args:
        paths: files and folders of training code.
        python: the interpreter to examine, by default that of the project.
        trials: whether to import torch in a child process; if not, files are only read.
        select: names or families of the checks to run, by default all.
        ignore: names or families of checks that are not run.

    Raises:
        UsageError: an argument is not usable.
        RegistryError: the installation has no checks.
    """
    from pathlib import Path

    from torchdoctor.commands.scan import ScanRequest
    from torchdoctor.commands.scan import scan as run_scan

    files = tuple(map(Path, paths))
    return run_scan(ScanRequest(files, python, trials=trials, select=tuple(select), ignore=tuple(ignore)))


def explain_text(text: str | bytes) -> Explanation:
    """Return the explanation of an error text; bytes may be in any encoding.

    It is not named `explain`, because `torchdoctor.explain` is the package.

    Raises:
        RegistryError: no knowledge base is installed.
    """
    from torchdoctor.engine.library import load_knowledge
    from torchdoctor.explain import explain
    from torchdoctor.knowledge import parse_head

    return explain(text, load_knowledge(parse_head)[0])
