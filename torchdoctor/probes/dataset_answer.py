"""Turns the answer of a dataset trial, and the way its process ended, into facts."""

import math
import os
import re
from collections.abc import Mapping
from pathlib import Path

from torchdoctor.core.files import read_text
from torchdoctor.core.tails import take_last_lines
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
from torchdoctor.inside.cutting import cut_end
from torchdoctor.probes.answers import bool_or_none, int_or_none, round_number, text_or_none
from torchdoctor.processes.child import ChildResult
from torchdoctor.processes.exit_codes import describe_exit

# The share of a stage's time limit that a worker gets: torch must report a worker that hangs before the stage
# itself is ended.
_WORKER_SHARE = 0.7
_NO_SAMPLE = Absent("no sample was taken")
# torch re-raises a worker's exception as "Caught X in DataLoader worker process 0.\nOriginal Traceback ...".
_CAUGHT_IN_WORKER = re.compile(r"Caught (\S+) in DataLoader worker process \d+\.")


def find_waiting_place(stacks: Path, answer: Mapping[str, object]) -> str | None:
    """Find the innermost line of the user's code in faulthandler's stacks: the main thread waited there."""
    try:
        text = read_text(stacks)
    except OSError:
        return None
    for path, line, function in re.findall(r'File "([^"<]+)", line (\d+) in (\S+)', text):
        if _is_user_file(path, answer):
            return f"{_shorten_path(path)}:{line} in {function}"
    return None


def _is_user_file(path: str, answer: Mapping[str, object]) -> bool:
    """Return whether a file is outside site-packages and the folders that the answer lists as `library`."""
    library = answer.get("library")
    folders = tuple(map(str, library)) if isinstance(library, list) else ()
    return "site-packages" not in path and not path.startswith(folders)


def worker_limit_seconds(stage_limit_seconds: float) -> int:
    """Return how long a worker may take for a batch, given the time limit of a stage."""
    return max(1, math.floor(stage_limit_seconds * _WORKER_SHARE))


def _shorten_path(path: str) -> str:
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return path
    return path if relative.startswith(os.pardir) else relative


def read_trial(
    target: str,
    arguments: tuple[str, ...],
    child: ChildResult,
    answer: Mapping[str, object],
    waiting_place: str | None,
    limit_seconds: float,
) -> DatasetTrial:
    """Return a trial as a fact.

    `waiting_place` is where a trial that hung waited in the user's code. `limit_seconds` is the time limit of
    one stage.
    """
    batch_bytes = int_or_none(answer.get("batch_bytes"))
    return DatasetTrial(
        target=target,
        arguments=arguments,
        seconds=round(child.seconds, 3),
        failure=_read_failure(child, answer, waiting_place, limit_seconds),
        kind=_text_or_absent(answer, "kind"),
        type_name=_text_or_absent(answer, "type_name"),
        is_loader=answer.get("is_loader") is True,
        is_iterable=answer.get("is_iterable") is True,
        shards_itself=bool_or_none(answer.get("shards_itself")),
        has_worker_init_fn=answer.get("has_worker_init_fn") is True,
        batch_size=int_or_none(answer.get("batch_size")),
        length=_read_length(answer),
        build_seconds=_seconds_or_absent(answer, "build_seconds"),
        parts=tuple(_read_part(row) for row in _find_rows(answer, "parts")),
        sample_seconds=_seconds_or_absent(answer, "sample_seconds"),
        batch_bytes=_NO_SAMPLE if batch_bytes is None else batch_bytes,
        sample_on_device=_read_members(answer, "sample_on_device"),
        sample_unpicklable=_read_members(answer, "sample_unpicklable"),
        collate_error=text_or_none(answer.get("collate_error")),
        worker=_read_worker(answer.get("worker")),
        measurements=tuple(_read_measurement(row) for row in _find_rows(answer, "measurements")),
        measured_length=int_or_none(answer.get("length")) if answer.get("measurements") else None,
        stopped=text_or_none(answer.get("stopped")),
        output_tail=(
            take_last_lines(child.stdout_tail, 1000) + take_last_lines(child.stderr_tail, 3000)
        ).strip(),
    )


def _read_failure(
    child: ChildResult, answer: Mapping[str, object], waiting_place: str | None, limit_seconds: float
) -> Failure | None:
    if answer.get("outcome") == "completed":
        return None
    if answer.get("outcome") == "raised":
        return _read_exception(child, answer, limit_seconds)
    has_hung = child.exit_code is None
    return Failure(
        stage=_find_stage(answer),
        outcome="hung" if has_hung else "died",
        message=_find_error_line(child.stderr_tail),
        place=waiting_place if has_hung else None,
        exit_code=child.exit_code,
        exit_meaning=_describe_exit_code(child.exit_code),
        time_limit_seconds=limit_seconds if has_hung else None,
        sample=int_or_none(answer.get("sample")),
    )


