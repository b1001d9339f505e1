"""Observes the examined interpreter from inside, in a child process."""

import json
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from torchdoctor.bundled import read_bundled
from torchdoctor.facts import Absent, Distribution, Distributions, Interpreter
from torchdoctor.probes.child import ChildError, Ended, run_child
from torchdoctor.probes.machine import name_machine
from torchdoctor.record import record

DESCRIBE_SECONDS = 60.0

# `-c` puts the current folder first on the import path: taken off, so that a file there called json.py
# or torch.py is not what gets examined.
_BOOTSTRAP = "import sys; sys.path[:1] = []; exec(compile(sys.stdin.buffer.read(), 'inside.py', 'exec'))"


class InterpreterError(Exception):
    """The program named as interpreter cannot be examined; the message is one line."""


@record
class Description:
    """What the interpreter tells of itself.

    `torch_folder` is where `import torch` would look, `torch_origin` the file that it would run: None
    for a folder without `__init__.py`.
    """

    interpreter: Interpreter
    distributions: Distributions
    torch_folder: str | Absent | None
    torch_origin: str | None = None


def ask_inside(
    python: str, mode: str, time_limit_seconds: float
) -> tuple[Ended, Mapping[str, object] | None]:
    """Ask the interpreter a question of `inside.py`; the answer is None when it left none.

    Raises:
        ChildError: the program could not be started.
    """
    source = read_bundled("torchdoctor.probes", "inside.py")
    with tempfile.TemporaryDirectory(prefix="torchdoctor-", ignore_cleanup_errors=True) as folder:
        path = Path(folder, "result.json")
        command = (python, "-c", _BOOTSTRAP, mode, str(path))
        ended = run_child(command, time_limit_seconds=time_limit_seconds, stdin=source)
        try:
            answer = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return ended, None
    return ended, answer if isinstance(answer, dict) else None


def describe_interpreter(python: str) -> Description:
    """Let an interpreter describe itself.

    Raises:
        InterpreterError: it cannot be started, ends without an answer or is older than 3.8.
    """
    try:
        ended, answer = ask_inside(python, "describe", DESCRIBE_SECONDS)
    except ChildError as error:
        raise InterpreterError(f"cannot start the interpreter {error}") from error
    if answer is None:
        raise InterpreterError(f"{python} did not answer as a Python 3.8 or later does: {_last_words(ended)}")
    try:
        return _read_description(answer)
    except (KeyError, TypeError, ValueError) as error:
        raise InterpreterError(f"{python} gave an answer that cannot be read: {error}") from error


def describe_ahead(python: str) -> Callable[[], Description]:
    """Start asking an interpreter; the call that is given waits, and raises what went wrong."""
    pool = ThreadPoolExecutor(max_workers=1)
    answer = pool.submit(describe_interpreter, python)
    pool.shutdown(wait=False)
    return answer.result


def _last_words(ended: Ended) -> str:
    if ended.exit_code is None:
        return f"no answer within {DESCRIBE_SECONDS:.0f} s"
    lines = (ended.stderr_tail.strip() or ended.stdout_tail.strip()).splitlines()
    return lines[-1][:200] if lines else f"exit code {ended.exit_code}"


def _read_description(answer: Mapping[str, object]) -> Description:
    torch = answer["torch"]
    folder: str | Absent | None = None
    origin: str | None = None
    if isinstance(torch, dict):
        origin = str(torch["origin"]) if torch.get("origin") else None
        folder = (
            Absent(f"looking for torch raised {torch['error']}") if "error" in torch else str(torch["folder"])
        )
    tag = str(answer["platform_tag"])
    path, user_base = answer["import_path"], answer["user_base"]
    interpreter = Interpreter(
        executable=str(answer["executable"]),
        version=str(answer["version"]),
        implementation=str(answer["implementation"]),
        bits=32 if answer["bits"] == 32 else 64,
        machine="x86" if tag == "win32" else name_machine(tag.rpartition("-")[2]),
        platform_tag=tag,
        prefix=str(answer["prefix"]),
        base_prefix=str(answer["base_prefix"]),
        application_folder=str(answer["application_folder"]),
        user_base=str(user_base) if user_base else None,
        free_threaded=bool(answer["free_threaded"]),
        finds_torch=folder if isinstance(folder, Absent) else folder is not None,
        import_path=tuple(str(entry) for entry in path) if isinstance(path, list) else (),
    )
    distributions = Distributions(tuple(_read_distributions(answer["distributions"])))
    return Description(interpreter, distributions, folder, origin)


def _read_distributions(items: object) -> list[Distribution]:
    rows = items if isinstance(items, list) else []
    return [Distribution(str(name), str(version), str(folder)) for name, version, folder in rows]
