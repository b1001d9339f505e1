"""torchdoctor finds out why PyTorch fails on Windows, proves it, and gives the fix that works.

`scan` and `explain_text` are the Python interface of the two main commands; `torchdoctor.loader` is for
programs that train. Nothing is imported before it is used.
"""

import os
from collections.abc import Iterable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from torchdoctor.explain import Explanation
    from torchdoctor.report import Report

__version__ = "0.1.0"
__all__ = ["__version__", "explain_text", "scan"]

# In a clone, the checks and the knowledge base lie beside this package, not in it.
_FOLDER = os.path.dirname(os.path.abspath(__file__))
_CLONE = os.path.dirname(_FOLDER)
if not os.path.isdir(os.path.join(_FOLDER, "checks")) and os.path.isdir(os.path.join(_CLONE, "checks")):
    __path__.append(_CLONE)


def scan(
    paths: "Iterable[str | Path]" = (),
    *,
    python: str | None = None,
    trials: bool = True,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
) -> "Report":
    """Examine this machine, the interpreter `python` and the training code below `paths`.

    Arguments are those of `torchdoctor scan`; `report.findings()` lists what is wrong, worst first.

    Raises:
        UsageError: an argument is not usable.
        RegistryError: the installation has no checks.
    """
    from pathlib import Path

    from torchdoctor.commands.scan import ScanRequest
    from torchdoctor.commands.scan import scan as run_scan

    files = tuple(map(Path, paths))
    return run_scan(ScanRequest(files, python, trials=trials, select=tuple(select), ignore=tuple(ignore)))


def explain_text(text: str | bytes) -> "Explanation":
    """Explain an error text; bytes may be in any encoding. (`torchdoctor.explain` is the package.)

    Raises:
        RegistryError: no knowledge base is installed.
    """
    from torchdoctor.engine.library import load_knowledge
    from torchdoctor.explain import explain
    from torchdoctor.knowledge import parse_head

    return explain(text, load_knowledge(parse_head)[0])
