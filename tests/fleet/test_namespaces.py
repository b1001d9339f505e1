"""Real clusters of Dask and Ray whose hosts have a network, a name and processes of their own.

A host is a group of Linux namespaces. Its first process waits for the end of its input, which comes when the
test ends, whatever ends it; then the kernel kills all its processes and removes its namespaces.
"""

import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.cluster
SECONDS = 60
# Ray keeps its files in /tmp/ray; each host has other ones.
FIRST_PROCESS = """
echo "$0" >/proc/sys/kernel/hostname && ip link set lo up && mkdir -p /tmp/ray && mount -t tmpfs tmpfs /tmp/ray &&
echo ready && read -r _
"""
SWITCH = "ip link add bridge type bridge && ip link set bridge up && ip link add one type veth peer name two"
CABLE = 'ip addr add "$0/24" dev cable && ip link set cable up'
SEES_NODES = "import ray, sys; ray.init(sys.argv[1], log_to_driver=False); print(len(ray.nodes()))"
SEES_WORKERS = (
    "import distributed, sys; distributed.Client(sys.argv[1]).wait_for_workers(int(sys.argv[2]), 60)"
)


@dataclass(frozen=True)
class Host:
    """A host by its name and address; `process_id` is that of its first process."""

    name: str
    address: str
    process_id: int

    @property
    def prefix(self) -> tuple[str, ...]:
        """The command that runs another one on this host."""
        return ("nsenter", "--target", str(self.process_id), "--net", "--uts", "--pid", "--mount")

    def run(self, *command: str, seconds: float = 120) -> subprocess.CompletedProcess[str]:
        """Run a command on this host."""
        return subprocess.run([*self.prefix, *command], capture_output=True, text=True, timeout=seconds)


