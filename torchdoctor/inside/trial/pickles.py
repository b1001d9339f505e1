"""Pickles what a worker is sent, and finds everything in it that cannot be sent.

torch is used only if it is already imported.
"""

from __future__ import annotations

import pickle
import sys
from multiprocessing.reduction import ForkingPickler

from ..pickling import MAX_KEPT_BYTES, CountingSink, measure_attributes, spawning
from . import LARGE_PICKLE_BYTES
from .kinds import PLAIN_TYPES, describe_error, is_on_device, name_type
from .places import find_raising_place
from .tracing import HEAVY_BYTES, MAX_HEAVY, trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def examine(value: Any, name: str) -> tuple[dict[str, Any], bytes | None]:
    """Pickle a value as for a worker; return the answer, and the pickle if it is complete and not too large.

    The first pass uses the pickler written in C. The value is traced to find paths only if this pass fails,
    finds a value on a GPU, or writes a large pickle.
    """
    sink = CountingSink(MAX_KEPT_BYTES)
    pickler = _CountingPickler(sink)
    error = _dump(pickler, value)
    answer: dict[str, Any] = {
        "name": name,
        "type_name": name_type(value),
        "pickled_bytes": None if error else sink.count,
        "error": None if error is None else describe_error(error),
        "shared_bytes": sum(pickler.shared_bytes.values()),
        "unpicklable": [],
        "on_device": [],
        "heavy": [],
    }
    if error is not None or pickler.found_device or sink.count > LARGE_PICKLE_BYTES:
        trace(value, name, answer)
    if sink.count > LARGE_PICKLE_BYTES and not answer["heavy"]:
        # Millions of small objects cannot be traced in time, but the pickler written in C can count them.
        answer["heavy"] = list(find_heavy_attributes(value, name))
    if error is not None and not answer["unpicklable"]:
        answer["unpicklable"] = [_describe_failure(name, value, error)]
    return answer, bytes(sink.kept) if error is None and sink.kept is not None else None


def find_heavy_attributes(value: object, name: str) -> Iterator[dict[str, Any]]:
    """Yield the largest attributes of a value, with their pickled size."""
    for size, attribute, member in measure_attributes(value)[:MAX_HEAVY]:
        if size >= HEAVY_BYTES:
            yield {"path": f"{name}.{attribute}", "kind": name_type(member), "pickled_bytes": size}


def _dump(pickler: _CountingPickler, value: object) -> BaseException | None:
    """Pickle a value; return the exception if that fails."""
    try:
        with spawning():
            pickler.dump(value)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return error
    return None


def _describe_failure(name: str, value: object, error: BaseException) -> dict[str, str | None]:
    """Return the member to report for a failure whose path the trace did not find."""
    path, member = find_deeply_nested(name, value) if isinstance(error, RecursionError) else (name, value)
    detail = describe_error(error)
    kind = f"{name_type(member)} ({detail})"
    return {"path": path, "kind": kind, "detail": detail, "defined": find_raising_place(error)}


def find_deeply_nested(name: str, value: object) -> tuple[str, object]:
    """Return path and value of the attribute that is nested too deeply to pickle, or of the value itself."""
    for attribute, attribute_value in list(getattr(value, "__dict__", {}).items()):
        try:
            pickle.dumps(attribute_value)
        except RecursionError:
            return f"{name}.{attribute}", attribute_value
        except Exception:
            continue
    return name, value


class _CountingPickler(ForkingPickler):
    """Pickler that counts the bytes of tensors in shared memory, and leaves out values on a GPU."""

    def __init__(self, sink: CountingSink) -> None:
        super().__init__(sink)
        self.found_device = False
        # Bytes by address, because several tensors may share a storage.
        self.shared_bytes: dict[int, int] = {}

    def persistent_id(self, value: Any) -> str | None:
        if type(value) in PLAIN_TYPES:
            return None
        if is_on_device(value):
            # On Windows, sending it to a worker fails.
            self.found_device = True
            return "device"
        torch = sys.modules.get("torch")
        tensor = getattr(torch, "Tensor", None) or ()
        if (
            torch
            and isinstance(value, tensor)
            and value.device.type == "cpu"
            and value.layout == torch.strided
        ):
            storage = value.untyped_storage() if hasattr(value, "untyped_storage") else value.storage()
            self.shared_bytes[storage.data_ptr()] = storage.nbytes()
        return None
