"""Tell whether the torch of a text has code for its card, by the table of CUDA builds."""

from collections.abc import Mapping


def read_cover(values: Mapping[str, str]) -> Mapping[str, str]:
    """Return the value `torch_covers` where the build of torch has code for the card, else nothing."""
    digits = values.get("sm", "").removeprefix("sm_")
    variant, release = values.get("build_index", ""), values.get("torch_release", "")
    if not (digits.isdecimal() and len(digits) > 1 and variant.startswith("cu") and release):
        return {}
    # Imported here: few texts name all three, and the table is a file.
    from torchdoctor.domain.cuda_variants import read_builds
    from torchdoctor.domain.versions import VersionError

    capability = int(digits[:-1]), int(digits[-1])
    try:
        covers = any(
            build.variant == variant and release in build.torch and build.architectures.covers(capability)
            for build in read_builds()
        )
    except VersionError:
        return {}
    return {"torch_covers": "yes"} if covers else {}
