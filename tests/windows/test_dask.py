"""Windows Python joins a Dask cluster as a worker, and `fleet` asks it."""

import contextlib
import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.windows,
    pytest.mark.cluster,
    pytest.mark.filterwarnings("ignore:Mismatched versions found"),
]
# Distributed waits until Windows gives the same time several times in a row. That of Wine is too fine for that.
WORKER = """
import ctypes, time
from distributed import metrics

def resync(self):
    self.delta = self.base_timer() - time.perf_counter()

if hasattr(ctypes.windll.ntdll, "wine_get_version"):
    metrics._WindowsTime.resync = resync
from distributed.cli.dask_worker import main
main()
"""
# Seen under Wine on a busy machine: one worker in fifty does not start, and one in fifteen that is killed is gone
# without the scheduler's being told.
_ATTEMPTS = 1 if os.name == "nt" else 3
# What `python -m torchdoctor` is on a host that hangs: it writes for ever.
HANGING_DOCTOR = """
import time
from pathlib import Path
while True:
    with Path(__file__).with_name("ticks").open("a") as file:
        file.write(".")
    time.sleep(0.1)
"""


@contextlib.contextmanager
def _started(command: Sequence[str], log: Path, **variables: str) -> Iterator[None]:
    with open(log, "wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=log.parent,
            env={**os.environ, **variables},
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture
def join(windows_python: str, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Return a function that starts a scheduler and a Windows worker with a PYTHONPATH, and returns the address."""
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("needs the package distributed")
    command = [windows_python, "-c", "import distributed"]
    result = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=200)
    if result.returncode != 0:
        pytest.skip(f"Windows Python cannot import distributed: {result.stderr.strip().splitlines()[-1:]}")
    import distributed

    with contextlib.ExitStack() as stack:

        def run(path: str) -> str:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
            scheduler = [
                sys.executable,
                "-m",
                "distributed.cli.dask_scheduler",
                "--host",
                address,
                "--no-show",
            ]
            stack.enter_context(_started([*scheduler, "--no-dashboard"], tmp_path / "scheduler.log"))
            worker = [windows_python, "-c", WORKER, address, "--host", "127.0.0.1", "--nthreads", "1"]
            # An import of torch takes 5 s in the lab, and ten times that while other jobs run.
            variables = {"PYTHONPATH": path, "TORCHDOCTOR_TRIAL_SECONDS": "200"}
            options = ["--no-nanny", "--no-dashboard"]
            log = tmp_path / "worker.log"
            with distributed.Client(address, timeout=60, set_as_default=False) as client:
                for _ in range(_ATTEMPTS):
                    with contextlib.ExitStack() as attempt:
                        attempt.enter_context(_started([*worker, *options], log, **variables))
                        with contextlib.suppress(TimeoutError):
                            client.wait_for_workers(1, timeout=120)
                            stack.enter_context(attempt.pop_all())
                            return address
            raise AssertionError(log.read_text(errors="replace"))

        yield run


@pytest.fixture
def host(windows_python: str) -> str:
    command = [windows_python, "-c", "import socket; print(socket.gethostname())"]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return f"{result.stdout.strip()} (127.0.0.1)"


def _examine(address: str, seconds: int) -> dict:
    command = [sys.executable, "-m", "torchdoctor", "fleet", "--dask", address, "--seconds", str(seconds)]
    result = subprocess.run(
        [*command, "--format", "json"], capture_output=True, text=True, timeout=seconds + 60
    )
    assert result.stdout.startswith("{"), result.stderr
    return json.loads(result.stdout)


@pytest.fixture
def plant(tmp_path: Path, windows_path: Callable[[Path], str]) -> Callable[[str], str]:
    """Return a function that writes a program as the doctor of a host, and returns the PYTHONPATH for it."""

    def write(program: str) -> str:
        package = tmp_path / "planted" / "torchdoctor"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "__main__.py").write_text(program)
        return windows_path(package.parent)

    return write


def test_windows_worker_is_examined(join, windows_path, doctor_folder: Path, host: str) -> None:
    report = _examine(join(windows_path(doctor_folder)), seconds=300)
    assert (report["unexamined"]["first"], report["failures"]) == ([], [])
    (group,) = report["configurations"]
    assert group["machines"]["first"] == [host]
    assert group["configuration"]["system"].startswith("windows")


def test_windows_worker_that_hangs_is_named_and_its_doctor_ends(
    join, plant, tmp_path: Path, host: str
) -> None:
    report = _examine(join(plant(HANGING_DOCTOR)), seconds=10)
    problem = "torchdoctor did not end there within 10 s"
    assert report["unexamined"]["first"] == [{"name": host, "problem": problem}]
    ticks = tmp_path / "planted" / "torchdoctor" / "ticks"
    count = ticks.stat().st_size
    time.sleep(1)
    assert ticks.stat().st_size == count > 0


def test_windows_worker_that_dies_is_named(join, plant, host: str) -> None:
    path = plant("import os, signal; os.kill(os.getppid(), signal.SIGTERM)")
    gone = {"name": host, "problem": "its worker died or left the cluster while it was examined"}
    for _ in range(_ATTEMPTS):
        unexamined = _examine(join(path), seconds=60)["unexamined"]["first"]
        if unexamined == [gone]:
            break
    assert unexamined == [gone]
