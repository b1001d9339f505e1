"""A record behaves like the frozen dataclass with slots that it replaces."""

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

from torchdoctor.core.record import record
from torchdoctor.facts import Absent


@record
class Point:
    """A record with defaults, and a field that is neither shown nor compared."""

    x: int
    y: int = 2
    names: list[str] = field(default_factory=list)
    remark: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Reference:
    """The same fields as a dataclass of the standard library."""

    x: int
    y: int = 2
    names: list[str] = field(default_factory=list)
    remark: str = field(default="", repr=False, compare=False)


@record
class Nothing:
    """A record without fields."""


def test_repr_is_that_of_a_dataclass() -> None:
    assert repr(Point(1)) == repr(Reference(1)).replace("Reference", "Point")


def test_has_the_fields_of_a_dataclass() -> None:
    descriptions = [
        [(item.name, item.default, item.compare) for item in fields(cls)] for cls in (Point, Reference)
    ]
    assert descriptions[0] == descriptions[1]


@pytest.mark.parametrize(
    ("other", "expected"),
    [(Point(1, 2, [], "other"), True), (Point(1, 3), False), (Reference(1), False), (1, False)],
    ids=["not-compared", "another-value", "another-class", "no-record"],
)
def test_compares_by_its_fields(other: object, expected: bool) -> None:
    assert (Point(1) == other) is expected


def test_equal_records_have_equal_hashes() -> None:
    assert len({Absent("why"), Absent("why"), Nothing(), Nothing()}) == 2


def test_each_record_has_its_own_default_list() -> None:
    first, second = Point(1), Point(1)
    first.names.append("changed")
    assert second.names == []


@pytest.mark.parametrize("change", [lambda point: setattr(point, "x", 2), lambda point: delattr(point, "x")])
def test_refuses_changes(change) -> None:
    with pytest.raises(FrozenInstanceError, match=r"Point\.x cannot be changed"):
        change(Point(1))


def test_has_no_instance_dictionary() -> None:
    assert not hasattr(Point(1), "__dict__")


@pytest.mark.parametrize(
    "copy_record", [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value)), replace]
)
def test_copies_are_equal(copy_record) -> None:
    assert copy_record(Absent("why")) == Absent("why")


@pytest.mark.parametrize("arguments", [(), (1, 2, [], "", 5)], ids=["too-few", "too-many"])
def test_refuses_a_wrong_number_of_arguments(arguments: tuple[object, ...]) -> None:
    with pytest.raises(TypeError):
        Point(*arguments)


def test_matches_by_position() -> None:
    match Point(1, 5):
        case Point(x, y):
            assert (x, y) == (1, 5)
