"""A record behaves as the frozen dataclass with slots that it stands for."""

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

from torchdoctor.core.record import record
from torchdoctor.facts import Absent


@record
class Point:
    """Two numbers, and a remark that does not count."""

    x: int
    y: int = 2
    names: list[str] = field(default_factory=list)
    remark: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Reference:
    """What the standard library makes of the same."""

    x: int
    y: int = 2
    names: list[str] = field(default_factory=list)
    remark: str = field(default="", repr=False, compare=False)


@record
class Nothing:
    """No field at all."""


def test_shows_itself_as_a_dataclass_does() -> None:
    assert repr(Point(1)) == repr(Reference(1)).replace("Reference", "Point")


def test_has_the_fields_of_a_dataclass() -> None:
    described = [
        [(item.name, item.default, item.compare) for item in fields(it)] for it in (Point, Reference)
    ]
    assert described[0] == described[1]


@pytest.mark.parametrize(
    ("other", "expected"),
    [(Point(1, 2, [], "other"), True), (Point(1, 3), False), (Reference(1), False), (1, False)],
    ids=["not-compared", "another-value", "another-class", "no-record"],
)
def test_compares_by_its_fields(other: object, expected: bool) -> None:
    assert (Point(1) == other) is expected


def test_equal_records_have_one_hash() -> None:
    assert len({Absent("why"), Absent("why"), Nothing(), Nothing()}) == 2


def test_each_has_its_own_default_list() -> None:
    one, other = Point(1), Point(1)
    one.names.append("changed")
    assert other.names == []


@pytest.mark.parametrize("change", [lambda it: setattr(it, "x", 2), lambda it: delattr(it, "x")])
def test_refuses_changes(change) -> None:
    with pytest.raises(FrozenInstanceError, match=r"Point\.x cannot be changed"):
        change(Point(1))


def test_has_no_room_for_more() -> None:
    assert not hasattr(Point(1), "__dict__")


@pytest.mark.parametrize("again", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it)), replace])
def test_copies_are_equal(again) -> None:
    assert again(Absent("why")) == Absent("why")


@pytest.mark.parametrize("arguments", [(), (1, 2, [], "", 5)], ids=["too-few", "too-many"])
def test_takes_what_its_fields_ask_for(arguments: tuple[object, ...]) -> None:
    with pytest.raises(TypeError):
        Point(*arguments)


def test_matches_by_position() -> None:
    match Point(1, 5):
        case Point(x, y):
            assert (x, y) == (1, 5)