def _read_exception(child: ChildResult, answer: Mapping[str, object], limit_seconds: float) -> Failure:
    message = str(answer.get("message", ""))
    has_timed_out = "DataLoader timed out" in message
    if has_timed_out:
        outcome = "hung"
    elif answer.get("exception_type") == "WorkerEnded":
        outcome = "died"
        # torch only reports that the worker "exited unexpectedly". The worker's own last error is the cause.
        message = _find_error_line(child.stderr_tail)
    else:
        outcome = "raised"
    exit_code = int_or_none(answer.get("exit_code"))
    return Failure(
        stage=_find_stage(answer),
        outcome=outcome,
        in_worker=answer.get("in_worker") is True,
        exception_type=_find_original_type(message) or text_or_none(answer.get("exception_type")),
        message=_find_original_message(message),
        place=_find_original_place(message, answer) or text_or_none(answer.get("place")),
        sample=int_or_none(answer.get("sample")),
        exit_code=exit_code,
        exit_meaning=_describe_exit_code(exit_code),
        time_limit_seconds=worker_limit_seconds(limit_seconds) if has_timed_out else None,
        traceback=text_or_none(answer.get("traceback")),
    )


def _find_stage(answer: Mapping[str, object]) -> str:
    return str(answer.get("stage", "start"))


def _describe_exit_code(exit_code: int | None) -> str | None:
    return None if exit_code is None else describe_exit(exit_code, is_windows=os.name == "nt")


def _find_original_type(message: str) -> str | None:
    match = _CAUGHT_IN_WORKER.search(message)
    return match[1] if match else None


def _find_original_message(message: str) -> str:
    exception_type = _find_original_type(message)
    if exception_type is None:
        return message
    # The traceback has the type with its module: "PIL.UnidentifiedImageError: cannot identify ...".
    pattern = re.compile(rf"(?:[\w.<>]+\.)?{re.escape(exception_type)}(?::(.*))?$")
    matches = [match for line in message.splitlines() if (match := pattern.match(line))]
    return (matches[-1][1] or "").strip() if matches else message


def _find_original_place(message: str, answer: Mapping[str, object]) -> str | None:
    if _find_original_type(message) is None:
        return None
    frames = [
        (path, line)
        for path, line in re.findall(r'File "([^"<]+)", line (\d+)', message)
        if _is_user_file(path, answer)
    ]
    return f"{_shorten_path(frames[-1][0])}:{frames[-1][1]}" if frames else None


def _find_error_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines()]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Interrupt|Exit)\b", line)]
    return cut_end(errors[-1], 500) if errors else ""


def _read_length(answer: Mapping[str, object]) -> int | Absent:
    length = int_or_none(answer.get("length"))
    if length is not None:
        return length
    return Absent("the dataset has no length" if "length" in answer else "the trial did not get that far")


def _read_part(row: Mapping[str, object]) -> Part:
    size = int_or_none(row.get("pickled_bytes"))
    return Part(
        name=str(row.get("name")),
        type_name=str(row.get("type_name")),
        sent=row.get("sent") is True,
        pickled_bytes=Absent(str(row.get("error") or "it could not be pickled")) if size is None else size,
        shared_bytes=int_or_none(row.get("shared_bytes")) or 0,
        unpicklable=_read_members(row, "unpicklable"),
        on_device=_read_members(row, "on_device"),
        heavy=tuple(_read_heavy_member(member) for member in _find_rows(row, "heavy")),
    )


def _read_heavy_member(row: Mapping[str, object]) -> HeavyMember:
    size = int_or_none(row.get("pickled_bytes")) or 0
    return HeavyMember(str(row.get("path")), str(row.get("kind")), size)


def _read_members(answer: Mapping[str, object], key: str) -> tuple[Member, ...]:
    return tuple(
        Member(
            str(row.get("path")),
            str(row.get("kind")),
            str(row.get("detail")),
            text_or_none(row.get("defined")),
        )
        for row in _find_rows(answer, key)
    )


def _read_worker(row: object) -> WorkerRun | None:
    if not isinstance(row, dict):
        return None
    private_bytes = int_or_none(row.get("private_bytes"))
    rate = row.get("samples_per_second")
    return WorkerRun(
        start_up_seconds=round_number(row.get("start_up_seconds"), 6),
        private_bytes=Absent("the system does not report it") if private_bytes is None else private_bytes,
        samples=int_or_none(row.get("samples")) or 0,
        samples_per_second=Absent("too few batches to tell") if rate is None else round_number(rate, 6),
    )


def _read_measurement(row: Mapping[str, object]) -> Measurement:
    private_bytes = int_or_none(row.get("private_bytes"))
    return Measurement(
        workers=int_or_none(row.get("workers")) or 0,
        start_up_seconds=round_number(row.get("start_up_seconds"), 6),
        epoch_seconds=round_number(row.get("epoch_seconds"), 6),
        samples_per_second=round_number(row.get("samples_per_second"), 6),
        steady_samples_per_second=round_number(row.get("steady_samples_per_second"), 6),
        projected=row.get("projected") is True,
        private_bytes=Absent("no worker was started") if private_bytes is None else private_bytes,
    )


def _find_rows(answer: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    rows = answer.get(key)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _text_or_absent(answer: Mapping[str, object], key: str) -> str | Absent:
    value = answer.get(key)
    return value if isinstance(value, str) else Absent("the trial did not get that far")


def _seconds_or_absent(answer: Mapping[str, object], key: str) -> float | Absent:
    value = answer.get(key)
    if isinstance(value, (int, float)):
        return round_number(value, 6)
    return Absent("the trial did not get that far")