@contextlib.contextmanager
def _boot(name: str, address: str) -> Iterator[Host]:
    namespaces = ("unshare", "--net", "--uts", "--mount-proc", "--pid", "--fork", "--kill-child")
    process = subprocess.Popen(
        [*namespaces, "sh", "-c", FIRST_PROCESS, name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        if (line := process.stdout.readline()) != "ready\n":
            pytest.skip(f"no namespaces are to be had: {line.strip()}")
        yield Host(name, address, psutil.Process(process.pid).children()[0].pid)
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(30)


@contextlib.contextmanager
def _connect(names: Sequence[str]) -> Iterator[dict[str, Host]]:
    """Yield hosts of these names on one network, which leads nowhere else."""
    with contextlib.ExitStack() as stack:
        switch = stack.enter_context(_boot("switch", ""))
        result = switch.run("sh", "-ec", SWITCH)
        if result.returncode:
            pytest.skip(f"no network between namespaces is to be had: {result.stderr.strip()}")
        hosts: dict[str, Host] = {}
        for number, name in enumerate(names, 1):
            host = hosts[name] = stack.enter_context(_boot(name, f"10.77.0.{number}"))
            port = f"port{number}"
            ends = [f"cable netns {host.process_id}", f"{port} netns {switch.process_id}"]
            subprocess.run(f"ip link add {ends[0]} type veth peer name {ends[1]}".split(), check=True)
            for place, program in ((host, CABLE), (switch, f"ip link set {port} master bridge up")):
                assert place.run("sh", "-ec", program, host.address).returncode == 0
        yield hosts


@pytest.fixture
def has_namespaces() -> None:
    """Skip the test where namespaces are not to be had."""
    if sys.platform != "linux":
        pytest.skip("only Linux has namespaces")
    if os.geteuid() != 0:
        pytest.skip("needs root, to make namespaces")
    for program in ("ip", "unshare", "nsenter"):
        if shutil.which(program) is None:
            pytest.skip(f"needs the program {program}")


@pytest.fixture
def connect(has_namespaces) -> Iterator[Callable[[Sequence[str]], dict[str, Host]]]:
    """Return a function that makes hosts of these names on one network; they are removed at the end."""
    with contextlib.ExitStack() as stack:
        yield lambda names: stack.enter_context(_connect(names))


@pytest.fixture
def dask(connect, start, tmp_path: Path) -> Callable[..., tuple[Host, str]]:
    """Return a function that starts a scheduler on one host and workers on others, and returns the first with its address."""
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("needs the package distributed")

    def run(paths: dict[str, str]) -> tuple[Host, str]:
        head, *hosts = connect(("pc-head", *paths)).values()
        address = f"tcp://{head.address}:8786"
        scheduler = f"-m distributed.cli.dask_scheduler --host {address} --no-dashboard --no-show".split()
        start(*scheduler, prefix=head.prefix)
        worker = f"-m distributed.cli.dask_worker {address} --nthreads 1 --no-nanny --no-dashboard".split()
        for host in hosts:
            options = ("--local-directory", str(tmp_path / host.name))
            start(*worker, *options, path=paths[host.name], prefix=host.prefix)
        result = head.run(sys.executable, "-c", SEES_WORKERS, address, str(len(hosts)))
        assert result.returncode == 0, result.stderr[-2000:]
        return head, address

    return run


@pytest.fixture
def ray(connect, start) -> Callable[[dict[str, str]], tuple[Host, str]]:
    """Return a function that starts a head on one host and nodes on others, and returns the first with its address."""
    program = Path(sys.executable).with_name("ray")
    if importlib.util.find_spec("ray") is None or not program.is_file():
        pytest.skip("needs the package ray")

    def run(paths: dict[str, str]) -> tuple[Host, str]:
        head, *hosts = connect(("pc-head", *paths)).values()
        address = f"{head.address}:6379"
        common = ["--num-cpus", "1", "--object-store-memory", "80000000", "--disable-usage-stats", "--block"]
        first = f"--head --port 6379 --include-dashboard false --node-ip-address {head.address}".split()
        start(str(program), "start", *first, *common, prefix=head.prefix)
        _wait_for_nodes(head, address, 1)
        for host in hosts:
            options = ("--address", address, "--node-ip-address", host.address)
            start(str(program), "start", *options, *common, path=paths[host.name], prefix=host.prefix)
        _wait_for_nodes(head, address, 1 + len(hosts))
        return head, address

    return run


def _wait_for_nodes(head: Host, address: str, count: int) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        result = head.run(sys.executable, "-c", SEES_NODES, address)
        if result.stdout.strip() == str(count):
            return
        time.sleep(1)
    raise AssertionError((result.stdout + result.stderr)[-2000:])


def _examine(head: Host, *arguments: str) -> tuple[dict, float]:
    options = ("--seconds", str(SECONDS), "--format", "json")
    started = time.monotonic()
    result = head.run(sys.executable, "-m", "torchdoctor", "fleet", *arguments, *options)
    seconds = time.monotonic() - started
    assert result.returncode == 1 and result.stdout.startswith("{"), result.stderr
    return json.loads(result.stdout), seconds


def _read_names(groups: Sequence[dict]) -> set[str]:
    return {name for group in groups for name in group["machines"]["first"]}


@pytest.mark.parametrize(("engine", "other_hosts"), [("dask", set()), ("ray", {"pc-head (10.77.0.1)"})])
def test_report_names_each_host_by_name_and_address(request, variants, engine: str, other_hosts: set) -> None:
    names = ("broken", "hangs", "dies", "older", "unplugged")
    head, address = request.getfixturevalue(engine)({f"pc-{name}": variants[name] for name in names})
    report, seconds = _examine(head, f"--{engine}", address)
    assert seconds < SECONDS + 30
    assert report["machines"] == len(names) + len(other_hosts)
    problems = {each["name"]: each["problem"] for each in report["unexamined"]["first"]}
    assert problems.pop("pc-hangs (10.77.0.3)") == f"torchdoctor did not end there within {SECONDS} s"
    assert "died" in problems.pop("pc-dies (10.77.0.4)")
    # How soon a cluster notices that a host is gone depends on its load.
    unplugged = problems.pop("pc-unplugged (10.77.0.6)")
    assert "died" in unplugged or unplugged.startswith(f"no answer within {SECONDS} s")
    assert problems == {}
    examined = {"pc-broken (10.77.0.2)", "pc-older (10.77.0.5)", *other_hosts}
    assert _read_names(report["configurations"]) == examined
    errors = [each for each in report["findings"] if each["severity"] == "error"]
    assert _read_names(errors) == {"pc-broken (10.77.0.2)"}
    assert [each["torchdoctor"] for each in report["versions"]] == ["0.0.9"]
    assert _read_names(report["versions"]) == {"pc-older (10.77.0.5)"}


def _list_networks() -> set[str]:
    networks = set()
    for link in Path("/proc").glob("[0-9]*/ns/net"):
        with contextlib.suppress(OSError):
            networks.add(os.readlink(link))
    return networks


def test_nothing_is_left_of_hosts_when_a_test_fails(has_namespaces) -> None:
    before, during = _list_networks(), set()
    with contextlib.suppress(AssertionError), _connect(("pc-1", "pc-2")) as hosts:
        hosts["pc-1"].run("sh", "-c", "setsid sleep 1000 >/dev/null 2>&1 &")
        during = {os.readlink(f"/proc/{host.process_id}/ns/net") for host in hosts.values()}
        raise AssertionError
    assert (len(during - before), during & _list_networks()) == (2, set())
