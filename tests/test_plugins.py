"""A package of a third party with a check, its fact, probe and entry, and a text reader, built and installed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent / "projects" / "lab_checks"
SCAN = ("scan", "--no-trials", "--select", "scratch-disk-full", "--format", "json")
BANNER = "LAB-ENV torch=2.9.1+cu128 driver=451.48 cuda=12.8\n"


def _install(source: Path, target: Path) -> dict[str, str]:
    """Install a package into a folder with pip, and return the variables to set."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(target), str(source)], check=True, capture_output=True)
    return {"PYTHONPATH": os.pathsep.join([str(target), os.environ.get("PYTHONPATH", "")])}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("lab")
    # A build writes into the tree of the project.
    source = shutil.copytree(PROJECT, folder / "source")
    return _install(source, folder / "installed")


def test_check_runs_on_the_fact_of_its_probe(lab, torchdoctor) -> None:
    result = torchdoctor(*SCAN, env=lab)
    report = json.loads(result.stdout)
    (outcome,) = report["outcomes"]
    assert (outcome["status"], report["summary"]["broken"]) == ("passed", [])
    assert "are free for" in outcome["passed"][0]
    # What the probe prints is not in the report.
    assert "may print" in result.stderr


def test_fact_is_saved_and_decided_on_elsewhere(lab, torchdoctor, tmp_path: Path) -> None:
    torchdoctor("facts", "--no-trials", "--output", "facts.json", env=lab)
    data = json.loads((tmp_path / "facts.json").read_text(encoding="utf-8"))
    assert data["facts"]["scratch_disk"]["free_bytes"] > 0
    data["facts"]["scratch_disk"] = {"folder": "D:\\cache", "free_bytes": 1 << 20}
    (tmp_path / "facts.json").write_text(json.dumps(data), encoding="utf-8")
    result = torchdoctor("scan", "--facts", "facts.json", "--select", "scratch-disk-full", env=lab)
    assert (result.returncode, "1 MiB are free for D:\\cache" in result.stdout) == (1, True)
    assert "Delete the oldest caches in D:\\cache" in " ".join(result.stdout.split())
    # Without the package, its fact is left alone.
    assert torchdoctor("scan", "--facts", "facts.json", "--select", "python-32bit").returncode == 0


def test_wrong_value_of_a_fact_is_refused(lab, torchdoctor, tmp_path: Path) -> None:
    data = {"schema_version": 1, "facts": {"scratch_disk": {"folder": 3, "free_bytes": 1}}}
    (tmp_path / "facts.json").write_text(json.dumps(data), encoding="utf-8")
    result = torchdoctor("scan", "--facts", "facts.json", env=lab)
    assert (result.returncode, "scratch_disk.folder: expected str" in result.stderr) == (2, True)


def test_entry_is_explained(lab, torchdoctor) -> None:
    result = torchdoctor("explain", "lab: no room for the cache", "--format", "json", env=lab)
    assert json.loads(result.stdout)["diagnoses"][0]["name"] == "scratch-disk-full"


def test_reader_reads_its_line(lab, torchdoctor) -> None:
    result = torchdoctor("scan", "--from", "-", "--format", "json", stdin=BANNER, env=lab)
    report = json.loads(result.stdout)
    read = {each["topic"]: each["value"] for each in report["text"]["statements"]}
    assert read == {"torch": "2.9.1+cu128", "NVIDIA driver": "451.48", "CUDA of torch": "12.8"}
    assert {each["format"] for each in report["text"]["statements"]} == {"lab"}
    without = json.loads(torchdoctor("scan", "--from", "-", "--format", "json", stdin=BANNER).stdout)
    assert "lab" not in {each["format"] for each in without["text"]["statements"]}


def test_reader_is_used_by_explain(lab, torchdoctor) -> None:
    text = f"{BANNER}OSError: [WinError 1455] The paging file is too small\n"
    data = json.loads(torchdoctor("explain", "--format", "json", stdin=text, env=lab).stdout)
    assert data["values"]["driver_version"] == "451.48"


@pytest.fixture
def write_plugin(tmp_path: Path):
    """Return a function that installs a module under an entry point, and returns the variables to set."""

    def write(group: str, code: str, name: str = "theirs") -> dict[str, str]:
        folder = tmp_path / "site"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
        info = folder / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {name}\n")
        return {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}

    return write


