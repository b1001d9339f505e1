"""Pickle what a worker is sent, and find everything in it that cannot be sent.

torch is used where it is imported already.
"""

from __future__ import annotations

import pickle
import sys
from multiprocessing.reduction import ForkingPickler

from ..pickling import KEPT_BYTES, CountingSink, spawning
from . import LARGE_PICKLE_BYTES
from .kinds import PLAIN, describe_error, is_on_device, name_type
from .places import find_raising_place
from .tracing import trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def examine(value: Any, name: str) -> tuple[dict[str, Any], bytes | None]:
    """Pickle a value as for a worker; return the answer as data, and the pickle while it is small.

    The first pass uses the pickler in C. Only where that fails, finds something of a GPU or writes much is
    the value traced, to find the paths.
    """
    sink = CountingSink(KEPT_BYTES)
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
    if error is not None and not answer["unpicklable"]:
        answer["unpicklable"] = [_describe_whole(name, value, error)]
    return answer, bytes(sink.kept) if error is None and sink.kept is not None else None


def _dump(pickler: _CountingPickler, value: object) -> BaseException | None:
    try:
        with spawning():
            pickler.dump(value)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return error
    return None


def _describe_whole(name: str, value: object, error: BaseException) -> dict[str, str | None]:
    """Describe a failure that the trace did not place."""
    path, culprit = find_deep(name, value) if isinstance(error, RecursionError) else (name, value)
    detail = describe_error(error)
    kind = f"{name_type(culprit)} ({detail})"
    return {"path": path, "kind": kind, "detail": detail, "defined": find_raising_place(error)}


def find_deep(name: str, value: object) -> tuple[str, object]:
    """Find path and value of the attribute that is nested deeper than pickle can follow."""
    for attribute, held in list(getattr(value, "__dict__", {}).items()):
        try:
            pickle.dumps(held)
        except RecursionError:
            return f"{name}.{attribute}", held
        except Exception:
            continue
    return name, value


class _CountingPickler(ForkingPickler):
    """Counts the bytes of tensors in shared memory, and leaves out what is on a GPU."""

    def __init__(self, sink: CountingSink) -> None:
        super().__init__(sink)
        self.found_device = False
        # By address: several tensors may share a storage.
        self.shared_bytes: dict[int, int] = {}

    def persistent_id(self, value: Any) -> str | None:
        if type(value) in PLAIN:
            return None
        if is_on_device(value):
            # Sending it is what fails on Windows.
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
