"""The hosts of a Ray cluster, and its workers as an engine."""

import contextlib
import io
import logging
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, TextIO, TypeVar

from torchdoctor.core.usage import UsageError
from torchdoctor.fleet.hosts import Host, import_engine, knock
from torchdoctor.processes.child import run_child

R = TypeVar("R")

# Ray needs some seconds to start, and more on a machine that is busy.
_PROBE_SECONDS = 45


def _try_to_connect(address: str) -> None:
    """Connect in another process first: Ray waits for minutes for a cluster that is gone, whatever is asked.

    Raises:
        OSError: there is no answer.
        ChildError: the process cannot be started.
    """
    knock(address)
    program = "import ray, sys; ray.init(address=sys.argv[1], log_to_driver=False); ray.shutdown()"
    command = (sys.executable, "-c", program, address)
    result = run_child(command, time_limit_seconds=_PROBE_SECONDS)
    if result.exit_code is None:
        raise TimeoutError(f"there is no answer within {_PROBE_SECONDS} s")
    if result.exit_code != 0:
        lines = [line.strip() for line in result.stderr_tail.splitlines() if line.strip()]
        raise OSError(lines[-1] if lines else "the connection failed")


class _OwnOutput(io.TextIOBase):
    """Standard output without what threads of Ray print there: it is for the report."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._thread = stream, threading.get_ident()

    def write(self, text: str) -> int:
        """Write the text, if it is from the thread that made this."""
        return self._stream.write(text) if threading.get_ident() == self._thread else len(text)

    def flush(self) -> None:
        """Flush the stream."""
        self._stream.flush()

    def fileno(self) -> int:
        """Return the descriptor of the stream."""
        return self._stream.fileno()

    def isatty(self) -> bool:
        """Return whether the stream is a terminal."""
        return self._stream.isatty()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of the stream."""
        return self._stream.encoding


class RayCluster:
    """A running Ray cluster; a context manager, which leaves it as it is."""

    def __init__(self, address: str) -> None:
        """Connect to a cluster: "auto", "192.168.0.10:6379", or "ray://…".

        Raises:
            UsageError: `ray` is not installed, or no cluster answers.
        """
        self._ray: Any = import_engine("ray", "ray", "--ray")
        self._names: dict[str, str] = {}
        self._stack = contextlib.ExitStack()
        self._stack.enter_context(contextlib.redirect_stdout(_OwnOutput(sys.stdout)))
        try:
            _try_to_connect(address)
            self._ray.init(address=address, logging_level=logging.CRITICAL, log_to_driver=False)
        except BaseException as error:
            self._stack.close()
            if not isinstance(error, Exception):
                raise
            reason = str(error).strip().splitlines()[:1] or [type(error).__name__]
            raise UsageError(f"--ray {address}: no cluster can be reached: {reason[0]}") from None

    def __enter__(self) -> "RayCluster":
        return self

    def __exit__(self, *exception: object) -> None:
        with contextlib.suppress(Exception):
            self._ray.shutdown()
        self._stack.close()

    def list_hosts(self) -> Sequence[Host]:
        """Return the first living node at each address."""
        hosts: dict[str, str] = {}
        for node in self._ray.nodes():
            if node["Alive"]:
                hosts.setdefault(str(node["NodeManagerAddress"]), str(node["NodeID"]))
                self._names[str(node["NodeID"])] = str(node.get("NodeManagerHostname") or "")
        return [Host(address, node) for address, node in sorted(hosts.items())]

    def start(self, host: Host, text: str, arguments: tuple[object, ...]) -> "Future[Mapping[str, Any]]":
        """Call the function `observe` of a program's text on a node."""
        scheduling = self._ray.util.scheduling_strategies
        strategy = scheduling.NodeAffinitySchedulingStrategy(node_id=host.process, soft=False)
        # A function of __main__ is sent with its code, and not by the name of a module.
        space: dict[str, Any] = {"__name__": "__main__"}
        exec(text, space)
        remote = self._ray.remote(num_cpus=0, max_retries=0, scheduling_strategy=strategy)(space["observe"])
        future: Future[Mapping[str, Any]] = remote.remote(*arguments).future()
        return future

    def find_name(self, host: Host) -> str:
        """Return the name that a node told when it joined."""
        return self._names[str(host.process)]

    def find_obstacle(self, host: Host) -> str | None:
        """Return that a node has died."""
        alive = {str(node["NodeID"]) for node in self._ray.nodes() if node["Alive"]}
        return None if host.process in alive else "its node died or left the cluster while it was examined"

    def describe_wait(self, host: Host) -> str:
        """Return nothing: Ray does not tell what a node is doing."""
        return ""

    def count_processes(self) -> int:
        """Return the number of CPUs that the cluster has."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, function: Callable[..., R], *arguments: object) -> "Future[R]":
        """Run a function on one of the nodes, which have to have this version of torchdoctor."""
        future: Future[R] = self._ray.remote(function).remote(*arguments).future()
        return future

    def renew(self) -> None:
        """Do nothing: Ray starts its processes again."""
