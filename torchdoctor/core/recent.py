"""Remember the results for the last values, which are compared by identity: records that never change."""

import functools
from collections import deque
from collections.abc import Callable
from typing import TypeVar

V = TypeVar("V")
R = TypeVar("R")

_REMEMBERED = 4


def remember_recent(function: Callable[[V], R]) -> Callable[[V], R]:
    """Return a function of one value that gives the same result again for one of the last values."""
    results: deque[tuple[V, R]] = deque(maxlen=_REMEMBERED)

    @functools.wraps(function)
    def find(value: V) -> R:
        for known, result in tuple(results):
            if known is value:
                return result
        result = function(value)
        results.append((value, result))
        return result

    return find
