"""The release of torchcodec that goes with a torch; apart from others, because every text is asked for it."""

# The newest for each torch, by https://github.com/meta-pytorch/torchcodec#installing-torchcodec. Those for
# older ones have no wheels for Windows.
_SERIES = {"2.8": "0.7", "2.9": "0.9", "2.10": "0.10", "2.11": "0.11"}
# The series for this torch and all later ones.
_FIRST_STABLE, _STABLE_SERIES = (2, 12), "0.12"


# The first release that works with a torch, where several do.
_FIRST_SERIES = {"2.8": "0.6", "2.9": "0.8", "2.10": "0.10", "2.11": "0.11"}


def fits_torch(version: str, torch_version: str) -> bool:
    """Return whether a torchcodec is one of those made for a version of torch."""
    release = ".".join(torch_version.partition("+")[0].split(".")[:2])
    first, last = _FIRST_SERIES.get(release), _SERIES.get(release)
    if first is None or last is None:
        return False
    numbers = [tuple(map(int, each.split(".")[:2])) for each in (first, version, last)]
    return numbers[0] <= numbers[1] <= numbers[2]


def find_torchcodec(torch_version: str) -> str | None:
    """Return the requirement of torchcodec for a version of torch, or None if the table has none."""
    release = torch_version.partition("+")[0].split(".")[:2]
    series = _SERIES.get(".".join(release))
    numbers = [int(part) for part in release if part.isdecimal()]
    if series is None and len(numbers) == 2 and tuple(numbers) >= _FIRST_STABLE:
        series = _STABLE_SERIES
    return f"torchcodec=={series}.*" if series else None
