"""torchdoctor finds out why PyTorch fails on Windows, proves it, and gives the fix that works.

`scan`, `explain_text` and `read_environment` are the Python interface of the main commands: a value in, a
value out, and nothing is printed. `install_hook` explains the exception that ends a program, and
`%load_ext torchdoctor` those of cells. `torchdoctor.loader` is for training programs. Modules are imported
when they are first used.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from torchdoctor.core.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from torchdoctor.commands.hooks import Shell
    from torchdoctor.explain import Explanation
    from torchdoctor.readers import Environment
    from torchdoctor.report import Report

__all__ = ["__version__", "explain_text", "install_hook", "read_environment", "scan"]

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

    `from torchdoctor import explain` gives the package of this name, which can be called with a text as well;
    type checkers know only this function.

    >>> from torchdoctor import explain_text
    >>> answer = explain_text("OSError: [WinError 1455] The paging file is too small for this operation")
    >>> answer.diagnoses[0].name
    'paging-file-too-small'

    Raises:
        RegistryError: no knowledge base is installed.
    """
    from torchdoctor.engine.library import load_heads
    from torchdoctor.explain import explain

    return explain(text, load_heads())


def read_environment(text: str | bytes) -> tuple[Environment, ...]:
    """Return the environments that a text describes, in its order, each with the lines that state it.

    A text is an issue, a log, the output of collect_env, nvidia-smi or pip, or a mixture; () means that
    nothing in it is about a Python, a torch or a GPU.

    >>> from torchdoctor import read_environment
    >>> environment, = read_environment("PyTorch version: 2.6.0+cu124\\nNvidia driver version: 531.79")
    >>> [(each.label, each.value, each.line) for each in environment.statements]
    [('torch', '2.6.0+cu124', 1), ('CUDA of torch', '12.4', 1), ('NVIDIA driver', '531.79', 2)]

    Raises:
        RegistryError: no knowledge base is installed.
    """
    from torchdoctor.engine.library import load_heads
    from torchdoctor.engine.plugin_readers import load_formats
    from torchdoctor.explain.printed import read_printed
    from torchdoctor.readers import read_environments

    data = text.encode("utf-8", errors="replace") if isinstance(text, str) else text
    return read_environments(read_printed((data,), load_heads()), load_formats()[0])


def install_hook() -> None:
    """Explain the exception that ends this program, on standard error below its traceback.

    The hook of before is called first. What is not recognised adds nothing.
    """
    from torchdoctor.commands.hooks import install_hook as install

    install()


def load_ipython_extension(shell: Shell) -> None:
    """Explain the exceptions of cells, after `%load_ext torchdoctor`."""
    from torchdoctor.commands.hooks import watch_cells

    watch_cells(shell)


def unload_ipython_extension(shell: Shell) -> None:
    """Stop explaining the exceptions of cells, after `%unload_ext torchdoctor`."""
    from torchdoctor.commands.hooks import unwatch_cells

    unwatch_cells(shell)
