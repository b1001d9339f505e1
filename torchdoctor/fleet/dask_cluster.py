"""The hosts of a Dask cluster, and its workers as an engine."""

import contextlib
import logging
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent import futures
from concurrent.futures import Future
from typing import Any, TypeVar

from torchdoctor.core.usage import UsageError
from torchdoctor.fleet.hosts import CONNECTING_SECONDS, Host, import_engine, knock

R = TypeVar("R")

# A name, or a number in brackets, and a port.
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ucx|ws|wss)://)?(?:[\w.-]+|\[[\w:.%]+\]):\d{1,5}")
_NAME = "__import__('socket').gethostname()"
# How long the hosts that are not busy may take to tell their names.
_NAMING_SECONDS = 5
# What is evaluated on the host: it needs nothing but Python there, of any version.
EXPRESSION = (
    "(space := {'__name__': 'torchdoctor_host'}, exec(text, space), space['observe'](*arguments))[-1]"
)


class DaskCluster:
    """A running Dask cluster; a context manager, which leaves it as it is."""

    def __init__(self, address: str) -> None:
        """Connect to a scheduler, such as "tcp://192.168.0.10:8786".

        Raises:
            UsageError: `distributed` is not installed, or no scheduler answers.
        """
        distributed = import_engine("distributed", "distributed", "--dask")
        # It logs each worker that goes away; the report names them.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        if not _ADDRESS.fullmatch(address):
            # The client fails with it later, and its end prints a traceback.
            raise UsageError(
                f"--dask {address}: write the scheduler's address, such as tcp://192.168.0.10:8786"
            )
        try:
            knock(address)
            with warnings.catch_warnings():
                # Versions that differ are what is looked for.
                warnings.simplefilter("ignore")
                self._client = distributed.Client(address, timeout=CONNECTING_SECONDS, set_as_default=False)
        except Exception as error:
            reason = str(error).strip().splitlines()[:1] or [type(error).__name__]
            raise UsageError(f"--dask {address}: no scheduler can be reached: {reason[0]}") from None
        self._executors: dict[str, Any] = {}
        self._names: dict[str, Future[Any]] = {}

    def __enter__(self) -> "DaskCluster":
        return self

    def __exit__(self, *exception: object) -> None:
        with contextlib.suppress(Exception):
            self._client.close(timeout=5)

    def list_hosts(self) -> Sequence[Host]:
        """Return the least busy worker of each host, and ask it for its name."""
        hosts: dict[str, tuple[int, str]] = {}
        for address, worker in self._list_workers().items():
            host = str(worker.get("host") or address)
            busy = (_count_tasks(worker), str(address))
            hosts[host] = min(hosts.get(host, busy), busy)
        found = [Host(host, address) for host, (_, address) in sorted(hosts.items())]
        # Before a doctor starts: a worker that dies of it has told its name. A busy one may do so later.
        self._names = {host.address: self._evaluate(host, _NAME, {}) for host in found}
        futures.wait(self._names.values(), _NAMING_SECONDS)
        return found

    def start(self, host: Host, text: str, arguments: tuple[object, ...]) -> "Future[Mapping[str, Any]]":
        """Call the function `observe` of a program's text on a worker."""
        return self._evaluate(host, EXPRESSION, {"text": text, "arguments": arguments})

    def find_name(self, host: Host) -> str:
        """Return the name that a worker has told."""
        future = self._names[host.address]
        is_told = future.done() and not future.cancelled() and future.exception() is None
        return str(future.result()) if is_told else ""

    def find_obstacle(self, host: Host) -> str | None:
        """Return that a worker has left the cluster."""
        if host.process in self._list_workers():
            return None
        return "its worker died or left the cluster while it was examined"

    def describe_wait(self, host: Host) -> str:
        """Return what a worker is doing."""
        worker = self._list_workers().get(str(host.process), {})
        tasks = _count_tasks(worker)
        return f"its worker runs {tasks} tasks" if tasks > 1 else ""

    def count_processes(self) -> int:
        """Return the number of workers."""
        return max(1, len(self._list_workers()))

    def submit(self, function: Callable[..., R], *arguments: object) -> "Future[R]":
        """Run a function on one of the workers, which have to have this version of torchdoctor."""
        if "any" not in self._executors:
            self._executors["any"] = self._client.get_executor(pure=False)
        future: Future[R] = self._executors["any"].submit(function, *arguments)
        return future

    def renew(self) -> None:
        """Do nothing: the scheduler starts a worker again, and gives its tasks to others."""

    def _evaluate(self, host: Host, expression: str, names: dict[str, object]) -> "Future[Any]":
        executor = self._client.get_executor(
            pure=False, workers=[host.process], allow_other_workers=False, retries=0
        )
        future: Future[Any] = executor.submit(eval, expression, names)
        return future

    def _list_workers(self) -> Mapping[str, Mapping[str, Any]]:
        try:
            info = self._client.scheduler_info(n_workers=-1)
        except TypeError:
            # Before 2025, all are returned.
            info = self._client.scheduler_info()
        workers: Mapping[str, Mapping[str, Any]] = info["workers"]
        return workers


def _count_tasks(worker: Mapping[str, Any]) -> int:
    metrics = worker.get("metrics") or {}
    count = metrics.get("executing", 0)
    return count if isinstance(count, int) else 0
