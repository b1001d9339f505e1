"""Runs in the examined interpreter: pickles as for a spawned worker, and finds all that cannot be sent.

Standard library only, Python 3.8 syntax. torch is used where the caller has imported it.
"""

import pickle
import sys

from torchdoctor.probes.inside_kinds import PLAIN, describe_error, is_on_device, name_type
from torchdoctor.probes.inside_places import find_raising_place
from torchdoctor.probes.inside_spawning import Counter, spawning
from torchdoctor.probes.inside_tracing import trace

# From this size on it is told what is heavy.
LARGE_BYTES = 100_000_000


def examine(value, name):
    """Pickle a value as for a worker; give the answer as data, and the pickle while it is small.

    The first pass is the real pickler in C; only where it fails, finds something of a GPU or writes much is
    the value traced, to find the paths.
    """
    sink, seen = Counter(), {"device": False, "shared": {}}
    error = None
    with spawning():
        try:
            _make_counting_pickler(sink, seen).dump(value)
        except KeyboardInterrupt:
            raise
        except BaseException as raised:
            error = raised
    answer = {
        "name": name,
        "type_name": name_type(value),
        "pickled_bytes": None if error else sink.count,
        "error": None if error is None else describe_error(error),
        "shared_bytes": sum(seen["shared"].values()),
        "unpicklable": [],
        "on_device": [],
        "heavy": [],
    }
    if error is not None or seen["device"] or sink.count > LARGE_BYTES:
        trace(value, name, answer)
    if error is not None and not answer["unpicklable"]:
        place = find_raising_place(error)
        path, culprit = (name, value) if not isinstance(error, RecursionError) else find_deep(name, value)
        kind = "%s (%s)" % (name_type(culprit), answer["error"])
        answer["unpicklable"] = [{"path": path, "kind": kind, "detail": answer["error"], "defined": place}]
    return answer, bytes(sink.kept) if error is None and sink.kept is not None else None


def find_deep(name, value):
    """Give path and value of the attribute that is nested deeper than pickle can follow."""
    for attribute, held in list(getattr(value, "__dict__", {}).items()):
        try:
            pickle.dumps(held)
        except RecursionError:
            return "%s.%s" % (name, attribute), held
        except Exception:
            continue
    return name, value


def _make_counting_pickler(sink, seen):
    from multiprocessing.reduction import ForkingPickler

    torch = sys.modules.get("torch")
    tensor = getattr(torch, "Tensor", None) or ()

    class CountingPickler(ForkingPickler):
        def persistent_id(self, value):
            if type(value) in PLAIN:
                return None
            if is_on_device(value):
                # Sending it is what fails on Windows: noted, and left out.
                seen["device"] = True
                return "device"
            if isinstance(value, tensor) and value.device.type == "cpu" and value.layout == torch.strided:
                storage = value.untyped_storage() if hasattr(value, "untyped_storage") else value.storage()
                seen["shared"][storage.data_ptr()] = storage.nbytes()
            return None

    return CountingPickler(sink)
