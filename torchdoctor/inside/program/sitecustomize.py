"""Runs when the program's Python starts: installs what `torchdoctor run` asked for, then steps aside."""

from __future__ import annotations

import os
import sys

PACKAGE = "_torchdoctor_inside"


def _start() -> None:
    folder = os.path.dirname(os.path.abspath(__file__))
    own = os.path.normcase(folder)
    sys.path[:] = [entry for entry in sys.path if os.path.normcase(os.path.abspath(entry)) != own]
    package = sys.modules[PACKAGE] = type(sys)(PACKAGE)
    package.__path__ = [os.path.dirname(folder)]
    if os.environ.get("TORCHDOCTOR_TRANSCRIPT"):
        from _torchdoctor_inside.program import transcript

        transcript.install(os.environ["TORCHDOCTOR_TRANSCRIPT"])
    if os.environ.get("TORCHDOCTOR_SAFE_LOADER"):
        from _torchdoctor_inside.program import hook

        hook.install()


def _run_next() -> None:
    """Run the sitecustomize that this one hides."""
    import importlib

    this = sys.modules.pop(__name__, None)
    try:
        importlib.import_module(__name__)
    except ModuleNotFoundError as error:
        if error.name != __name__:
            raise
    finally:
        if this is not None:
            sys.modules.setdefault(__name__, this)


try:
    _start()
except Exception as error:
    # The program comes first: it runs as it would without us.
    print(f"torchdoctor: could not get ready inside the program: {error!r}", file=sys.stderr)
if __name__ == "sitecustomize":
    _run_next()
