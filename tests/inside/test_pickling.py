"""Sizes of what a worker is sent, and the attribute that has most of it."""

import pytest

pytest.importorskip("torch")
pytestmark = pytest.mark.torch

from torchdoctor.inside import pickling  # noqa: E402
from torchdoctor.inside.trial import pickles  # noqa: E402

MIB = 1 << 20


class Images:
    def __init__(self) -> None:
        self.names = ["a", "b"]
        self.stream = (name for name in self.names)
        self.small = bytes(11 * MIB)
        self.pixels = bytes(27 * 2**30 // 10)


def test_excess_names_the_largest_attribute() -> None:
    assert pickling.describe_excess("dataset", Images(), 3 << 30) == (
        "its dataset is a copy of 3.0 GiB for each worker, of which 2.7 GiB are dataset.pixels (bytes); "
        "above 2 GiB the pipe to a worker fails on Windows"
    )


def test_excess_of_a_value_without_attributes_has_its_size() -> None:
    assert pickling.describe_excess("dataset", [], 3 << 30).startswith("its dataset is a copy of 3.0 GiB for")


def test_heavy_attributes_are_found_without_a_trace() -> None:
    found = [
        (row["path"], row["pickled_bytes"] // MIB)
        for row in pickles.find_heavy_attributes(Images(), "dataset")
    ]
    assert found == [("dataset.pixels", 2764), ("dataset.small", 11)]
