"""Records of any type, with a text in every field that holds text."""

import dataclasses
import enum
import functools
import types
import typing
from collections.abc import Callable, Mapping

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.engine.runner import Outcome
from torchdoctor.explain.answer import Diagnosis, Explanation
from torchdoctor.facts import SUBJECTS, Absent, DatasetTrial, Facts, Failure
from torchdoctor.knowledge import Knowledge
from torchdoctor.readers import Environment, Statement
from torchdoctor.readers.questions import Question
from torchdoctor.redaction.shown_values import ShownValues
from torchdoctor.report import Report

# Words of the program itself, which renderers look up.
FIXED = {
    (Outcome, "name"): "missing-main-guard",
    (Outcome, "status"): "failed",
    (Diagnosis, "name"): "missing-main-guard",
    (Diagnosis, "confirmed"): True,
    (Diagnosis, "examined"): "text",
    (Failure, "stage"): "start",
    (Failure, "outcome"): "raised",
    (DatasetTrial, "kind"): "class",
    (Report, "version"): "1.0",
    (Report, "taken_at"): "2026-01-01T00:00:00+00:00",
}


@pytest.fixture(scope="session")
def plant() -> Callable[[type, str], object]:
    """Return a function that makes a record of a type, with one text in every field that holds text."""
    return _make


def _make(kind: type, text: str) -> typing.Any:
    if kind is Facts:
        return Facts({fact: _make(fact, text) for fact in SUBJECTS})
    hints = typing.get_type_hints(kind, localns=_FORWARD)
    values = {
        field.name: FIXED.get((kind, field.name), _make_value(hints[field.name], text))
        for field in dataclasses.fields(kind)
        if field.init
    }
    return kind(**values)


def _make_value(expected: object, text: str) -> object:
    origin, members = typing.get_origin(expected), typing.get_args(expected)
    if origin in (typing.Union, types.UnionType):
        others = [member for member in members if member not in (type(None), Absent)]
        return _make_value(others[0], text)
    if origin is tuple:
        return tuple(_make_value(member, text) for member in members if member is not Ellipsis)
    if expected is ShownValues:
        # As they were read: what hides names in an output is not to rest on what hid them before.
        return {"key": text}
    if origin is Mapping:
        return {"key": _make_value(members[1], text)}
    if expected in _SIMPLE:
        return _SIMPLE[expected]
    if expected is Knowledge:
        return _load_knowledge()
    if isinstance(expected, type) and issubclass(expected, enum.Enum):
        return next(iter(expected))
    return _make(expected, text) if dataclasses.is_dataclass(expected) else text


@functools.cache
def _load_knowledge() -> Knowledge:
    return load_knowledge()[0]


_SIMPLE = {int: 1, float: 1.0, bool: True}
_FORWARD: dict[str, object] = {
    each.__name__: each for each in (Environment, Explanation, Outcome, Question, ShownValues, Statement)
}
