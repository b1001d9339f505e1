"""Decides for each DataLoader how many workers are safe, and loads the same batches with so many."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time

from ..memory import find_room, read_private_bytes
from ..pickling import try_pickling
from . import main_guard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Plan = dict[str, Any]
    # A number of workers, and what bounds it.
    Bound = tuple[int, str | None]

_said: set[str] = set()


def say(text: str) -> None:
    """Write a message to standard error, once."""
    if text not in _said and sys.stderr is not None:
        _said.add(text)
        try:
            print("torchdoctor: safe loader: " + text, file=sys.stderr, flush=True)
        except (OSError, ValueError):
            pass


def install(dataloader: Any) -> None:
    """Make the DataLoader of this module safe."""
    plan: Plan = {}
    if multiprocessing.parent_process() is None:
        # Importing torch is nearly all that a worker costs, and it is nearly done by now.
        plan["worker_bytes"] = read_private_bytes()
    original = dataloader.DataLoader._get_iterator

    def _get_iterator(self: Any) -> Any:
        if not self.num_workers:
            return original(self)
        if "cores" not in plan:
            plan.update(_read_bounds())
        workers, reason = _find_workers(self, plan)
        if workers == self.num_workers:
            return original(self)
        from . import virtual_workers

        change = f"num_workers {self.num_workers} -> {workers}"
        say(f"{_find_place()}: {change}, the batches stay the same: {reason}")
        return virtual_workers.make_iterator(self, workers)

    dataloader.DataLoader._get_iterator = _get_iterator
    _accept_any_start_method(dataloader.DataLoader)
    from . import subclasses

    subclasses.watch(dataloader.DataLoader)


def _read_bounds() -> Plan:
    """Read what the doctor found out about the machine while the program started."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            with open(os.environ["TORCHDOCTOR_SAFE_LOADER"], encoding="utf-8") as file:
                bounds: Plan = json.load(file)
                return bounds
        except (OSError, ValueError):
            time.sleep(0.02)
    return {"cores": max(1, (os.cpu_count() or 1) // 2), "reserved_share": 0.1}


def _find_workers(loader: Any, plan: Plan) -> Bound:
    """Return the number of workers that is safe, a divisor of the number given or 0, and what bounds it."""
    given: int = loader.num_workers
    if _is_data_pipe(loader.dataset) or multiprocessing.current_process().daemon:
        return given, None
    cost = 0
    if _find_start_method(loader) != "fork":
        unguarded = main_guard.find_unguarded()
        if unguarded:
            return 0, f"{unguarded} runs without a main guard, so every worker would run it again"
        sent = {name: getattr(loader, name) for name in ("dataset", "collate_fn", "worker_init_fn")}
        size, obstacle = try_pickling(sent)
        if obstacle:
            return 0, obstacle
        cost = (plan.get("worker_bytes") or 0) + size
    limit, reason = _find_limit(given, cost, plan)
    if limit >= given:
        return given, None
    if _is_iterable(loader):
        return 0, reason
    # Batch k comes from worker k modulo num_workers: a divisor can keep each worker's random numbers apart.
    return next((count for count in range(max(0, limit), 0, -1) if given % count == 0), 0), reason


def _find_limit(given: int, cost: int, plan: Plan) -> Bound:
    """Return the smallest of the number given and the bounds of this machine, and which one it is."""
    limit, reason = given, None
    if plan["cores"] < limit:
        limit, reason = plan["cores"], f"{plan['cores']} cores"
    for room, name in find_room(plan["reserved_share"]) if cost else ():
        if room // cost < limit:
            limit = int(room // cost)
            need = f"a worker needs {cost / 2.0**30:.1f} GiB"
            reason = f"{room / 2.0**30:.1f} GiB of {name} to spare, {need}"
    return limit, reason


def _find_start_method(loader: Any) -> str:
    context = loader.multiprocessing_context
    return str(multiprocessing.get_start_method() if context is None else context.get_start_method())


def _is_iterable(loader: Any) -> bool:
    from torch.utils.data import IterableDataset

    return isinstance(loader.dataset, IterableDataset)


def _is_data_pipe(dataset: object) -> bool:
    names = {base.__name__ for base in type(dataset).__mro__}
    return bool(names & {"IterDataPipe", "MapDataPipe"})


def _accept_any_start_method(loader_class: Any) -> None:
    """Take "fork", which this system does not have, for the default: both give the same batches."""
    known = loader_class.multiprocessing_context

    def set_context(self: Any, context: Any) -> None:
        if isinstance(context, str) and context in ("fork", "forkserver"):
            methods = multiprocessing.get_all_start_methods()
            if context not in methods:
                say(f"{_find_place()}: multiprocessing_context {context!r} -> {methods[0]!r}")
                context = methods[0] if self.num_workers else None
        known.fset(self, context)

    loader_class.multiprocessing_context = property(known.fget, set_context, doc=known.__doc__)


def _find_place() -> str:
    """Return file and line of the program's own code that is running."""
    frame = sys._getframe(1)
    torch_folder = os.path.dirname(os.path.abspath(str(sys.modules["torch"].__file__))) + os.sep
    own_folder = os.path.dirname(os.path.abspath(__file__)) + os.sep
    while frame is not None:
        path = os.path.abspath(frame.f_code.co_filename)
        if not path.startswith((torch_folder, own_folder)):
            return f"{os.path.basename(path)}:{frame.f_lineno}"
        frame = frame.f_back  # type: ignore[assignment]
    return "DataLoader"
