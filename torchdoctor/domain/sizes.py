"""Write sizes in bytes in a form that people read."""

MIB = 1 << 20
GIB = 1 << 30


def describe_bytes(count: int) -> str:
    """Return a size with a binary unit: "17.0 GiB", "812 MiB", "3 KiB"."""
    if abs(count) >= GIB:
        return f"{count / GIB:.1f} GiB"
    if abs(count) >= MIB:
        return f"{count / MIB:.0f} MiB"
    return f"{count / 1024:.0f} KiB"
