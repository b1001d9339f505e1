"""Fixtures for several folders of tests: the command line, fake torches, the wheel and the Windows lab."""

import functools
import importlib.util
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from email import message_from_bytes
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from packaging.requirements import Requirement

from torchdoctor.commands.scan import ScanRequest, scan
from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import Explanation, explain
from torchdoctor.knowledge import Knowledge, index_entries, parse_entry
from torchdoctor.report import Report

ROOT = Path(__file__).parents[1]
# On a busy computer, making the inputs is slow, and so is a test; neither is a fault.
settings.register_profile("any-speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-speed")
# Slow tests, by the files that have them: those to which no Python gives another result, and those that change
# whole environments or start many processes.
THOROUGH = (
    "tests/checks/test_fact_answers.py",
    "tests/commands/test_fix.py",
    "tests/commands/test_paste.py",
    "tests/commands/test_texts.py",
    "tests/domain/",
    "tests/redaction/",
    "tests/explain/test_captures.py",
    "tests/explain/own_words/test_guess.py",
    "tests/explain/own_words/test_nearest.py",
    "tests/explain/test_properties.py",
    "tests/fleet/",
    "tests/fuzz/test_campaign.py",
    "tests/knowledge/",
    "tests/policy/",
    "tests/readers/",
    "tests/renderers/",
    "tests/repair/",
    "tests/site/test_guides.py",
    "tests/source/test_growth.py",
    "tests/source/test_importers.py",
    "tests/test_cuda_refusals.py",
    "tests/test_faults.py",
    "tests/test_hostile_input.py",
    "tests/test_plugins.py",
    "tests/test_several_machines.py",
    "tests/test_sharing.py",
    "tests/test_structure.py",
)
Run = Callable[..., subprocess.CompletedProcess[str]]
Program = Callable[..., subprocess.CompletedProcess[bytes]]


def wait_until_ready(descriptor: int, seconds: float, *, to_write: bool = False) -> tuple[bool, bool]:
    """Return whether something can be read, and written; a run of all tests has too many files for `select`."""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ | (selectors.EVENT_WRITE if to_write else 0))
        events = [event for _, event in selector.select(seconds)]
    return any(each & selectors.EVENT_READ for each in events), any(
        each & selectors.EVENT_WRITE for each in events
    )


def pytest_configure() -> None:
    # A shell starts what runs in the background with Ctrl-C ignored; the programs of the tests inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


# tryfirst: what `-m` selects is chosen in the same hook.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(THOROUGH):
            item.add_marker(pytest.mark.thorough)
        if item.get_closest_marker("torch") and importlib.util.find_spec("torch") is None:
            item.add_marker(pytest.mark.skip(reason="needs torch"))
        if item.get_closest_marker("browser") and not _find_browser():
            item.add_marker(pytest.mark.skip(reason="needs Chromium and Playwright"))
        if item.get_closest_marker("windows") and not _find_windows_python():
            item.add_marker(pytest.mark.skip(reason="needs Windows or TORCHDOCTOR_WINPYTHON"))


def _find_browser() -> bool:
    has_browser = os.path.isfile(os.environ.get("TORCHDOCTOR_CHROMIUM", "/usr/bin/chromium"))
    return has_browser and importlib.util.find_spec("playwright") is not None


def _find_windows_python() -> str | None:
    return os.environ.get("TORCHDOCTOR_WINPYTHON") or (sys.executable if os.name == "nt" else None)


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the output of failed runs out of the user's own cache folder."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        if os.name == "nt":
            patch.setenv("LOCALAPPDATA", str(folder))
        yield folder


