"""Ask every host of a running cluster what its doctor observes; one that does not answer is named."""

import importlib
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent import futures
from concurrent.futures import Future
from types import ModuleType
from typing import Any, Protocol

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.stopwatch import Watcher
from torchdoctor.inside.cutting import cut_end
from torchdoctor.processes.child import POLL_SECONDS
from torchdoctor.processes.exit_codes import describe_exit

# How much longer than the doctor on it a host may take.
_WAY_SECONDS = 10.0
# How long a scheduler may take to answer.
CONNECTING_SECONDS = 15
# How often the cluster is asked which hosts it still has.
_SECONDS_BETWEEN_ROLL_CALLS = 2.0


@record
class Host:
    """A host of a cluster by its address, and the process there that answers for it."""

    address: str
    process: object


@record
class Answer:
    """The facts file that a host gave, or why there is none."""

    name: str
    data: bytes | None = None
    problem: str | None = None


class Cluster(Protocol):
    """A running cluster: Dask and Ray look the same through it; a context manager."""

    def __enter__(self) -> "Cluster":
        """Return the cluster."""

    def __exit__(self, *exception: object) -> None:
        """Leave the cluster; it goes on."""

    def list_hosts(self) -> Sequence[Host]:
        """Return a process on each host, one if there are several."""

    def start(self, host: Host, text: str, arguments: tuple[object, ...]) -> "Future[Mapping[str, Any]]":
        """Call the function `observe` of a program's text on a host."""

    def find_name(self, host: Host) -> str:
        """Return the name that a host gives itself, "" if that is not known."""

    def find_obstacle(self, host: Host) -> str | None:
        """Return why a host will give no answer any more; None if it may."""

    def describe_wait(self, host: Host) -> str:
        """Return what a host that gives no answer is doing, "" if that is not known."""


def import_engine(module: str, package: str, option: str) -> ModuleType:
    """Import the library of an engine.

    Raises:
        UsageError: it is not installed, or cannot be imported.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise UsageError(
            f"{option} needs the package {package} in the Python that runs torchdoctor:"
            f" python -m pip install {package} ({error})"
        ) from None


def knock(address: str) -> None:
    """Try to reach an address of the form [SCHEME://]HOST:PORT: the libraries themselves try for minutes.

    Raises:
        OSError: nobody listens there.
    """
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdecimal() and int(port) < 1 << 16:
        socket.create_connection((host.strip("[]"), int(port)), CONNECTING_SECONDS).close()


def ask_hosts(
    cluster: Cluster, options: Sequence[str], seconds: float, watcher: Watcher | None = None
) -> Iterator[Answer]:
    """Yield the answer of each host as it comes; after `seconds` and the way there, none is waited for.

    Raises:
        UsageError: the cluster has no host.
    """
    text = read_bundled("torchdoctor.inside", "host.py").decode("utf-8")
    pending: dict[Future[Mapping[str, Any]], Host] = {}
    for host in cluster.list_hosts():
        if watcher is not None:
            watcher(host.address, True)
        pending[cluster.start(host, text, (tuple(options), seconds))] = host
    if not pending:
        raise UsageError("the cluster has no worker: start one on each host first")
    deadline = time.monotonic() + seconds + _WAY_SECONDS
    next_roll_call = time.monotonic() + _SECONDS_BETWEEN_ROLL_CALLS
    while pending:
        done = futures.wait(pending, POLL_SECONDS, futures.FIRST_COMPLETED).done
        answers = [_read(cluster, pending[future], future, seconds) for future in done]
        gone = dict.fromkeys(done)
        if time.monotonic() > next_roll_call:
            for future, host in pending.items():
                obstacle = cluster.find_obstacle(host) if future not in gone else None
                if obstacle is not None:
                    answers.append(Answer(_describe(cluster, host), problem=obstacle))
                    gone[future] = None
            next_roll_call = time.monotonic() + _SECONDS_BETWEEN_ROLL_CALLS
        if time.monotonic() > deadline:
            for future, host in pending.items():
                if future not in gone:
                    why = cluster.describe_wait(host)
                    problem = f"no answer within {seconds:.0f} s{f'; {why}' if why else ''}"
                    answers.append(Answer(_describe(cluster, host), problem=problem))
                    gone[future] = None
        for future in gone:
            host = pending.pop(future)
            future.cancel()
            if watcher is not None:
                watcher(host.address, False)
        yield from answers


def _describe(cluster: Cluster, host: Host) -> str:
    name = cluster.find_name(host)
    return f"{name} ({host.address})" if name else host.address


def _read(cluster: Cluster, host: Host, future: "Future[Mapping[str, Any]]", seconds: float) -> Answer:
    try:
        answer = future.result()
        name = f"{answer['host']} ({host.address})"
        output, errors, code = str(answer["output"]), str(answer["errors"]), answer["exit_code"]
    except futures.CancelledError:
        return Answer(_describe(cluster, host), problem="the cluster cancelled its examination")
    except Exception as error:
        # Whatever the host or the cluster raises; it may be an exception that only they have.
        lines = str(error).strip().splitlines() or [""]
        reason = f"{type(error).__name__}: {lines[0] if len(lines) == 1 else f'{lines[0]} {lines[-1]}'}"
        problem = f"its worker gave no answer: {cut_end(reason, 300)}"
        return Answer(_describe(cluster, host), problem=problem)
    if code is None:
        return Answer(name, problem=f"torchdoctor did not end there within {seconds:.0f} s")
    # 3: a probe failed, and the facts say which.
    if code in (0, 3) and output.strip():
        return Answer(name, output.encode())
    last = next((line.strip() for line in reversed(errors.splitlines()) if line.strip()), "")
    if "No module named" in last and "torchdoctor" in last:
        python = answer["python"]
        return Answer(
            name,
            problem=f"torchdoctor is not installed there: run {python} -m pip install torchdoctor",
        )
    meaning = describe_exit(code, is_windows=bool(answer["is_windows"]))
    return Answer(name, problem=f"torchdoctor gave no facts there ({meaning}){f': {last}' if last else ''}")
