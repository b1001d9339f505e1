"""Installs what `torchdoctor run` requests when Python starts, then runs the sitecustomize that it hides.

Every Python that the program starts imports this module, also one that is too old for the others: its own
syntax is that of Python 3.6.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

PACKAGE = "_torchdoctor_inside"


def _start() -> None:
    folder = os.path.dirname(os.path.abspath(__file__))
    own_folder = os.path.normcase(folder)
    sys.path[:] = [entry for entry in sys.path if os.path.normcase(os.path.abspath(entry)) != own_folder]
    package = sys.modules[PACKAGE] = type(sys)(PACKAGE)
    package.__path__ = [os.path.dirname(folder)]
    if os.environ.get("TORCHDOCTOR_TRANSCRIPT"):
        from _torchdoctor_inside.program import transcript

        transcript.install(os.environ["TORCHDOCTOR_TRANSCRIPT"])
    from _torchdoctor_inside.program import hook

    changes = {}
    if os.environ.get("TORCHDOCTOR_SAFE_LOADER"):
        changes["torch.utils.data.dataloader"] = _make_safe
    exits_file = os.environ.get("TORCHDOCTOR_WORKER_EXITS")
    if exits_file:
        from _torchdoctor_inside.program import worker_exits

        changes.update(
            dict.fromkeys(worker_exits.METHODS, lambda module: worker_exits.install(module, exits_file))
        )
    hook.install(changes)


def _make_safe(module: "ModuleType") -> None:
    from _torchdoctor_inside.program import messages, safe_loader

    try:
        safe_loader.install(module)
    except Exception as error:
        messages.print_once(f"DataLoaders are left as they are: {error!r}")


def _run_hidden_sitecustomize() -> None:
    """Run the sitecustomize that this one hides, if there is one."""
    import importlib

    own_module = sys.modules.pop(__name__, None)
    try:
        importlib.import_module(__name__)
    except ModuleNotFoundError as error:
        if error.name != __name__:
            raise
    finally:
        if own_module is not None:
            sys.modules.setdefault(__name__, own_module)


try:
    if sys.version_info >= (3, 8):
        _start()
except Exception as error:
    # An error here must not stop the program: it runs as it would without torchdoctor.
    print(f"torchdoctor: could not start inside the program: {error!r}", file=sys.stderr)
if __name__ == "sitecustomize":
    _run_hidden_sitecustomize()