@pytest.fixture(scope="session", autouse=True)
def bytecode() -> Iterator[None]:
    """Keep the bytecode that the programs of tests compile, or each compiles all modules of the doctor again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        yield


@pytest.fixture(scope="session")
def compare_answers() -> Callable[[str, Sequence[str]], None]:
    """Return a function that compares lines with those of a file in tests/answers.

    It writes them instead where TORCHDOCTOR_ANSWERS is "write"; read the diff.
    """

    def compare(name: str, lines: Sequence[str]) -> None:
        file = ROOT / "tests" / "answers" / f"{name}.txt"
        if os.environ.get("TORCHDOCTOR_ANSWERS") == "write":
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
        assert list(lines) == file.read_text(encoding="utf-8").split("\n")[:-1]

    return compare


@pytest.fixture(scope="session")
def scan_sample() -> Callable[[Path], Report]:
    """Return a function that scans the facts of a sample, once for all tests."""
    return functools.cache(lambda file: scan(ScanRequest(facts_file=file)))


@pytest.fixture(scope="session")
def explain_sample(knowledge: Knowledge) -> Callable[[str], Explanation]:
    """Return a function that explains the text of a sample, once for all tests."""
    return functools.cache(lambda text: explain(text, knowledge))


@pytest.fixture(scope="session")
def windows_python() -> str:
    return str(_find_windows_python())


@pytest.fixture(scope="session")
def expected_members() -> dict[str, list[tuple[str, str, str]]]:
    """Return the members that a trial must find, as (path, kind, place), by class or function of the zoo.

    They are read from the comments "named:" in tests/zoo/zoo.py.
    """
    source = (ROOT / "tests" / "zoo" / "zoo.py").read_text(encoding="utf-8")
    members: dict[str, list[tuple[str, str, str]]] = {}
    for number, line in enumerate(source.splitlines(), 1):
        if definition := re.match(r"(?:class|def) (\w+)", line):
            members_of_definition = members.setdefault(definition[1], [])
        elif comment := re.search("  # named: (.+): (.+)", line):
            members_of_definition.append((comment[1], comment[2], f"zoo.py:{number}"))
    return members


def _make_thread(choice: str) -> str:
    """Return the method of a background thread that begins with the printed choice of a device."""
    lines = (
        textwrap.dedent(choice)
        + "for batch in self.generator:\n    self.queue.put(batch)\nself.queue.put(None)\n"
    )
    return "def run(self):\n" + textwrap.indent(lines, "    ")


@pytest.fixture
def write_streaming_loader(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a program with a loader that has a CUDA stream and a background thread.

    The methods are the code that the entry for such loaders prints, or for the thread another one.
    """
    entry = load_knowledge()[0].entries["background-loader-stream"]
    printed = {
        step.tag: re.findall(r"```python\n(.*?)```", entry.fill(step.text, {}), re.DOTALL)
        for step in entry.body.steps
    }
    template = (ROOT / "tests/projects/streaming_loader/program.txt").read_text(encoding="utf-8")

    def write(thread: str | None = None) -> Path:
        code = {"thread": thread or _make_thread(printed["thread"][0]), "stream": printed["whole"][0]}
        methods = {name: textwrap.indent(textwrap.dedent(part), "    ") for name, part in code.items()}
        program = tmp_path / "program.py"
        program.write_text(template.format(**methods), encoding="utf-8")
        return program

    return write


@pytest.fixture
def torchdoctor(tmp_path: Path) -> Run:
    """Return a function that runs the command line in an empty folder, as a user does."""

    def run(
        *arguments: object, stdin: str | bytes = "", env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        stdin_bytes = stdin.encode() if isinstance(stdin, str) else stdin
        result = subprocess.run(
            [sys.executable, "-m", "torchdoctor", *map(str, arguments)],
            input=stdin_bytes,
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **(env or {})},
            timeout=120,
        )
        return subprocess.CompletedProcess(
            result.args,
            result.returncode,
            result.stdout.decode(errors="replace"),
            result.stderr.decode(errors="replace"),
        )

    return run


