"""Hosts of a cluster: each answers, is named as gone, or is named as too late; none is waited for."""

import sys
import textwrap
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.usage import UsageError
from torchdoctor.fleet import hosts
from torchdoctor.fleet.dask_cluster import EXPRESSION
from torchdoctor.fleet.hosts import Host, ask_hosts


class FakeCluster:
    """Hosts whose answers a test gives; "never" is no answer, "gone" a host that leaves."""

    def __init__(self, **answers: object) -> None:
        self.answers = answers
        self.cancelled: list[str] = []

    def __enter__(self) -> "FakeCluster":
        return self

    def __exit__(self, *exception: object) -> None: ...

    def list_hosts(self) -> Sequence[Host]:
        return [Host(name, name) for name in self.answers]

    def start(self, host: Host, text: str, arguments: tuple[object, ...]) -> "Future[Mapping[str, Any]]":
        future: Future[Mapping[str, Any]] = Future()
        answer = self.answers[host.address]
        if isinstance(answer, Exception):
            future.set_exception(answer)
        elif isinstance(answer, dict):
            future.set_result({"host": "pc", "python": "py", "is_windows": False, "errors": "", **answer})
        return future

    def find_name(self, host: Host) -> str:
        return "" if host.address == "never" else "pc"

    def find_obstacle(self, host: Host) -> str | None:
        return "it left" if self.answers[host.address] == "gone" else None

    def describe_wait(self, host: Host) -> str:
        return "busy"


def _ask(cluster: FakeCluster, seconds: float = 0.2) -> dict[str, str | None]:
    return {answer.name: answer.problem for answer in ask_hosts(cluster, (), seconds)}


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "_WAY_SECONDS", 1.0)
    monkeypatch.setattr(hosts, "_SECONDS_BETWEEN_ROLL_CALLS", 0.2)


def test_each_host_is_named_once() -> None:
    answers = _ask(
        FakeCluster(
            well={"exit_code": 0, "output": "{}"},
            probe_failed={"exit_code": 3, "output": "{}"},
            late={"exit_code": None, "output": ""},
            crashed={"exit_code": -11, "output": "", "errors": "last words"},
            lacks={"exit_code": 1, "output": "", "errors": "py: No module named torchdoctor"},
            raises=ValueError("two\nlines"),
            gone="gone",
            never="never",
        )
    )
    assert answers == {
        "pc (well)": None,
        "pc (probe_failed)": None,
        "pc (late)": "torchdoctor did not end there within 0 s",
        "pc (crashed)": "torchdoctor gave no facts there (signal SIGSEGV): last words",
        "pc (lacks)": "torchdoctor is not installed there: run py -m pip install torchdoctor",
        "pc (raises)": "its worker gave no answer: ValueError: two lines",
        "pc (gone)": "it left",
        "never": "no answer within 0 s; busy",
    }


def test_cluster_without_workers_is_an_error() -> None:
    with pytest.raises(UsageError, match="no worker"):
        _ask(FakeCluster())


@pytest.mark.parametrize(
    ("program", "exit_code", "output"),
    [
        ("print('facts')", 0, "facts"),
        ("print('facts'); raise SystemExit(3)", 3, "facts"),
        ("import time; print('early', flush=True); time.sleep(60)", None, "early"),
        ("import os; os.abort()", -6, ""),
        ("import sys; sys.stdout.buffer.write(bytes(range(256)))", 0, None),
    ],
    ids=["well", "probe failed", "hangs", "crashes", "garbage"],
)
@pytest.mark.skipif(sys.platform == "win32", reason="exit codes of POSIX")
def test_program_of_the_host_runs_the_doctor_there(
    tmp_path: Path, monkeypatch, program: str, exit_code: int | None, output: str | None
) -> None:
    package = tmp_path / "torchdoctor"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(textwrap.dedent(program))
    # `python -m` looks there first.
    monkeypatch.chdir(tmp_path)
    text = read_bundled("torchdoctor.inside", "host.py").decode()
    with ThreadPoolExecutor(1) as threads:
        names = {"text": text, "arguments": ((), 5.0)}
        answer = threads.submit(eval, EXPRESSION, names).result()
    assert answer["exit_code"] == exit_code
    if output is not None:
        assert answer["output"].strip() == output
