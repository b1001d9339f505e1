"""Decides for each DataLoader how many workers are safe, and hands it to what gives the same batches."""

import json
import multiprocessing
import os
import sys
import time

from _torchdoctor_startup import memory, pickling, startup_code

_said = set()


def say(text):
    """Say a thing once, on standard error."""
    if text not in _said and sys.stderr is not None:
        _said.add(text)
        try:
            print("torchdoctor: safe loader: " + text, file=sys.stderr, flush=True)
        except (OSError, ValueError):
            pass


def install(dataloader):
    """Make the DataLoader of this module safe."""
    plan = {}
    if multiprocessing.parent_process() is None:
        # Importing torch is nearly all that a worker costs, and it is nearly all done by now.
        plan["worker_bytes"] = memory.read_private_bytes()
    original = dataloader.DataLoader._get_iterator

    def _get_iterator(self):
        if not self.num_workers:
            return original(self)
        if "cores" not in plan:
            plan.update(_read_bounds())
        workers, reason = _find_workers(self, plan)
        if workers == self.num_workers:
            return original(self)
        from _torchdoctor_startup import virtual_workers

        say(
            "%s: num_workers %d -> %d, the batches stay the same: %s"
            % (_find_place(), self.num_workers, workers, reason)
        )
        return virtual_workers.make_iterator(self, workers)

    dataloader.DataLoader._get_iterator = _get_iterator
    _accept_any_start_method(dataloader.DataLoader)
    from _torchdoctor_startup import subclasses

    subclasses.watch(dataloader.DataLoader)


def _read_bounds():
    """Give what the doctor found out about the machine while the program started."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            with open(os.environ["TORCHDOCTOR_SAFE_LOADER"], encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            time.sleep(0.02)
    return {"cores": max(1, (os.cpu_count() or 1) // 2), "reserved_share": 0.1}


def _find_workers(loader, plan):
    """Give the number of workers that is safe, a divisor of what was asked or 0, and what bounds it."""
    asked = loader.num_workers
    if _is_data_pipe(loader.dataset) or multiprocessing.current_process().daemon:
        return asked, None
    spawned = _find_start_method(loader) != "fork"
    if spawned:
        unguarded = startup_code.find_unguarded()
        if unguarded:
            return 0, "%s runs without a main guard, so every worker would run it again" % unguarded
        size, obstacle = pickling.try_pickling(
            {
                "dataset": loader.dataset,
                "collate_fn": loader.collate_fn,
                "worker_init_fn": loader.worker_init_fn,
            }
        )
        if obstacle:
            return 0, obstacle
    limit, reason = asked, None
    if plan["cores"] < limit:
        limit, reason = plan["cores"], "%d cores" % plan["cores"]
    cost = (plan.get("worker_bytes") or 0) + size if spawned else 0
    if cost:
        for room, name in memory.find_room(plan["reserved_share"]):
            if room // cost < limit:
                limit = room // cost
                reason = "%.1f GiB of %s to spare, a worker needs %.1f GiB" % (
                    room / 2.0**30,
                    name,
                    cost / 2.0**30,
                )
    if limit >= asked:
        return asked, None
    if _is_iterable(loader):
        return 0, reason
    # Batch k comes from worker k modulo num_workers: a divisor can keep each worker's random numbers apart.
    return next((count for count in range(max(0, int(limit)), 0, -1) if asked % count == 0), 0), reason


def _find_start_method(loader):
    context = loader.multiprocessing_context
    if context is None:
        return multiprocessing.get_start_method()
    return context.get_start_method()


def _is_iterable(loader):
    from torch.utils.data import IterableDataset

    return isinstance(loader.dataset, IterableDataset)


def _is_data_pipe(dataset):
    names = {base.__name__ for base in type(dataset).__mro__}
    return bool(names & {"IterDataPipe", "MapDataPipe"})


def _accept_any_start_method(loader_class):
    """Take "fork", which this system does not have, for the default: both give the same batches."""
    known = loader_class.multiprocessing_context

    def set_context(self, context):
        if isinstance(context, str) and context in ("fork", "forkserver"):
            methods = multiprocessing.get_all_start_methods()
            if context not in methods:
                say("%s: multiprocessing_context %r -> %r" % (_find_place(), context, methods[0]))
                context = methods[0] if self.num_workers else None
        known.fset(self, context)

    loader_class.multiprocessing_context = property(known.fget, set_context, doc=known.__doc__)


def _find_place():
    """Give file and line of the program's own code that is running."""
    frame = sys._getframe(1)
    torch_folder = os.path.dirname(os.path.abspath(sys.modules["torch"].__file__)) + os.sep
    own_folder = os.path.dirname(os.path.abspath(__file__)) + os.sep
    while frame is not None:
        path = os.path.abspath(frame.f_code.co_filename)
        if not path.startswith((torch_folder, own_folder)):
            return "%s:%d" % (os.path.basename(path), frame.f_lineno)
        frame = frame.f_back
    return "DataLoader"
