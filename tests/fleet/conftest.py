"""Machines of a fleet: facts files that differ where a test says so, and hosts of clusters."""

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from torchdoctor.core.version import __version__

SAMPLES = Path(__file__).parents[1] / "samples"
SICK = SAMPLES / "vc_redist_outdated" / "bad-2.9-with-14.36.json"
# What `python -m torchdoctor` is on a host: the doctor itself, or one that does harm.
DOCTORS = {
    "hangs": "import time; time.sleep(1000)",
    "dies": "import os, signal; os.kill(os.getppid(), signal.SIGKILL)",
    "older": """
        import os, subprocess, sys
        from pathlib import Path
        os.environ.pop("PYTHONPATH")
        command = [sys.executable, "-m", "torchdoctor", *sys.argv[1:]]
        output = subprocess.run(command, stdout=subprocess.PIPE, cwd=Path(__file__).parent, text=True).stdout
        print(output.replace('"torchdoctor": "VERSION"', '"torchdoctor": "0.0.9"'))
    """,
    "lacks": "print('no module', flush=True); raise SystemExit(1)",
    # Only the hosts of test_namespaces.py have such an interface.
    "unplugged": """
        import subprocess, time
        subprocess.run(["ip", "link", "set", "cable", "down"])
        time.sleep(1000)
    """,
}


def make_facts(
    torch: str = "2.8.0+cu128",
    cuda: str | None = "12.8",
    numpy: str | None = "2.1.0",
    driver: str = "572.16",
    commit_gib: float = 64,
    version: str = "0.1.0",
) -> dict[str, Any]:
    """Return the facts of a machine that is well, besides what differs."""
    installed = [{"name": "torch", "version": torch, "folder": "C:\\p"}]
    if numpy is not None:
        installed.append({"name": "numpy", "version": numpy, "folder": "C:\\p"})
    commit = int(commit_gib * 2**30)
    return {
        "schema_version": 1,
        "torchdoctor": version,
        "taken_at": "2026-01-02T03:04:05+00:00",
        "facts": {
            "operating_system": {"system": "windows", "version": "11 (10.0.22631)", "machine": "x64"},
            "memory": {
                "physical_bytes": 32 * 2**30,
                "physical_available_bytes": 20 * 2**30,
                "commit_limit_bytes": commit,
                "commit_total_bytes": 8 * 2**30,
                "commit_peak_bytes": 9 * 2**30,
                "process_commit_available_bytes": commit - 8 * 2**30,
                "page_files": [],
            },
            "distributions": {"installed": installed},
            "torch_install": {
                "version": torch,
                "package_folder": "C:\\p\\torch",
                "library_folder": "C:\\p\\torch\\lib",
                "cuda": cuda,
            },
            "nvidia_driver": {
                "state": "working",
                "version": driver,
                "cuda": "12.8",
                "gpus": [
                    {"name": "NVIDIA GeForce RTX 4090", "compute_capability": [8, 9], "memory_bytes": 2**34}
                ],
            },
        },
    }


@pytest.fixture
def room(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes the facts of machines, by name, into a folder, and returns that."""
    folder = tmp_path / "room"
    folder.mkdir()

    def write(**machines: dict[str, Any] | str) -> Path:
        for name, facts in machines.items():
            text = facts if isinstance(facts, str) else json.dumps(facts)
            (folder / f"{name}.json").write_text(text, encoding="utf-8")
        return folder

    return write


@pytest.fixture(scope="module")
def variants(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the PYTHONPATH of each kind of host."""
    root = tmp_path_factory.mktemp("hosts")
    paths = {"well": ""}
    for name, program in DOCTORS.items():
        package = root / name / "torchdoctor"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        text = textwrap.dedent(program).replace("VERSION", __version__)
        (package / "__main__.py").write_text(text)
        paths[name] = str(root / name)
    broken = root / "broken"
    (broken / "torch" / "lib").mkdir(parents=True)
    (broken / "torch" / "__init__.py").write_text(
        "raise OSError('libc10.so: cannot open shared object file')"
    )
    (broken / "torch" / "version.py").write_text("__version__ = '2.8.0+cpu'\ncuda = None\n")
    metadata = broken / "torch-2.8.0+cpu.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 2.8.0+cpu\n")
    return {**paths, "broken": str(broken)}


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Return a function that starts a program with a PYTHONPATH; all are killed at the end.

    `prefix` is a command that runs it elsewhere.
    """
    started: list[subprocess.Popen[bytes]] = []

    def run(*command: str, path: str = "", prefix: Sequence[str] = ()) -> subprocess.Popen[bytes]:
        log = open(tmp_path / f"{len(started)}.log", "wb")  # noqa: SIM115
        environment = {**os.environ, "PYTHONPATH": path, "RAY_USAGE_STATS_ENABLED": "0"}
        process = subprocess.Popen(
            [*prefix, sys.executable, *command],
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=tmp_path,
            env=environment,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
