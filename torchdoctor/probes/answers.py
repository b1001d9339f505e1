"""Reads values of an answer that a child wrote; the user's code runs in it, so each can be of any type."""


def text_or_none(value: object) -> str | None:
    """Return a text, None for a value of another type."""
    return value if isinstance(value, str) else None


def int_or_none(value: object) -> int | None:
    """Return an integer, None for a value of another type; bool is another type."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def bool_or_none(value: object) -> bool | None:
    """Return a bool, None for a value of another type."""
    return value if isinstance(value, bool) else None


def round_number(value: object, digits: int) -> float:
    """Return a rounded number, 0.0 for a value of another type."""
    return round(float(value), digits) if isinstance(value, (int, float)) else 0.0


def capability_or_none(value: object) -> tuple[int, int] | None:
    """Return a compute capability, written as a list of two integers; None for a value of another form."""
    if isinstance(value, list) and len(value) == 2:
        major, minor = int_or_none(value[0]), int_or_none(value[1])
        if major is not None and minor is not None:
            return major, minor
    return None
