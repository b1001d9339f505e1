"""Runs when the program's Python starts: readies what `torchdoctor run` asked for, then steps aside."""

import importlib.util
import os
import sys

PACKAGE = "_torchdoctor_startup"


def _start():
    folder = os.path.dirname(os.path.abspath(__file__))
    spelled = os.path.normcase(folder)
    sys.path[:] = [entry for entry in sys.path if os.path.normcase(os.path.abspath(entry)) != spelled]
    spec = importlib.util.spec_from_file_location(
        PACKAGE, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)
    if os.environ.get("TORCHDOCTOR_RECORD"):
        from _torchdoctor_startup import record

        record.install(os.environ["TORCHDOCTOR_RECORD"])
    if os.environ.get("TORCHDOCTOR_SAFE_LOADER"):
        from _torchdoctor_startup import hook

        hook.install()


def _run_next():
    """Run the sitecustomize that this one stood in front of."""
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
    print("torchdoctor: could not get ready inside the program: %r" % error, file=sys.stderr)
if __name__ == "sitecustomize":
    _run_next()
