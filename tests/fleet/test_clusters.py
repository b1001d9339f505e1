"""Real clusters of Dask and Ray: workers at several addresses of this machine pose as hosts."""

import importlib.util
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

pytestmark = pytest.mark.cluster
SECONDS = 60


def _find_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _examine(torchdoctor, *arguments: str) -> tuple[dict, subprocess.CompletedProcess[str], float]:
    started = time.monotonic()
    result = torchdoctor("fleet", *arguments, "--seconds", str(SECONDS), "--format", "json")
    assert result.stdout.startswith("{"), result.stderr
    return json.loads(result.stdout), result, time.monotonic() - started


def _read_problems(report: dict) -> dict[str, str]:
    return {
        each["name"].rpartition("(")[2].strip(")"): each["problem"] for each in report["unexamined"]["first"]
    }


@pytest.fixture
def dask(start) -> Callable[..., str]:
    """Return a function that starts a scheduler and a worker at each address, and returns its address."""
    if sys.platform != "linux":
        pytest.skip("only Linux has all addresses that begin with 127")
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("needs the package distributed")

    def run(workers: Sequence[tuple[str, str]], count: int = 1) -> str:
        import distributed

        address = f"tcp://127.0.0.1:{_find_port()}"
        scheduler = ("-m", "distributed.cli.dask_scheduler", "--host", address, "--no-dashboard", "--no-show")
        start(*scheduler)
        for host, path in workers:
            options = (
                "--host",
                host,
                "--nworkers",
                str(count),
                "--nthreads",
                "1",
                "--no-nanny",
                "--no-dashboard",
            )
            start("-m", "distributed.cli.dask_worker", address, *options, path=path)
        with distributed.Client(address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(len(workers) * count, timeout=60)
        return address

    return run


def test_dask_report_names_each_host(torchdoctor, dask, variants) -> None:
    names = ("well", "broken", "hangs", "dies", "older")
    hosts = {f"127.0.0.{number}": name for number, name in enumerate(names, 2)}
    address = dask([(host, variants[name]) for host, name in hosts.items()])
    report, result, seconds = _examine(torchdoctor, "--dask", address)
    assert result.returncode == 1 and seconds < SECONDS + 30
    problems = {hosts[host]: problem for host, problem in _read_problems(report).items()}
    assert problems == {
        "hangs": f"torchdoctor did not end there within {SECONDS} s",
        "dies": "its worker died or left the cluster while it was examined",
    }
    assert report["machines"] == len(names)
    sick = [each for each in report["findings"] if each["severity"] == "error"]
    assert sick and all("127.0.0.3" in each["machines"]["first"][0] for each in sick), sick
    assert [each["torchdoctor"] for each in report["versions"]] == ["0.0.9"]


def test_dask_hosts_are_examined_once_each(torchdoctor, dask) -> None:
    address = dask([("127.0.0.2", ""), ("127.0.0.2", ""), ("127.0.0.3", "")])
    report, _, _ = _examine(torchdoctor, "--dask", address, "--no-trials")
    assert report["machines"] == 2


def test_dask_examines_files(torchdoctor, dask, room, tmp_path: Path) -> None:
    from tests.fleet.conftest import make_facts

    folder = room(**{f"pc{number}": make_facts(driver=f"572.{number}") for number in range(40)})
    output = [tmp_path / "here.jsonl", tmp_path / "there.jsonl"]
    address = dask(
        [("127.0.0.2", str(Path(__file__).parents[2])), ("127.0.0.3", str(Path(__file__).parents[2]))]
    )
    for file, options in zip(output, ((), ("--dask", address)), strict=True):
        result = torchdoctor("fleet", str(folder), *options, "--format", "jsonl", "--output", str(file))
        assert result.returncode == 0, result.stderr
    assert output[0].read_bytes() == output[1].read_bytes()


@pytest.mark.parametrize("option", ["--dask", "--ray"])
def test_nobody_at_the_address_is_one_line(torchdoctor, option: str) -> None:
    if importlib.util.find_spec({"--dask": "distributed", "--ray": "ray"}[option]) is None:
        pytest.skip("needs the package")
    result = torchdoctor("fleet", option, f"127.0.0.1:{_find_port()}")
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1), result.stderr
    assert "can be reached" in result.stderr


@pytest.mark.parametrize("address", ["nowhere", "", "inproc://x", "host:x"])
def test_what_is_no_address_is_one_line(torchdoctor, address: str) -> None:
    pytest.importorskip("distributed")
    result = torchdoctor("fleet", "--dask", address)
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1), result.stderr


@pytest.fixture
def ray(start) -> Callable[[Sequence[tuple[str, str]]], str]:
    """Return a function that starts a Ray cluster with a node at each address."""
    program = Path(sys.executable).with_name("ray")
    if sys.platform != "linux":
        pytest.skip("only Linux has all addresses that begin with 127")
    if importlib.util.find_spec("ray") is None or not program.is_file():
        pytest.skip("needs the package ray")
    address = f"127.0.0.1:{_find_port()}"

    def run(nodes: Sequence[tuple[str, str]]) -> str:
        port = address.rpartition(":")[2]
        common = ("--num-cpus", "1", "--object-store-memory", "80000000", "--disable-usage-stats", "--block")
        first = ("--head", "--port", port, "--node-ip-address", "127.0.0.1", "--include-dashboard", "false")
        start(str(program), "start", *first, *common)
        _wait_for_nodes(address, 1)
        # Nodes of one machine that start at once take the same ports.
        for number, (host, path) in enumerate(nodes, 2):
            start(str(program), "start", "--address", address, "--node-ip-address", host, *common, path=path)
            _wait_for_nodes(address, number)
        return address

    return run


def _wait_for_nodes(address: str, count: int) -> None:
    program = (
        f"import ray; ray.init('{address}', log_to_driver=False); print(sum(n['Alive'] for n in ray.nodes()))"
    )
    deadline = time.monotonic() + 120
    output = ""
    while time.monotonic() < deadline:
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd="/")
        output = result.stdout + result.stderr
        if result.stdout.strip() == str(count):
            return
        time.sleep(1)
    raise AssertionError(output[-2000:])


def test_ray_report_names_each_host(torchdoctor, ray, variants) -> None:
    names = ("broken", "hangs", "dies", "older")
    hosts = {f"127.0.0.{number}": name for number, name in enumerate(names, 2)}
    address = ray([(host, variants[name]) for host, name in hosts.items()])
    report, result, seconds = _examine(torchdoctor, "--ray", address)
    assert result.returncode == 1 and seconds < SECONDS + 30
    problems = {hosts[host]: problem for host, problem in _read_problems(report).items()}
    assert set(problems) == {"hangs", "dies"}, problems
    assert "died" in problems["dies"]
    assert report["machines"] == len(names) + 1
    assert [each["torchdoctor"] for each in report["versions"]] == ["0.0.9"]
