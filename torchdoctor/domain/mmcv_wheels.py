"""The list of OpenMMLab that has the wheel of mmcv 2 for a torch 2, and the release to take from it."""

from collections.abc import Mapping

# The builds of each torch that have wheels for Windows, and the releases of mmcv that these are of, by
# https://github.com/open-mmlab/mmcv/blob/main/docs/en/_static/version.json. mmdet 3 refuses 2.2.0, which is
# taken where there is no other one.
_LISTS = {
    "2.0": (("cu118", "cu117", "cpu"), ("2.0.0", "2.0.1", "2.1.0")),
    "2.1": (("cu121", "cu118", "cpu"), ("2.1.0",)),
    "2.2": (("cu121", "cu118", "cpu"), ("2.2.0",)),
    "2.3": (("cu121", "cu118", "cpu"), ("2.2.0",)),
}


def describe_mmcv(torch_version: str, wanted: str = "") -> Mapping[str, str]:
    """Return `mmcv_list`, as "cu117/torch2.0", and `fitting_mmcv`, its release; none if no list fits.

    The release is the wanted one, if the list has that, and otherwise its newest.
    """
    release, _, build = torch_version.partition("+")
    series = ".".join(release.split(".")[:2])
    builds, releases = _LISTS.get(series, ((), ()))
    if build not in builds:
        return {}
    fitting = wanted if wanted in releases else releases[-1]
    return {"mmcv_list": f"{build}/torch{series}", "fitting_mmcv": fitting}
