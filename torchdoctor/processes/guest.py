"""Run a module of `torchdoctor.inside` in another Python, and read the answer that it writes."""

import json
import math
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from torchdoctor.core.files import read_text
from torchdoctor.facts.values import INTEGER_BOUND
from torchdoctor.processes.child import ChildResult, run_child
from torchdoctor.processes.inside_folder import provide_inside_folder
from torchdoctor.processes.scratch_folder import make_scratch_folder, remove_at_end

# `-c` puts the current folder first on the import path. It is removed, so that a json.py or torch.py there is
# not imported. The package has another name, because the user's code may import torchdoctor as well. No
# bytecode is written, so that torchdoctor's folder gets no .pyc files of another Python.
_BOOTSTRAP = """
import sys
sys.path[:1] = []
package = sys.modules["_torchdoctor_inside"] = type(sys)("_torchdoctor_inside")
package.__path__ = [sys.argv[1]]
before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
__import__("_torchdoctor_inside." + sys.argv[2])
sys.dont_write_bytecode = before
try:
    sys.modules["_torchdoctor_inside." + sys.argv[2]].main(*sys.argv[3:])
finally:
    try:
        open(sys.argv[3] + ".end", "w").close()
    except Exception:
        pass
"""
# What an extension does at the end of the process may take so long after the answer is written.
_SECONDS_TO_END = 10.0
# Options for Python: print the stack of a crash; run no code of .pth files and no sitecustomize at its start.
FAULT_HANDLER = ("-X", "faulthandler")
NO_STARTUP_CODE = ("-S",)
# With -S, Python does not complete its import path. This does, and runs none of that code.
_COMPLETE_PATH = """
import sys
sys.path[:1] = []
import site
site.exec = site.execsitecustomize = site.execusercustomize = lambda *_: None
site.main()
sys.path.insert(0, "")
"""


def run_guest(
    python: str,
    module: str,
    answer_file: Path,
    *arguments: str,
    time_limit_seconds: float,
    give_up: Callable[[], bool] | None = None,
    options: tuple[str, ...] = (),
    environment: Mapping[str, str] | None = None,
) -> ChildResult:
    """Run `main(answer_file, *arguments)` of a module in an interpreter, which is given the options.

    The answer is a file, because the standard output belongs to the user's code that the module runs.
    `give_up` and `environment` are passed to `run_child`.

    Raises:
        ChildError: the interpreter could not be started.
    """
    code = _COMPLETE_PATH + _BOOTSTRAP if "-S" in options else _BOOTSTRAP
    with provide_inside_folder() as folder:
        return run_child(
            (python, *options, "-c", code, folder, module, str(answer_file), *arguments),
            time_limit_seconds=time_limit_seconds,
            give_up=give_up,
            environment=environment,
        )


def read_answer(file: Path) -> Mapping[str, object] | None:
    """Read the answer that a guest has written so far, or None if the file has no JSON object.

    The user's code runs in the guest, and can write anything: a number that no fact can have becomes None.
    """
    try:
        answer = json.loads(
            read_text(file), parse_int=_read_int, parse_float=_read_float, parse_constant=lambda name: None
        )
    except (OSError, ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def _read_int(digits: str) -> int | None:
    number = int(digits) if len(digits) < 30 else INTEGER_BOUND
    return number if abs(number) < INTEGER_BOUND else None


def _read_float(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def ask_guest(
    python: str,
    module: str,
    *arguments: str,
    time_limit_seconds: float,
    first_stage_seconds: float | None = None,
    options: tuple[str, ...] = (),
    environment: Mapping[str, str] | None = None,
) -> tuple[ChildResult, Mapping[str, object] | None]:
    """Run a module in an interpreter; return how it ended, and its answer or None.

    It is ended if its answer has the stage "started" for longer than `first_stage_seconds`, and if the
    process goes on for long after its answer.

    Raises:
        ChildError: the interpreter could not be started.
    """
    with remove_at_end(make_scratch_folder()) as folder:
        file = Path(folder, "answer.json")
        ended = run_guest(
            python,
            module,
            file,
            *arguments,
            time_limit_seconds=time_limit_seconds,
            give_up=_Overdue(file, first_stage_seconds).is_seen,
            options=options,
            environment=environment,
        )
        return ended, read_answer(file)


class _Overdue:
    """Sees that a guest does not get on: in its first stage, or after its answer."""

    def __init__(self, file: Path, first_stage_seconds: float | None) -> None:
        self._file = file
        self._end_file = Path(f"{file}.end")
        self._seconds = first_stage_seconds
        self._begun = time.monotonic()
        self._ended: float | None = None

    def is_seen(self) -> bool:
        now = time.monotonic()
        if self._ended is None and os.path.exists(self._end_file):
            self._ended = now
        if self._ended is not None:
            return now - self._ended > _SECONDS_TO_END
        if self._seconds is None or now - self._begun <= self._seconds:
            return False
        if not os.path.exists(self._file):
            return True
        answer = read_answer(self._file)
        # Without an answer, it is being written.
        return answer is not None and answer.get("stage") == "started"