FACT = """
from typing import ClassVar
from torchdoctor.core.record import record
@record
class Theirs:
    subject: ClassVar[str] = "{subject}"
    value: int
"""


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("1/0", "ZeroDivisionError"),
        ("raise SystemExit(0)", "SystemExit"),
        ("", "no dictionary PROBES"),
        ("PROBES = {int: print}", "which is no fact"),
        (FACT.format(subject="memory") + "PROBES = {Theirs: lambda: 1}", "there is a fact memory already"),
        (
            FACT.format(subject="x") + "PROBES = {Theirs: lambda: 1}",
            "the probe returned a value of the type int",
        ),
        (FACT.format(subject="x") + "PROBES = {Theirs: lambda: 1/0}", "ZeroDivisionError"),
        (FACT.format(subject="x") + "PROBES = {Theirs: lambda: exit(5)}", "SystemExit"),
    ],
    ids=["raises", "exits", "empty", "no-fact", "taken", "wrong-value", "probe-raises", "probe-exits"],
)
def test_broken_probe_is_reported_and_the_others_run(
    code: str, complaint: str, write_plugin, torchdoctor
) -> None:
    env = write_plugin("torchdoctor.probes", code)
    result = torchdoctor("facts", "--no-trials", env=env)
    assert (result.returncode, complaint in result.stderr, result.stderr.count("\n")) == (3, True, 1)
    assert json.loads(result.stdout)["facts"]["operating_system"]["system"]


@pytest.mark.parametrize(
    "code",
    [
        "import threading, time\nthreading.Thread(target=lambda: time.sleep(100)).start()\n",
        "import atexit, time\natexit.register(lambda: time.sleep(100))\n",
        "import threading, time\ndef tell():\n    while True:\n        print('LATER')\n        time.sleep(0.001)\n"
        "threading.Thread(target=tell, daemon=True).start()\n",
    ],
    ids=["thread", "atexit", "printing"],
)
def test_what_a_plugin_leaves_running_ends_with_the_report(code: str, write_plugin, torchdoctor) -> None:
    env = write_plugin(
        "torchdoctor.probes", code + FACT.format(subject="x") + "PROBES = {Theirs: lambda: Theirs(1)}"
    )
    result = torchdoctor("facts", "--no-trials", env=env)
    assert (result.returncode, json.loads(result.stdout)["facts"]["x"]) == (0, {"value": 1})


@pytest.mark.parametrize(
    "raw",
    [
        b"\xef\xbb\xbf[torchdoctor.probes]\ntheirs = theirs\n",
        b"[torchdoctor.probes]\n\xe9 = theirs\n",
        "[torchdoctor.probes]\ntheirs = theirs\n".encode("utf-16"),
    ],
)
def test_entry_points_in_another_encoding_are_read(
    raw: bytes, write_plugin, torchdoctor, tmp_path: Path
) -> None:
    env = write_plugin("torchdoctor.probes", "1/0")
    (tmp_path / "site" / "theirs-1.0.dist-info" / "entry_points.txt").write_bytes(raw)
    assert "ZeroDivisionError" in torchdoctor("facts", "--no-trials", env=env).stderr


@pytest.mark.parametrize("command", ["scan", "explain", "checks", "facts"])
@pytest.mark.parametrize("is_ours", [True, False], ids=["plugin", "other"])
@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_entry_points_that_cannot_be_read_are_named(
    command: str, is_ours: bool, kind: str, write_plugin, torchdoctor, tmp_path: Path
) -> None:
    env = write_plugin("torchdoctor.checks", "1/0")
    info = tmp_path / "site" / "theirs-1.0.dist-info"
    if is_ours:
        (info / "METADATA").write_text("Name: theirs\nRequires-Dist: torchdoctor\n")
    (info / "entry_points.txt").unlink()
    if kind == "folder":
        (info / "entry_points.txt").mkdir()
    elif hasattr(os, "mkfifo"):
        os.mkfifo(info / "entry_points.txt")
    else:
        pytest.skip("this system has no pipes with a name")
    options = {
        "scan": ("--no-trials", "--select", "python-32bit"),
        "explain": ("x",),
        "facts": ("--no-trials",),
    }
    result = torchdoctor(command, *options.get(command, ()), env=env)
    said = " ".join((result.stdout + result.stderr).split())
    assert said.count("entry_points.txt: ImportError: it cannot be read") == is_ours
    if command == "scan":
        assert result.returncode == (3 if is_ours else 0)


