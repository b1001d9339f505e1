"""What is shared has no hash with which others can find out whether a guess of a hidden word is right."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from torchdoctor.core.user_folders import CACHE_VARIABLE
from torchdoctor.engine.own_key import read_own_key


@pytest.fixture
def explain(tmp_path):
    text = tmp_path / "a.jsonl"
    text.write_text('{"id": "7", "text": "AssertionError: Torch not compiled with CUDA enabled"}\n')

    def run(user: str) -> dict[str, object]:
        command = [sys.executable, "-m", "torchdoctor", "explain", "--file", str(text), "--format", "jsonl"]
        environment = {**os.environ, CACHE_VARIABLE: str(tmp_path / user)}
        return json.loads(subprocess.run(command, env=environment, capture_output=True).stdout)

    return run


def test_digest_is_the_same_for_its_user_alone(explain) -> None:
    first = explain("one")
    assert explain("one") == first
    other = explain("other")
    assert other["digest"] != first["digest"]
    assert {**other, "digest": ""} == {**first, "digest": ""}


def test_key_is_private_and_a_damaged_one_is_made_again(explain, tmp_path) -> None:
    first = explain("one")
    file = tmp_path / "one" / "key"
    assert os.name == "nt" or file.stat().st_mode & 0o077 == 0
    assert hashlib.sha256(file.read_bytes()).hexdigest()[:32] != first["digest"]
    file.write_bytes(b"x")
    assert explain("one")["digest"] != first["digest"]
    assert len(file.read_bytes()) == 32


def test_explains_where_no_key_can_be_kept(explain, tmp_path) -> None:
    (tmp_path / "one").write_text("")
    assert explain("one")["recognised"]


def _read_together(start: threading.Barrier) -> str:
    start.wait()
    # Without the cache, a thread does what a process does.
    return read_own_key.__wrapped__()


@pytest.mark.parametrize("_", range(20))
def test_processes_that_start_together_have_one_key(_: int, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    with ThreadPoolExecutor(4) as threads:
        keys = set(threads.map(_read_together, [threading.Barrier(4)] * 4))
    assert keys == {(tmp_path / "key").read_bytes().hex()}
    assert os.listdir(tmp_path) == ["key"]
