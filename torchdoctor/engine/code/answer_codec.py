"""Convert answers about files to JSON data and back, for the cache and for other processes."""

import dataclasses
import json
from typing import Any

from torchdoctor.check import Bound, Edit, Finding, Location, Replacement, Severity
from torchdoctor.engine.code.file_examiner import FileAnswer
from torchdoctor.engine.runner import Outcome
from torchdoctor.source.module.project import FoundModule


def encode(answer: FileAnswer) -> object | None:
    """Return the answer as JSON data, or None if it has values that JSON does not keep."""
    if not answer.outcomes:
        # Most answers, which have nothing that JSON could not keep.
        return [[], answer.notice, answer.is_lasting, answer.is_unread]
    try:
        data: object = json.loads(json.dumps(_list_values(answer)))
        return data if decode(data) == answer else None
    except (TypeError, ValueError, RecursionError):
        return None


def _list_values(value: object) -> object:
    """Return the values of a record in the order of its fields; its evidence stays as it is."""
    if isinstance(value, Severity):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [_list_values(getattr(value, field.name)) for field in dataclasses.fields(value)]
    return [_list_values(each) for each in value] if isinstance(value, tuple) else value


def decode(data: Any) -> FileAnswer:
    """Return the answer that was encoded.

    Raises:
        TypeError: the data has another form.
        ValueError: the data has another form.
    """
    outcomes, *others = data
    return FileAnswer(tuple(map(_read_outcome, outcomes)), *others)


def _read_outcome(data: Any) -> Outcome:
    name, status, severity, findings, passed, reason, unread, *counts = data
    read = tuple(map(_read_finding, findings))
    return Outcome(name, status, Severity(severity), read, tuple(passed), reason, tuple(unread), *counts)


def _read_finding(data: Any) -> Finding:
    message, location, evidence, severity, edit, step, bound, explains = data
    return Finding(
        message,
        Location(*location) if location else None,
        evidence,
        Severity(severity) if severity else None,
        _read_edit(*edit) if edit else None,
        step,
        Bound(*bound) if bound else None,
        tuple(explains),
    )


def _read_edit(path: str, description: str, replacements: Any) -> Edit:
    return Edit(path, description, tuple(Replacement(*each) for each in replacements))


def read_found(data: Any) -> FoundModule:
    """Return where a name of an import led to, from JSON data."""
    return None if data is None else (data[0], tuple(data[1]))
