"""Run pip of the examined Python so that it changes that Python, and nothing else."""

import codecs
import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence

from torchdoctor.inside.cutting import cut_end
from torchdoctor.processes.child import ChildError, ChildResult, run_child
from torchdoctor.processes.scratch_folder import make_scratch_folder, remove_at_end
from torchdoctor.repair.environment import PythonEnvironment

# Whoever waits too long presses Ctrl-C: a download of some GB can take hours.
_SECONDS = 86_400.0
_SETTINGS_SECONDS = 60.0
_VARIABLES = {"PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
# Variables of pip that say where packages come from. Others choose the Python or the folder that is changed,
# of which nothing would be kept.
_KEPT_VARIABLES = frozenset(
    f"PIP_{name}"
    for name in (
        "CACHE_DIR", "CERT", "CLIENT_CERT", "CONFIG_FILE", "CONSTRAINT", "DEFAULT_TIMEOUT",
        "EXTRA_INDEX_URL", "FIND_LINKS", "INDEX_URL", "KEYRING_PROVIDER", "NO_CACHE_DIR", "NO_INDEX",
        "ONLY_BINARY", "PREFER_BINARY", "PROXY", "REQUIRE_VIRTUALENV", "RETRIES", "TIMEOUT",
        "TRUSTED_HOST", "USE_DEPRECATED", "USE_FEATURE",
    )
)  # fmt: skip
# Those of a folder with packages, in place of the network.
_OFFLINE_VARIABLES = frozenset(
    {"PIP_CACHE_DIR", "PIP_CONSTRAINT", "PIP_NO_CACHE_DIR", "PIP_REQUIRE_VIRTUALENV"}
)
# Settings in a file that no option takes back.
_MISPLACING = frozenset({"target", "prefix", "root", "python", "ignore-installed"})
_SETTING = re.compile(r"^(?P<section>[^\s=]{0,100})\.(?P<name>[\w-]{1,60})=")

Listener = Callable[[str], None]


class StepError(Exception):
    """A step could not be run, or one of its commands failed; the message is one line.

    `is_undone` is whether everything is as it was before the step, besides the files that are `lost`.
    """

    def __init__(self, message: str, *, is_undone: bool = True, lost: tuple[str, ...] = ()) -> None:
        """Set the message."""
        super().__init__(message)
        self.is_undone = is_undone
        self.lost = lost


def find_misplacing_setting(environment: PythonEnvironment) -> str | None:
    """Return the name of a setting by which pip puts packages elsewhere, or None.

    A pip that has no command for its settings (before 10) says none.
    """
    try:
        ended = _run(("config", "list"), environment, _SETTINGS_SECONDS)
    except ChildError:
        return None
    for line in ended.stdout_tail.splitlines():
        setting = _SETTING.match(line.strip())
        if setting and setting["name"].lower().replace("_", "-") in _MISPLACING:
            return f"{setting['section']}.{setting['name']}"
    return None


def run_pip(arguments: Sequence[str], environment: PythonEnvironment, listener: Listener) -> None:
    """Run pip, and pass on what it prints line by line.

    Raises:
        StepError: it cannot be started, or ends with another code than 0.
    """
    try:
        ended = _run(arguments, environment, _SECONDS, _Lines(listener).add)
    except ChildError as error:
        raise StepError(f"pip cannot be started: {error}") from error
    if ended.exit_code != 0:
        raise StepError(
            f"pip ended with {ended.exit_code}: {_find_reason(ended.stderr_tail, ended.stdout_tail)}"
        )


def _run(
    arguments: Sequence[str],
    environment: PythonEnvironment,
    seconds: float,
    listener: Callable[[bytes], None] | None = None,
) -> ChildResult:
    """Run pip in an empty folder: files of the current one would be imported in place of its modules."""
    with remove_at_end(make_scratch_folder()) as folder:
        return run_child(
            (environment.executable, "-m", "pip", *arguments),
            time_limit_seconds=seconds,
            environment=_make_variables(arguments, environment),
            folder=folder,
            listener=listener,
        )


def _make_variables(arguments: Sequence[str], environment: PythonEnvironment) -> Mapping[str, str]:
    is_offline = "--no-index" in arguments
    kept = _OFFLINE_VARIABLES if is_offline else _KEPT_VARIABLES
    variables = {
        name: value
        for name, value in os.environ.items()
        if not name.upper().startswith("PIP_") or name.upper() in kept
    }
    variables |= _VARIABLES
    if is_offline:
        # pip then reads no settings, which may name other places.
        variables["PIP_CONFIG_FILE"] = os.devnull
    if environment.owner is not None:
        variables["PIP_BREAK_SYSTEM_PACKAGES"] = "1"
    return variables


def _find_reason(stderr: str, stdout: str) -> str:
    """Return the line in which pip says what went wrong."""
    lines = [line.strip(" \t×╰─>") for line in f"{stdout}\n{stderr}".splitlines()]
    lines = [line for line in lines if line]
    last = next(
        (place for place in reversed(range(len(lines))) if lines[place][:6].lower() == "error:"), None
    )
    if last is None:
        return cut_end((lines or ["it said nothing"])[-1], 300)
    # An error with a name, as in "error: uninstall-no-record-file", is explained by the next line.
    reason = lines[last][6:].strip()
    more = lines[last + 1 : last + 2] if " " not in reason else []
    return cut_end(": ".join([reason, *more]), 300)


class _Lines:
    """Passes on what a program prints, line by line; two threads read it."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._lock = threading.Lock()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def add(self, data: bytes) -> None:
        with self._lock:
            *lines, self._rest = (self._rest + self._decoder.decode(data)).replace("\r", "\n").split("\n")
            for line in lines:
                if line.strip():
                    self._listener(line.rstrip())
