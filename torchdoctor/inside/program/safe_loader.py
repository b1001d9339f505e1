"""Finds how many workers are safe for each DataLoader, and loads the same batches with that number."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time

from ..memory import read_available_memory, read_private_bytes
from ..pickling import try_pickling
from . import main_guard
from .messages import print_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Plan = dict[str, Any]
    # A number of workers, and why it is lower than the requested number.
    WorkerCount = tuple[int, str | None]


def install(dataloader: Any) -> None:
    """Make the DataLoader class of a module safe."""
    plan: Plan = {}
    if multiprocessing.parent_process() is None:
        # Importing torch uses most of the memory of a worker, and this import is almost finished by now.
        plan["worker_bytes"] = read_private_bytes()
    original = dataloader.DataLoader._get_iterator

    def _get_iterator(self: Any) -> Any:
        if not self.num_workers or not hasattr(type(self.num_workers), "__index__"):
            # torch itself says what is wrong with a number that is none.
            return original(self)
        if "cores" not in plan:
            plan.update(_read_limits())
        workers, reason = _find_safe_workers(self, plan)
        if workers == self.num_workers:
            return original(self)
        from . import virtual_workers

        change = f"num_workers {self.num_workers} -> {workers}"
        print_once(f"{_find_program_line()}: {change}, the batches stay the same: {reason}")
        return virtual_workers.make_iterator(self, workers)

    dataloader.DataLoader._get_iterator = _get_iterator
    _replace_missing_start_methods(dataloader.DataLoader)
    from . import subclasses

    subclasses.watch(dataloader.DataLoader)


def _read_limits() -> Plan:
    """Return the limits of the machine, which the doctor writes to a file while the program starts.

    The result is a default if there is no such file within 10 seconds.
    """
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            with open(os.environ["TORCHDOCTOR_SAFE_LOADER"], encoding="utf-8") as file:
                limits: Plan = json.load(file)
                return limits
        except (OSError, ValueError):
            time.sleep(0.02)
    return {"cores": max(1, (os.cpu_count() or 1) // 2), "reserved_share": 0.1}


def _find_safe_workers(loader: Any, plan: Plan) -> WorkerCount:
    """Return the safe number of workers, a divisor of num_workers or 0, and why it is lower."""
    requested: int = loader.num_workers
    if _is_data_pipe(loader.dataset) or multiprocessing.current_process().daemon:
        return requested, None
    worker_bytes = 0
    if _find_start_method(loader) != "fork":
        unguarded = main_guard.find_unguarded()
        if unguarded:
            return 0, f"{unguarded} runs without a main guard, so every worker would run it again"
        sent_parts = {name: getattr(loader, name) for name in ("dataset", "collate_fn", "worker_init_fn")}
        size, obstacle = try_pickling(sent_parts)
        if obstacle:
            return 0, obstacle
        worker_bytes = (plan.get("worker_bytes") or 0) + size
    limit, reason = _find_limit(requested, worker_bytes, plan)
    if limit >= requested:
        return requested, None
    if _is_iterable(loader):
        return 0, reason
    # Batch k comes from worker k modulo num_workers. If the number of processes divides num_workers, all
    # batches of a worker come from one process, which can keep the random states of its workers apart.
    return next((count for count in range(max(0, limit), 0, -1) if requested % count == 0), 0), reason


def _find_limit(requested: int, worker_bytes: int, plan: Plan) -> WorkerCount:
    """Return how many of the requested workers the cores and the memory allow, and why not more."""
    limit, reason = requested, None
    if plan["cores"] < limit:
        limit, reason = plan["cores"], f"{plan['cores']} cores"
    if not worker_bytes:
        return limit, reason
    for available_bytes, name in read_available_memory(plan["reserved_share"]):
        if available_bytes // worker_bytes < limit:
            limit = int(available_bytes // worker_bytes)
            need = f"a worker needs {worker_bytes / 2.0**30:.1f} GiB"
            reason = f"{available_bytes / 2.0**30:.1f} GiB of {name} to spare, {need}"
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


def _replace_missing_start_methods(loader_class: Any) -> None:
    """Replace "fork" and "forkserver" by the default start method on systems that lack them.

    The batches are the same with each start method.
    """
    original = loader_class.multiprocessing_context

    def set_context(self: Any, context: Any) -> None:
        if isinstance(context, str) and context in ("fork", "forkserver"):
            methods = multiprocessing.get_all_start_methods()
            if context not in methods:
                print_once(f"{_find_program_line()}: multiprocessing_context {context!r} -> {methods[0]!r}")
                context = methods[0] if self.num_workers else None
        original.fset(self, context)

    loader_class.multiprocessing_context = property(original.fget, set_context, doc=original.__doc__)


def _find_program_line() -> str:
    """Return the file and line of the program's own code that is running."""
    frame = sys._getframe(1)
    torch_folder = os.path.dirname(os.path.abspath(str(sys.modules["torch"].__file__))) + os.sep
    own_folder = os.path.dirname(os.path.abspath(__file__)) + os.sep
    while frame is not None:
        path = os.path.abspath(frame.f_code.co_filename)
        if not path.startswith((torch_folder, own_folder)):
            return f"{os.path.basename(path)}:{frame.f_lineno}"
        frame = frame.f_back  # type: ignore[assignment]
    return "DataLoader"
