"""Convert facts to plain JSON data and back."""

import dataclasses
import json
import math
import types
import typing
from collections.abc import Callable, Iterable
from pathlib import Path

from torchdoctor.core.files import MAX_BYTES, read_bytes
from torchdoctor.core.usage import UsageError
from torchdoctor.facts import SUBJECTS, Absent, Facts, occurs_many_times, subject_of
from torchdoctor.facts.partial import can_be_absent, find_field_types, list_values, make_partial
from torchdoctor.facts.values import INTEGER_BOUND

SCHEMA_VERSION = 1


class FactsError(UsageError):
    """A facts file cannot be used; the message is one line that names the place."""


def encode(value: object) -> object:
    """Convert a fact, or any value in one, to data that `json` can write."""
    if isinstance(value, Absent):
        return {"absent": value.reason}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: encode(item) for name, item in list_values(value)}
    if isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    return value


def encode_facts(facts: Facts) -> dict[str, object]:
    """Convert all facts of the environment to one JSON object, keyed by subject."""
    others = sorted(
        (fact for fact in facts.values if fact not in SUBJECTS and not occurs_many_times(fact)),
        key=subject_of,
    )
    return {
        subject_of(fact): encode(facts.values[fact]) for fact in (*SUBJECTS, *others) if fact in facts.values
    }


def decode_facts(data: object, find_more: Callable[[], Iterable[type]] = tuple) -> Facts:
    """Read facts from the data of a facts file or of a JSON report.

    `find_more` finds the facts of third parties; it is called only if there is one in the data.

    Raises:
        FactsError: the data has another form, or a value has the wrong type.
    """
    subjects = data.get("facts") if isinstance(data, dict) else None
    if not isinstance(subjects, dict):
        raise FactsError('this is no facts file: it has no object "facts"')
    version = data.get("schema_version") if isinstance(data, dict) else None
    if version != SCHEMA_VERSION or isinstance(version, bool):
        raise FactsError(f"schema_version is {_quote(version)}; this torchdoctor reads {SCHEMA_VERSION}")
    values: dict[type, object] = {}
    known = {subject_of(fact) for fact in SUBJECTS}
    more = () if subjects.keys() <= known else tuple(find_more())
    for fact in (*SUBJECTS, *more):
        subject = subject_of(fact)
        if subject in subjects:
            values[fact] = _decode(typing.cast("type", fact | Absent), subjects[subject], subject)
    return Facts(values)


def read_facts(file: Path, find_more: Callable[[], Iterable[type]] = tuple) -> Facts:
    """Read a facts file; `find_more` finds the facts of third parties.

    Raises:
        FactsError: the file cannot be read or is no facts file.
    """
    try:
        data = read_json(file)
    except OSError as error:
        raise FactsError(f"{file}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise FactsError(f"{file}: not JSON: {error}") from error
    try:
        return decode_facts(data, find_more)
    except FactsError as error:
        raise FactsError(f"{file}: {error}") from error


def read_json(file: Path, max_bytes: int = MAX_BYTES) -> object:
    """Read the value of a JSON file, in any encoding that a shell writes.

    Raises:
        OSError: it cannot be read, or has more bytes than that.
        ValueError: it is not JSON.
        RecursionError: it is nested too deeply.
    """
    return load_json(read_bytes(file, max_bytes))


def load_json(raw: bytes) -> object:
    """Return the value that the bytes of a JSON file hold, in any encoding that a shell writes.

    Raises:
        ValueError: they are no JSON.
        RecursionError: it is nested too deeply.
    """
    value: object = json.loads(_read_text(raw), parse_constant=_refuse_constant)
    return value


def decode(expected: object, data: object, where: str) -> object:
    """Convert what `encode` made of a value of a type back to it; `where` names its place in errors.

    Raises:
        FactsError: the data has another form.
    """
    return _decode(expected, data, where)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def _decode_float(data: int | float, where: str) -> float:
    try:
        number = float(data)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise FactsError(f"{where}: the number is too large")
    return number


def _read_text(raw: bytes) -> str:
    # Redirected output depends on the shell: PowerShell 5 writes UTF-16 with a byte order mark, others UTF-8
    # with or without one.
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16")
    return raw.decode("utf-8-sig")


def _decode(expected: object, data: object, where: str) -> object:
    origin = typing.get_origin(expected)
    if origin in (typing.Union, types.UnionType):
        return _decode_union(typing.get_args(expected), data, where)
    if origin is tuple:
        return _decode_tuple(typing.get_args(expected), data, where)
    if isinstance(expected, type) and dataclasses.is_dataclass(expected):
        return _decode_record(expected, data, where)
    if expected is float and isinstance(data, (int, float)) and not isinstance(data, bool):
        return _decode_float(data, where)
    if isinstance(expected, type) and type(data) is expected:
        if isinstance(data, int) and abs(data) >= INTEGER_BOUND:
            raise FactsError(f"{where}: a number of {len(str(data))} digits is too large")
        return data
    raise FactsError(f"{where}: expected {getattr(expected, '__name__', expected)}, got {_quote(data)}")


def _decode_union(members: tuple[object, ...], data: object, where: str) -> object:
    if data is None and type(None) in members:
        return None
    if Absent in members and isinstance(data, dict) and set(data) == {"absent"}:
        return Absent(str(data["absent"]))
    others = [member for member in members if member not in (type(None), Absent)]
    return _decode(others[0], data, where)


def _decode_tuple(members: tuple[object, ...], data: object, where: str) -> tuple[object, ...]:
    if not isinstance(data, list):
        raise FactsError(f"{where}: expected a list, got {_quote(data)}")
    if members[-1] is Ellipsis:
        return tuple(_decode(members[0], item, f"{where}[{i}]") for i, item in enumerate(data))
    if len(data) != len(members):
        raise FactsError(f"{where}: expected {len(members)} items, got {len(data)}")
    return tuple(_decode(member, item, where) for member, item in zip(members, data, strict=True))


def _decode_record(record: type, data: object, where: str) -> object:
    if not isinstance(data, dict):
        raise FactsError(f"{where}: expected an object, got {_quote(data)}")
    values: dict[str, object] = {}
    reasons: dict[str, str] = {}
    for field in dataclasses.fields(record):
        field_type = find_field_types(record)[field.name]
        if field.name in data:
            value = _decode_field(field_type, data[field.name], f"{where}.{field.name}")
            if isinstance(value, Absent) and not can_be_absent(record, field.name):
                reasons[field.name] = value.reason
            else:
                values[field.name] = value
        elif Absent in typing.get_args(field_type):
            values[field.name] = Absent("not recorded in the facts file")
        elif field.default is dataclasses.MISSING:
            raise FactsError(f"{where}: {field.name} is missing")
        else:
            values[field.name] = field.default
    return make_partial(record, values, reasons) if reasons else record(**values)


def _decode_field(expected: object, data: object, where: str) -> object:
    """Return a field; it may be unknown whatever its type, as in a report on a text."""
    if isinstance(data, dict) and set(data) == {"absent"}:
        return Absent(str(data["absent"]))
    return _decode(expected, data, where)


def _quote(data: object) -> str:
    text = json.dumps(data, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
