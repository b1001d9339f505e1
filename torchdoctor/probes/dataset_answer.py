"""Reads what a dataset trial wrote down before it ended, and how it ended, as facts."""

import math
import os
import re
from collections.abc import Mapping
from pathlib import Path

from torchdoctor.facts import (
    Absent,
    DatasetTrial,
    Failure,
    HeavyMember,
    Measurement,
    Member,
    Part,
    WorkerRun,
)
from torchdoctor.processes.child import Ended
from torchdoctor.processes.exit_codes import describe_exit

# The part of a stage's limit that a worker gets: torch reports one that hangs before the stage is over.
_WORKER_SHARE = 0.7


def find_waiting_place(stacks: Path, answer: Mapping[str, object]) -> str | None:
    """Read from faulthandler's stacks where the main thread waited: the innermost line of the user's."""
    try:
        text = stacks.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    for path, line, function in re.findall(r'File "([^"<]+)", line (\d+) in (\S+)', text):
        if _is_users(path, answer):
            return f"{_shorten(path)}:{line} in {function}"
    return None


def _is_users(path: str, answer: Mapping[str, object]) -> bool:
    """Return whether a file is the user's: `library` of the answer are the folders that are not."""
    library = answer.get("library")
    folders = tuple(map(str, library)) if isinstance(library, list) else ()
    return "site-packages" not in path and not path.startswith(folders)


def find_worker_seconds(limit: float) -> int:
    """Return how long a worker may take for a batch where a stage may take `limit` seconds."""
    return max(1, math.floor(limit * _WORKER_SHARE))


def _shorten(path: str) -> str:
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return path
    return path if relative.startswith(os.pardir) else relative


def read_trial(
    target: str,
    arguments: tuple[str, ...],
    ended: Ended,
    answer: Mapping[str, object],
    place: str | None,
    limit: float,
) -> DatasetTrial:
    """Return the trial of a target as a fact; `place` is where it waited when it was stopped."""
    return DatasetTrial(
        target=target,
        arguments=arguments,
        seconds=round(ended.seconds, 3),
        failure=_read_failure(ended, answer, place, limit),
        kind=_text(answer, "kind"),
        type_name=_text(answer, "type_name"),
        is_loader=answer.get("is_loader") is True,
        is_iterable=answer.get("is_iterable") is True,
        shards_itself=_flag(answer.get("shards_itself")),
        has_worker_init_fn=answer.get("has_worker_init_fn") is True,
        batch_size=_whole(answer.get("batch_size")),
        length=_read_length(answer),
        build_seconds=_seconds(answer, "build_seconds"),
        parts=tuple(_read_part(part) for part in _rows(answer, "parts")),
        sample_seconds=_seconds(answer, "sample_seconds"),
        batch_bytes=size if (size := _whole(answer.get("batch_bytes"))) is not None else _NO_SAMPLE,
        sample_on_device=_read_members(answer, "sample_on_device"),
        sample_unpicklable=_read_members(answer, "sample_unpicklable"),
        collate_error=_optional(answer, "collate_error"),
        worker=_read_worker(answer.get("worker")),
        measurements=tuple(_read_measurement(row) for row in _rows(answer, "measurements")),
        measured_length=_whole(answer.get("length")) if answer.get("measurements") else None,
        stopped=_optional(answer, "stopped"),
        output_tail=(ended.stdout_tail[-1000:] + ended.stderr_tail[-3000:]).strip(),
    )


_NO_SAMPLE = Absent("no sample was taken")


def _read_failure(
    ended: Ended, answer: Mapping[str, object], place: str | None, limit: float
) -> Failure | None:
    if answer.get("outcome") == "completed":
        return None
    stage = str(answer.get("stage", "start"))
    if answer.get("outcome") != "raised":
        hung = ended.exit_code is None
        return Failure(
            stage=stage,
            outcome="hung" if hung else "died",
            message=_find_error_line(ended.stderr_tail),
            place=place if hung else None,
            exit_code=ended.exit_code,
            exit_meaning=_describe(ended.exit_code),
            time_limit_seconds=limit if hung else None,
            sample=_whole(answer.get("sample")),
        )
    message = str(answer.get("message", ""))
    exit_code = _whole(answer.get("exit_code"))
    timed_out = "DataLoader timed out" in message
    in_worker = answer.get("in_worker") is True
    outcome = "hung" if timed_out else "died" if answer.get("exception_type") == "WorkerEnded" else "raised"
    if outcome == "died":
        # "exited unexpectedly" is the echo; what the worker said last, if anything, is the cause.
        message = _find_error_line(ended.stderr_tail)
    return Failure(
        stage=stage,
        outcome=outcome,
        in_worker=in_worker,
        exception_type=_find_original_type(message) or _optional(answer, "exception_type"),
        message=_find_original_message(message),
        place=_find_original_place(message, answer) or _optional(answer, "place"),
        sample=_whole(answer.get("sample")),
        exit_code=exit_code,
        exit_meaning=_describe(exit_code),
        time_limit_seconds=find_worker_seconds(limit) if timed_out else None,
        traceback=_optional(answer, "traceback"),
    )