def test_plugin_of_probes_is_loaded_only_where_it_is_needed(write_plugin, torchdoctor) -> None:
    env = write_plugin("torchdoctor.probes", "1/0")
    result = torchdoctor("scan", "--no-trials", "--select", "python-32bit", env=env)
    assert (result.returncode, "ZeroDivisionError" in result.stdout + result.stderr) == (0, False)


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("1/0", "ZeroDivisionError"),
        ("WORDS = 'torch'\ndef read(lines): yield 1", "WORDS is no tuple"),
        ("WORDS = ('torch',)", "AttributeError"),
        ("WORDS = ('torch',)\ndef read(lines): yield 1", "type int, not a Statement"),
        ("WORDS = ('torch',)\ndef read(lines): raise SystemExit(4)", "SystemExit"),
        # One that waits, and below one that works.
        (
            "import time\nWORDS = ('torch',)\ndef read(lines):\n    while True: time.sleep(0.01)\n    yield",
            "did not end within 5 s",
        ),
        (
            # The call lets other threads run: Python 3.10 stays in a loop that has nothing but a try.
            "WORDS = ('torch',)\ndef read(lines):\n    while True:\n        try: len('')\n"
            "        except BaseException: pass\n    yield",
            "did not end within 5 s",
        ),
        ("WORDS = ('torch',)\ndef read(lines): raise KeyboardInterrupt\n", "KeyboardInterrupt"),
        (
            "from torchdoctor.readers import *\nWORDS = ('torch',)\n"
            "def read(lines): yield Statement(Topic.TORCH, '2', 99)",
            "a line of the text",
        ),
        (
            "from torchdoctor.readers import *\nWORDS = ('torch',)\n"
            "def read(lines):\n    while True: yield Statement(Topic.TORCH, '2', 1)",
            "more than 10,000 things",
        ),
    ],
    ids=["raises", "words", "no-read", "type", "exits", "hangs", "clings", "interrupts", "line", "endless"],
)
def test_broken_reader_is_reported_and_the_others_read(
    code: str, complaint: str, write_plugin, torchdoctor
) -> None:
    env = write_plugin("torchdoctor.readers", code)
    text = "PyTorch version: 2.6.0+cu124\n"
    result = torchdoctor("scan", "--from", "-", "--format", "json", stdin=text, env=env)
    report = json.loads(result.stdout)
    (broken,) = report["summary"]["broken"]
    assert (broken["name"], complaint in broken["reason"], result.returncode) == ("reader theirs", True, 3)
    assert report["text"]["statements"][0]["value"] == "2.6.0+cu124"
    # An explanation does without it.
    explained = torchdoctor("explain", f"{text}CUDA error: unknown error", "--format", "json", env=env)
    assert json.loads(explained.stdout)["values"]["torch_version"] == "2.6.0+cu124"


def test_new_check_is_a_package_whose_tests_pass(torchdoctor, tmp_path: Path) -> None:
    result = torchdoctor("new-check", "scratch-disk-slow", "--family", "memory")
    root = tmp_path / "torchdoctor-scratch-disk-slow"
    files = [line for line in result.stdout.splitlines() if line.startswith("torchdoctor-")]
    assert sorted(files) == sorted(
        str(file.relative_to(tmp_path)) for file in root.rglob("*") if file.is_file()
    )
    env = _install(shutil.copytree(root, tmp_path / "copy"), tmp_path / "installed")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(root)]
    tests = subprocess.run(command, env={**os.environ, **env}, capture_output=True, text=True, cwd=root)
    assert (tests.returncode, "3 passed" in tests.stdout) == (0, True), tests.stdout
    found = json.loads(
        torchdoctor(
            "scan", "--no-trials", "--select", "scratch-disk-slow", "--format", "json", env=env
        ).stdout
    )
    assert found["outcomes"][0]["passed"][0].endswith("of physical memory")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("memory",), "is no name for a check"),
        (("Scratch-Disk",), "is no name for a check"),
        (("../../x-y",), "is no name for a check"),
        (("python-32bit",), "there is an entry python-32bit already"),
        (("new-thing", "--family", "gup"), "gup is no family"),
    ],
)
def test_new_check_refuses(arguments: tuple[str, ...], message: str, torchdoctor, tmp_path: Path) -> None:
    result = torchdoctor("new-check", *arguments)
    assert (result.returncode, message in result.stderr, list(tmp_path.iterdir())) == (2, True, [])


def test_new_check_writes_over_nothing(torchdoctor, tmp_path: Path) -> None:
    torchdoctor("new-check", "new-thing")
    entry = tmp_path / "torchdoctor-new-thing" / "torchdoctor_new_thing" / "new_thing.md"
    entry.write_text("mine", encoding="utf-8")
    result = torchdoctor("new-check", "new-thing")
    assert (result.returncode, "is there already" in result.stderr, entry.read_text()) == (2, True, "mine")