@pytest.fixture
def run(tmp_path: Path) -> Program:
    """Return a function that runs code under `torchdoctor run OPTIONS`, or directly if options is None."""

    def run(source: str, *arguments: str, options: tuple[str, ...] | None = (), stdin: bytes = b""):
        script = tmp_path / "program.py"
        script.write_text(source, encoding="utf-8")
        prefix = [] if options is None else ["-m", "torchdoctor", "run", "--python", sys.executable, *options]
        return subprocess.run(
            [sys.executable, *prefix, str(script), *arguments],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            env={key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"},
            timeout=240,
        )

    return run


@pytest.fixture(scope="session")
def paste_at_terminal(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[int, str]]:
    """Return a function that runs a command at a terminal, pastes a text when it is asked for, and presses keys.

    It returns the exit code and what the terminal showed.
    """
    pty = pytest.importorskip("pty")
    folder = tmp_path_factory.mktemp("terminal")

    def paste(command: Sequence[str], pasted: str, keys: str, wait_seconds: float = 0) -> tuple[int, str]:
        process, terminal = pty.fork()
        if not process:
            # python -m would find a torchdoctor in the current folder first.
            os.chdir(folder)
            os.execv(command[0], command)
        shown, unsent = b"", pasted.replace("\n", "\r").encode()
        while b"Paste the error text" not in shown:
            shown += os.read(terminal, 4096)
        time.sleep(wait_seconds)
        while True:
            ready, can_write = wait_until_ready(terminal, 60, to_write=bool(unsent or keys))
            try:
                shown += os.read(terminal, 65536) if ready else b""
            except OSError:
                break  # The program has ended.
            if can_write and unsent:
                unsent = unsent[os.write(terminal, unsent[:1000]) :]
            elif can_write:
                time.sleep(1)
                os.write(terminal, keys.encode())
                keys = ""
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), shown.decode(errors="replace")

    return paste


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    paths = sorted((ROOT / "knowledge_base").glob("*.md"))
    return index_entries(
        parse_entry(path.stem.replace("_", "-"), path.read_text(encoding="utf-8")) for path in paths
    )


@pytest.fixture(scope="session")
def explain_samples() -> Path:
    return ROOT / "tests" / "samples" / "explain"


@pytest.fixture
def fake_torch(tmp_path: Path) -> Callable[..., dict[str, str]]:
    """Return a function that writes a torch with the given code and returns the variables to import it.

    The import has a minute: a busy machine takes seconds to start a Python. One that hangs gets less.
    """

    def make(code: str, seconds: int = 60) -> dict[str, str]:
        package = tmp_path / "fake" / "torch"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(code, encoding="utf-8")
        (package / "version.py").write_text("__version__ = '2.9.0+cpu'\ncuda = None\n", encoding="utf-8")
        return {"PYTHONPATH": str(package.parent), "TORCHDOCTOR_TRIAL_SECONDS": str(seconds)}

    return make


@pytest.fixture(scope="session")
def build_nvml() -> Callable[..., None]:
    """Return a function that compiles fakes/nvml.c; its keyword arguments are macros that set the answers."""

    def build(file: Path, *, compiler: str = "cc", **answers: object) -> None:
        if shutil.which(compiler) is None:
            pytest.skip(f"needs {compiler}")
        macros = [f"-D{name}={value}" for name, value in answers.items()]
        source = ROOT / "tests" / "fakes" / "nvml.c"
        subprocess.run([compiler, "-shared", "-fPIC", *macros, "-o", str(file), str(source)], check=True)

    return build


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a source distribution, and that from a copy of the tree, where it writes nothing."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in (".ci", "torchdoctor", "checks", "knowledge_base"):
        shutil.copytree(ROOT / name, folder / "tree" / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "tree")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)]
    result = subprocess.run([*command, str(folder / "tree")], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def requirements(wheel: Path) -> list[Requirement]:
    """Return what the wheel requires, extras included."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(archive.read(name))
    return [Requirement(line) for line in metadata.get_all("Requires-Dist", [])]