def _describe(exit_code: int | None) -> str | None:
    return None if exit_code is None else describe_exit(exit_code, is_windows=os.name == "nt")


# torch re-raises what a worker raised as "Caught X in DataLoader worker process 0.\nOriginal Traceback ...".
_CAUGHT = re.compile(r"Caught (\S+) in DataLoader worker process \d+\.")


def _find_original_type(message: str) -> str | None:
    match = _CAUGHT.search(message)
    return match[1] if match else None


def _find_original_message(message: str) -> str:
    kind = _find_original_type(message)
    if kind is None:
        return message
    # The traceback writes the name with its module: "PIL.UnidentifiedImageError: cannot identify ...".
    said = re.compile(rf"(?:[\w.<>]+\.)?{re.escape(kind)}(?::(.*))?$")
    last = [match for line in message.splitlines() if (match := said.match(line))]
    return (last[-1][1] or "").strip() if last else message


def _find_original_place(message: str, answer: Mapping[str, object]) -> str | None:
    if _find_original_type(message) is None:
        return None
    frames = [
        (path, line)
        for path, line in re.findall(r'File "([^"<]+)", line (\d+)', message)
        if _is_users(path, answer)
    ]
    return f"{_shorten(frames[-1][0])}:{frames[-1][1]}" if frames else None


def _find_error_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines()]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Interrupt|Exit)\b", line)]
    return errors[-1][:500] if errors else ""


def _read_length(answer: Mapping[str, object]) -> int | Absent:
    length = _whole(answer.get("length"))
    if length is not None:
        return length
    return Absent("the dataset has no length" if "length" in answer else "the trial did not get that far")


def _read_part(row: Mapping[str, object]) -> Part:
    size = _whole(row.get("pickled_bytes"))
    return Part(
        name=str(row.get("name")),
        type_name=str(row.get("type_name")),
        sent=row.get("sent") is True,
        pickled_bytes=Absent(str(row.get("error") or "it could not be pickled")) if size is None else size,
        shared_bytes=_whole(row.get("shared_bytes")) or 0,
        unpicklable=_read_members(row, "unpicklable"),
        on_device=_read_members(row, "on_device"),
        heavy=tuple(
            HeavyMember(str(item.get("path")), str(item.get("kind")), _whole(item.get("pickled_bytes")) or 0)
            for item in _rows(row, "heavy")
        ),
    )


def _read_members(row: Mapping[str, object], key: str) -> tuple[Member, ...]:
    return tuple(
        Member(
            str(item.get("path")), str(item.get("kind")), str(item.get("detail")), _optional(item, "defined")
        )
        for item in _rows(row, key)
    )


def _read_worker(row: object) -> WorkerRun | None:
    if not isinstance(row, dict):
        return None
    private = _whole(row.get("private_bytes"))
    rate = row.get("samples_per_second")
    return WorkerRun(
        start_up_seconds=_number(row.get("start_up_seconds")),
        private_bytes=Absent("the system does not tell it") if private is None else private,
        samples=_whole(row.get("samples")) or 0,
        samples_per_second=Absent("too few batches to tell") if rate is None else _number(rate),
    )


def _read_measurement(row: Mapping[str, object]) -> Measurement:
    private = _whole(row.get("private_bytes"))
    return Measurement(
        workers=_whole(row.get("workers")) or 0,
        start_up_seconds=_number(row.get("start_up_seconds")),
        epoch_seconds=_number(row.get("epoch_seconds")),
        samples_per_second=_number(row.get("samples_per_second")),
        steady_samples_per_second=_number(row.get("steady_samples_per_second")),
        projected=row.get("projected") is True,
        private_bytes=Absent("no worker was started") if private is None else private,
    )


def _rows(answer: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    rows = answer.get(key)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _text(answer: Mapping[str, object], key: str) -> str | Absent:
    value = answer.get(key)
    return value if isinstance(value, str) else Absent("the trial did not get that far")


def _optional(answer: Mapping[str, object], key: str) -> str | None:
    value = answer.get(key)
    return value if isinstance(value, str) else None


def _seconds(answer: Mapping[str, object], key: str) -> float | Absent:
    value = answer.get(key)
    if isinstance(value, (int, float)):
        return _number(value)
    return Absent("the trial did not get that far")


def _number(value: object) -> float:
    return round(float(value), 6) if isinstance(value, (int, float)) else 0.0


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None
