"""Read from a text which CUDA its driver runs."""

from collections.abc import Mapping


def read_cuda(values: Mapping[str, str]) -> int | None:
    """Return the major number of the newest CUDA for the driver, by what it says and by its own version.

    Of two that differ it is the lower one: a driver of CUDA 11.0 can be older than builds for CUDA 11 need.
    """
    stated = values.get("driver_cuda", "").partition(".")[0]
    by_name = int(stated) if stated.isdecimal() else None
    if "driver_version" not in values:
        return by_name
    from torchdoctor.domain.cuda_builds import find_cuda_of_driver

    by_version = find_cuda_of_driver(values["driver_version"])
    return min((each for each in (by_name, by_version) if each is not None), default=None)
