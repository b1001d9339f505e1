"""The release of torchcodec that goes with a torch; apart from others, because every text is asked for it."""

from torchdoctor.domain.versions import VersionError, parse_range, parse_release

# The first and the last series for each torch, by https://github.com/meta-pytorch/torchcodec#installing-torchcodec.
# Those for older ones have no wheels for Windows.
_SERIES = {"2.8": ("0.6", "0.7"), "2.9": ("0.8", "0.9"), "2.10": ("0.10", "0.10"), "2.11": ("0.11", "0.11")}
# The first whose `_core/ops.py` has `expose_ffmpeg_dlls`.
_FIRST_WITH_FFMPEG_FOLDER = (0, 9, 1)
# The series for this torch and all later ones. It is also for 2.11.
_FIRST_STABLE, _STABLE_SERIES = (2, 12), "0.12"
_TORCH_OF_STABLE = ">=2.11"


def find_torchcodec(torch_version: str) -> str | None:
    """Return the requirement of torchcodec for a version of torch, or None if the table has none."""
    release = _read_series(torch_version)
    _, series = _SERIES.get(release, (None, None))
    numbers = [int(part) for part in release.split(".") if part.isdecimal()]
    if series is None and len(numbers) == 2 and tuple(numbers) >= _FIRST_STABLE:
        series = _STABLE_SERIES
    return f"torchcodec=={series}.*" if series else None


def find_torch_of(version: str) -> str | None:
    """Return the range of torch that a torchcodec is made for ("==2.9.*"), or None if the table has none."""
    series = _read_series(version)
    numbers = [int(part) for part in series.split(".") if part.isdecimal()]
    if len(numbers) == 2 and numbers >= [int(part) for part in _STABLE_SERIES.split(".")]:
        return _TORCH_OF_STABLE
    return next((f"=={torch}.*" for torch, ends in _SERIES.items() if series in ends), None)


def fits_torch(version: str, torch: str) -> bool | None:
    """Return whether a torchcodec is made for a torch; None if the table does not say for which it is."""
    made_for = find_torch_of(version)
    try:
        return None if made_for is None else torch in parse_range(made_for)
    except VersionError:
        return None


def looks_beside_ffmpeg(version: str) -> bool:
    """Return whether a torchcodec looks for DLLs in the folder of the first `ffmpeg` on PATH."""
    try:
        return parse_release(version) >= _FIRST_WITH_FFMPEG_FOLDER
    except VersionError:
        return False


def _read_series(version: str) -> str:
    return ".".join(version.partition("+")[0].split(".")[:2])
