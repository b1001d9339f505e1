"""The compute capability of a card, as programs name it: `sm_86`."""

Capability = tuple[int, int]


def parse_sm(name: str | None) -> Capability | None:
    """Return the compute capability of a name, (12, 0) for "sm_120"; None for None and for other texts."""
    digits = (name or "").removeprefix("sm_")
    return (int(digits[:-1]), int(digits[-1])) if digits.isdecimal() and len(digits) > 1 else None
