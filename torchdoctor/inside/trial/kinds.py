"""Names values in terms that users know.

torch is used only if it is already imported.
"""

from __future__ import annotations

import io
import re
import sys
import types

from ..answers import read_message
from ..cutting import cut_end
from .places import find_raising_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Types whose values are never on a GPU themselves.
PLAIN_TYPES = frozenset((str, bytes, int, float, bool, type(None), list, tuple, dict, set, bytearray))


def is_on_device(value: Any) -> bool:
    """Return whether a value is a tensor, generator, stream or event on a GPU."""
    torch = sys.modules.get("torch")
    if torch is None or type(value) in PLAIN_TYPES:
        return False
    try:
        if isinstance(value, (torch.Tensor, torch.Generator)):
            return value.device.type not in ("cpu", "meta")
    except Exception:
        return False
    return type(value).__module__.startswith("torch.cuda") and type(value).__name__ in ("Stream", "Event")


def shorten_key(key: object) -> str:
    """Return a dictionary key as text of at most 40 characters."""
    text = repr(key) if isinstance(key, (str, int, float, bool, bytes, tuple)) else type(key).__name__
    return cut_end(text, 37) if len(text) > 40 else text


def describe_error(error: BaseException) -> str:
    """Return type and text of an exception in one line, without addresses, which differ between runs."""
    text = re.sub(r" at 0x[0-9A-Fa-f]+", "", " ".join(read_message(error).split()))
    return f"{type(error).__name__}: {cut_end(text, 500)}"


def name_type(value: object) -> str:
    """Return the full name of a value's type, without the module if it is builtins or the main module."""
    cls = type(value)
    module = "" if cls.__module__ in ("builtins", "__mp_main__", "__main__") else cls.__module__ + "."
    return module + cls.__qualname__


def name_device(value: object) -> str:
    """Return a value's device as torch writes it ("cuda:0")."""
    return str(getattr(value, "device", "the GPU"))


def name_device_kind(value: object) -> str:
    """Return the kind of a value on a GPU ("CUDA tensor", "CUDA generator")."""
    device = getattr(getattr(value, "device", None), "type", "cuda")
    name = type(value).__name__.lower()
    kind = name if name in ("generator", "stream", "event") else "tensor"
    return f"{device.upper() if len(device) < 5 else device} {kind}"


def name_kind(value: Any, error: BaseException) -> str:
    """Return the kind of a value that cannot be sent; `error` is the exception raised for it."""
    qualified_name = getattr(value, "__qualname__", "")
    if isinstance(value, types.FunctionType):
        if value.__name__ == "<lambda>":
            return "lambda"
        if "<locals>" in qualified_name:
            return "local function"
        return f"function {value.__name__} not found by its name"
    if isinstance(value, type):
        if "<locals>" in qualified_name:
            return f"local class {value.__name__}"
        return f"class {value.__name__} not found by its name"
    kind = find_kind(value)
    if kind is not None:
        return kind
    name = name_type(value)
    if getattr(value, "grad_fn", None) is not None:
        return f"{name} with the history of its gradient"
    return f"{name} that raises when pickled" if find_raising_place(error) else name


def find_kind(value: object) -> str | None:
    """Return the kind of a value from KINDS, or None if it is not listed there."""
    return next((kind for kind, is_of_kind in KINDS if is_of_kind(value)), None)


def _is_of(*names: str) -> Callable[[object], bool]:
    """Return a predicate for values with a type or base type whose full name starts with one of the names."""
    return lambda value: any(
        (cls.__module__ + "." + cls.__qualname__).startswith(names) for cls in type(value).__mro__
    )


# Kinds of values that usually cannot be sent to a worker, each with its predicate.
KINDS: tuple[tuple[str, Callable[[object], bool]], ...] = (
    ("generator", lambda value: isinstance(value, (types.GeneratorType, types.AsyncGeneratorType))),
    ("coroutine", lambda value: isinstance(value, types.CoroutineType)),
    ("module", lambda value: isinstance(value, types.ModuleType)),
    ("open file", lambda value: isinstance(value, io.IOBase)),
    ("lock", _is_of("_thread.lock", "_thread.RLock", "_thread._ThreadHandle")),
    ("thread-local storage", _is_of("_thread._local")),
    ("database connection", _is_of("sqlite3.", "psycopg", "pymysql.", "duckdb")),
    ("open HDF5 file", _is_of("h5py.")),
    ("open LMDB database", _is_of("builtins.Environment", "builtins.Transaction", "lmdb.")),
    ("open archive", _is_of("zipfile.ZipFile", "tarfile.TarFile")),
    ("running program", _is_of("subprocess.Popen")),
    ("random generator of torch", _is_of("torch._C.Generator")),
    ("weak reference", _is_of("weakref.", "builtins.weakref", "_weakref")),
    ("pool of threads or processes", _is_of("concurrent.futures.", "multiprocessing.pool.")),
    ("thread", _is_of("threading.Thread")),
    ("queue", _is_of("queue.", "_queue.", "asyncio.queues.")),
    ("event loop", _is_of("asyncio.base_events.", "asyncio.events.AbstractEventLoop", "uvloop.")),
    ("log handler", _is_of("logging.Handler")),
    ("progress bar", _is_of("tqdm.")),
    ("socket", _is_of("socket.", "_socket.", "ssl.", "_ssl.")),
)
