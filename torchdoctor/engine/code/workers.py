"""Other processes that examine files: each gets a share, and writes its answers to a file of its own."""

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from torchdoctor.core.daemon_thread import DaemonThread
from torchdoctor.core.files import read_bytes
from torchdoctor.core.memory import paused_garbage_collection
from torchdoctor.core.record import record
from torchdoctor.engine.code.answer_codec import decode, encode, read_found
from torchdoctor.engine.code.file_examiner import FileAnswer, FileExaminer
from torchdoctor.engine.registry import load_registry
from torchdoctor.facts import Facts
from torchdoctor.processes.child import ChildError, ChildResult, run_child
from torchdoctor.processes.exit_codes import describe_exit
from torchdoctor.source.files.unreadable import UnreadableSource
from torchdoctor.source.module.project import FoundModule, Project

# Isolated, so that no module of the project is imported in place of one that this program needs.
_PROGRAM = """
import json, sys
request = json.load(sys.stdin.buffer)
sys.path[:] = request["sys_path"]
from torchdoctor.engine.code.workers import work
work(request)
# All answers are written: to free the syntax trees one by one would only make who waits for them wait longer.
import os
os._exit(0)
"""
# A file takes less, and days are more than any folder takes.
_MOST_SECONDS_WITHOUT_ANSWER = 150.0
_MOST_SECONDS = 7 * 86_400.0
# Exit codes of programs that Windows ended for an error of theirs begin here; elsewhere they are signals.
_FIRST_NTSTATUS = 0xC0000000
_CRASHES = (-4, -6, -7, -8, -10, -11)


@record
class Answers:
    """The answers about files, and what was asked of the project for them."""

    answers: Mapping[str, FileAnswer]
    asked: Mapping[str, Mapping[str, FoundModule]]
    digests: Mapping[str, str | None]


class Worker:
    """A process that examines files, from the first to the last; the last ones can be taken from it.

    Whatever becomes of the process, only answers are missing. What it prints is not shown.
    """

    def __init__(self, paths: Sequence[str], examiner: FileExaminer, folder: str, number: int) -> None:
        self._paths = paths
        self._end = len(paths)
        self._answer_file = Path(folder, f"answers-{number}.json")
        self._end_file = Path(folder, f"end-{number}.txt")
        request = {
            "sys_path": sys.path,
            "checks": [check.name for check in examiner.checks],
            "roots": list(map(str, examiner.roots)),
            "paths": paths,
            "answer_file": str(self._answer_file),
            "end_file": str(self._end_file),
        }
        self._request = json.dumps(request).encode("ascii")
        self._result: ChildResult | None = None
        self._last_answer = (0, time.monotonic())
        self._thread = DaemonThread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        flags = ["-I", *(["-B"] if sys.dont_write_bytecode else [])]
        flags += ["-X", "utf8"] if sys.flags.utf8_mode else []
        command = [sys.executable, *flags, "-c", _PROGRAM]
        try:
            self._result = run_child(
                command, time_limit_seconds=_MOST_SECONDS, stdin=self._request, give_up=self._is_stuck
            )
        except ChildError:
            pass

    def _is_stuck(self) -> bool:
        count, now = self.count_answers(), time.monotonic()
        if count != self._last_answer[0]:
            self._last_answer = (count, now)
        return now - self._last_answer[1] > _MOST_SECONDS_WITHOUT_ANSWER

    def count_answers(self) -> int:
        """Return how many files are examined so far."""
        try:
            return read_bytes(self._answer_file).count(b"\n")
        except OSError:
            return 0

    def count_left(self) -> int:
        """Return how many files are neither examined nor taken."""
        return max(0, self._end - self.count_answers())

    def take_last(self) -> str:
        """Take the last file from the worker, which then does not examine it."""
        self._end -= 1
        try:
            self._end_file.write_text(str(self._end), encoding="ascii")
        except OSError:
            pass  # Then both examine it, and find the same.
        return self._paths[self._end]

    def wait(self) -> Answers:
        """Wait for the end of the process, and return what it answered.

        A file at which it crashed has the crash as its answer.
        """
        while self._thread.is_alive():
            # In short turns, between which Ctrl-C is seen.
            self._thread.join(0.2)
        answers, asked, digests = self._read()
        unanswered = next((path for path in self._paths[: self._end] if path not in answers), None)
        if self._result is not None and unanswered is not None and answers:
            reason = _describe_crash(self._result.exit_code)
            if reason:
                notice = UnreadableSource(unanswered, reason).notice
                answers[unanswered] = FileAnswer(notice=notice, is_lasting=False, is_unread=True)
        return Answers(answers, asked, digests)

    def _read(self) -> tuple[dict[str, FileAnswer], dict[str, dict[str, FoundModule]], dict[str, str | None]]:
        answers: dict[str, FileAnswer] = {}
        try:
            lines = read_bytes(self._answer_file).split(b"\n")
        except OSError:
            return answers, {}, {}
        for line in filter(None, lines):
            try:
                data = json.loads(line)
            except ValueError:
                break  # It ended in the middle of the line.
            if isinstance(data, dict):
                asked = {
                    path: {dotted: read_found(found) for dotted, found in names.items()}
                    for path, names in data["asked"].items()
                }
                return answers, asked, data["digests"]
            path, answer = data
            if answer is not None:
                answers[path] = decode(answer)
        # What they depend on was not written.
        return {path: replace(answer, is_lasting=False) for path, answer in answers.items()}, {}, {}


def _describe_crash(exit_code: int | None) -> str | None:
    if exit_code is None:
        return f"the checks gave no answer within {_MOST_SECONDS_WITHOUT_ANSWER:.0f} s"
    is_windows = os.name == "nt"
    if exit_code in _CRASHES or (is_windows and exit_code & 0xFFFFFFFF >= _FIRST_NTSTATUS):
        return f"the process that examined it ended: {describe_exit(exit_code, is_windows=is_windows)}"
    return None


def work(request: Mapping[str, Any]) -> None:
    """Examine the files of a request, in a process of their own."""
    names = request["checks"]
    registry = load_registry(names=frozenset(names), loads_all_entries=False)
    checks = {check.name: check for check in registry.checks}
    wanted = [checks[name] for name in names]
    examiner = FileExaminer(wanted, Facts(), registry.knowledge, list(map(Path, request["roots"])))
    end_file = request["end_file"]
    with paused_garbage_collection(), open(request["answer_file"], "w", encoding="ascii") as file:
        for number, path in enumerate(request["paths"]):
            if os.path.exists(end_file) and number >= _read_end(end_file):
                break
            file.write(json.dumps([path, encode(examiner.examine(Path(path)))]) + "\n")
            file.flush()
        file.write(json.dumps(_describe(examiner.project)) + "\n")


def _read_end(file: str) -> int:
    try:
        with open(file, encoding="ascii") as text:
            return int(text.read())
    except (OSError, ValueError):
        return sys.maxsize  # It is being written.


def _describe(project: Project) -> Mapping[str, object]:
    return {"asked": project.asked, "digests": project.digests}
