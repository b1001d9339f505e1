"""The release of torchcodec that goes with a torch; apart from others, because every text is asked for it."""

# The newest for each torch, by https://github.com/meta-pytorch/torchcodec#installing-torchcodec.
_SERIES = {"2.6": "0.2", "2.7": "0.5", "2.8": "0.7", "2.9": "0.9"}


def find_torchcodec(torch_version: str) -> str | None:
    """Return the requirement of torchcodec for a version of torch, or None if the table has none."""
    series = _SERIES.get(".".join(torch_version.partition("+")[0].split(".")[:2]))
    return f"torchcodec=={series}.*" if series else None
