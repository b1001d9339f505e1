"""Verify what checks yield: those of a third party can yield anything, and renderers rely on the types."""

import json
import types
import typing
from collections.abc import Hashable, Mapping
from enum import Enum
from functools import cache
from typing import Any

from torchdoctor.check import Finding, Passed

# More lines or workers than there are.
_FAR = 1 << 31


def verify_result(result: object) -> Finding | Passed:
    """Return a copy of a result whose values are exactly of the types that its records declare.

    Raises:
        TypeError: it is no result, or a value has another type.
        ValueError: the message is empty, a number makes no sense, or the evidence cannot be written as JSON.
    """
    if type(result) not in (Finding, Passed):
        raise TypeError(f"the check yielded a value of the type {type(result).__name__}, not a Finding")
    copied = typing.cast("Finding | Passed", _copy(type(result), result, "finding"))
    if not any(each.isprintable() and not each.isspace() for each in copied.message):
        raise ValueError("the message of a finding has nothing to read")
    if isinstance(copied, Finding):
        _verify_numbers(copied)
    return copied


def _verify_numbers(finding: Finding) -> None:
    place, bound = finding.location, finding.bound
    numbers = (
        (place.line, place.column, place.end_line, place.end_column, place.cell) if place is not None else ()
    )
    if not all(number is None or 1 <= number < _FAR for number in numbers):
        raise ValueError("the location of a finding counts lines and columns from 1")
    if bound is not None and not 0 <= bound.workers < _FAR:
        raise ValueError(f"the bound of a finding is {bound.workers} workers")


def _copy(expected: object, value: object, name: str) -> object:
    """Return a copy of a value of a type; subclasses, which may do anything, are not kept."""
    if expected is str and isinstance(value, str):
        return str.__str__(value)
    if expected is int and isinstance(value, int) and not isinstance(value, bool):
        return int.__index__(value)
    if typing.get_origin(expected) is Mapping and isinstance(value, Mapping):
        return json.loads(json.dumps(dict(value), allow_nan=False, default=_refuse))
    if isinstance(expected, types.UnionType):
        choices = typing.get_args(expected)
        return None if value is None and type(None) in choices else _copy(choices[0], value, name)
    if typing.get_origin(expected) is tuple and isinstance(value, tuple):
        return tuple(_copy(typing.get_args(expected)[0], item, name) for item in value)
    if isinstance(expected, type) and type(value) is expected:
        if issubclass(expected, Enum):
            return value
        hints = _find_field_types(typing.cast("Hashable", expected))
        values = {key: _copy(hint, getattr(value, key), key) for key, hint in hints.items()}
        return expected(**values)
    raise TypeError(f"the {name} of a finding is of the type {type(value).__name__}")


@cache
def _find_field_types(record: Any) -> Mapping[str, object]:
    return typing.get_type_hints(record)


def _refuse(value: object) -> object:
    raise TypeError(f"the evidence of a finding holds a value of the type {type(value).__name__}")
