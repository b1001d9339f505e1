"""Make pip arguments that reinstall torch, or a companion, with the same build."""

import re
from collections.abc import Mapping, Sequence

from torchdoctor.domain.capabilities import Capability, parse_sm
from torchdoctor.domain.releases import (
    INDEXES,
    find_companion,
    find_newest_release,
    find_pythons,
    find_releases,
    find_triton_series,
    list_releases,
    parse_tag,
)
from torchdoctor.domain.versions import VersionError, parse_release

_COMPANIONS = ("torchvision", "torchaudio", "xformers")
# The last release of a Python with an installer for Windows, where later ones have none.
_LAST_INSTALLERS = {"3.10": "3.10.11", "3.11": "3.11.9"}
# The Pythons that programs are tried with most, best first.
_USUAL_PYTHONS = ((3, 11), (3, 10))
# Pythons that can be told by the first release that pip offers.
_LISTING_TAGS = ("cp36", "cp37", "cp38", "cp39", "cp310", "cp311", "cp312", "cp313", "cp314")
_NUMBERS = re.compile(r"\d+\.\d+(?:\.\d+)?(?P<nightly>\.dev\d+)?")


def name_companion(package: str, release: str, torch_version: str, cuda: str | None = None) -> str | None:
    """Return pip's arguments for a release of a package with the build of a torch, or None.

    `torchvision==0.23.0 --index-url .../whl/cu128` goes with torch 2.8.0+cu128.
    """
    index = name_index(torch_version, cuda)
    return f"{package}=={release} --index-url {INDEXES}/{index}" if index else None


def name_index(torch_version: str, cuda: str | None = None) -> str | None:
    """Return the name of the index that has a build, below download.pytorch.org/whl, or None if none has it.

    `cuda` is the CUDA version of the build, where it is known from elsewhere. On Windows a version without a
    local part is a CPU build, unless it is known to be for CUDA. Builds for AMD cards, and those from source,
    are on no index.
    """
    release, _, local = torch_version.partition("+")
    numbers = _NUMBERS.fullmatch(release)
    index = local or (f"cu{cuda.replace('.', '')}" if cuda else "cpu")
    if numbers is None or not re.fullmatch(r"cpu|xpu|cu\d{2,3}", index):
        return None
    return f"nightly/{index}" if numbers["nightly"] else index


def describe_build(version: str, cuda: str | None = None) -> Mapping[str, str]:
    """Return the values that keep the build of torch in commands; none if no index has the build.

    `torch_release` and `build_index` are always there; `fitting_torchvision`, `fitting_torchaudio` and
    `fitting_xformers` where a release of the package pins this torch; `series` of Triton where one fits; of a
    CUDA build `same_set`, pip's arguments for it with its companions, and `same_reason`, which says that.
    """
    index = name_index(version, cuda)
    if index is None:
        return {}
    release = version.partition("+")[0]
    fitting = {package: find_companion(package, release) for package in _COMPANIONS}
    series = find_triton_series(release)
    return {
        **({"series": series} if series else {}),
        "torch_release": release,
        "build_index": index,
        **_describe_set(release, index),
        **{f"fitting_{name}": f"{name}=={number}" for name, number in fitting.items() if number},
    }


def _describe_set(release: str, index: str) -> Mapping[str, str]:
    if not index.startswith("cu"):
        return {}
    # Imported here: only a CUDA build needs the tables.
    from torchdoctor.domain.torch_choice import name_set

    same = name_set(release, index)
    return {"same_set": same, "same_reason": f"{release}, which is installed"} if same else {}


def describe_wanted(
    requirement: str | None,
    python: str | None = None,
    index: str | None = None,
    offered: str | None = None,
    first_offered: str | None = None,
    sm: str | None = None,
) -> Mapping[str, str]:
    """Return what is known of a release that pip did not find, by its requirement ("==2.3.1+cu118").

    `index` is the CUDA build whose index pip looked at ("cu124"), if that is known; without a requirement,
    its last release was wanted. `offered` is the newest release that pip found there, and `first_offered` the
    oldest: both can tell the Python that runs pip, `listed_python`, whatever a person says of it. `sm` is the
    card ("sm_120"): of the builds of the release, those with code for it are taken.

    `wanted_pythons` are the Pythons that the release has wheels for, "3.8 to 3.12", and `wanted_python` is
    the highest; `tried_python` is the one of them that programs are tried with most, and `wanted_usual`
    its installer. `fits_python` is "yes" or "no", where the Python is known. `ended_index` is the index, if
    no release was wanted and newer ones are on other indexes.
    Of a nightly build ("==2.7.0.dev20250311+cu128") only `nightly_pythons`, the Pythons of the release that
    followed it, and `nightly_set`, pip's arguments for that, are known. Nothing is known of ranges and of
    other releases.
    """
    # Imported here: only few texts name a release that pip did not find.
    from torchdoctor.domain.cuda_variants import find_last_release

    release, asked_build = _read_requirement(requirement or find_last_release(index or "") or "")
    pythons = find_pythons(release)
    if not pythons:
        return _describe_nightly(requirement or "")
    listed = _find_listed_python(first_offered, offered if _ends_before(offered, release) else None, index)
    if python is not None and _is_newer_than_lists(python):
        # What pip lists for it is not in the table, and is like the list for the newest one there.
        listed = None
    values = {
        "wanted_release": release,
        **_describe_pythons(pythons),
        "listed_python": listed if python is None or _differ(listed, python) else None,
        "fits_python": _judge_python(listed or python, pythons),
        "ended_index": index if requirement is None and release != find_newest_release() else None,
        **_describe_builds(release, asked_build, index, offered, parse_sm(sm)),
    }
    return {name: value for name, value in values.items() if value}


def _describe_builds(
    release: str, asked: str | None, index: str | None, offered: str | None, capability: Capability | None
) -> Mapping[str, str | None]:
    """Return what is said of the builds of a release: of that which is asked for, and that of an index.

    `asked_set` are pip's arguments for a release with a build ("==1.11.0+cu113"). `wanted_build` is the build
    that is asked for, `wanted_index` that or a CUDA build of the release, which `index_hint` says to write.
    Where no build has code for the card, `uncovered` is the release. `having_index` is the index, if it has
    the release.
    """
    # Imported here, as in `describe_wanted`.
    from torchdoctor.domain.cuda_variants import (
        choose_lowest_variant,
        find_nearest_variant,
        find_variants,
        find_variants_for_card,
    )
    from torchdoctor.domain.torch_choice import name_set

    variants, covering = find_variants(release), find_variants_for_card(release, capability)
    chosen, of_asked = _replace_unusable(asked, release, capability)
    of_index: Mapping[str, str | None] = {}
    nearest = index
    if index is not None and variants and index not in variants and index.startswith("cu"):
        nearest = find_nearest_variant(release, index, capability)
        of_index = _describe_lacking_index(index, offered, covering or variants, release, nearest)
    wanted_index = chosen or nearest or choose_lowest_variant(covering)
    return {
        **of_asked,
        "asked_set": name_set(release, chosen),
        "wanted_build": chosen or nearest,
        "wanted_index": wanted_index,
        "index_hint": f"write `{wanted_index}` there" if wanted_index else None,
        "uncovered": release if variants and not covering else None,
        "having_index": index if index in variants else None,
        **of_index,
    }


def _replace_unusable(
    build: str | None, release: str, capability: Capability | None
) -> tuple[str | None, Mapping[str, str | None]]:
    """Return the build that takes the place of one that a release lacks, or a card cannot run; and why.

    `no_such_build` is a build that the release does not have, `unfit_build` one without code for the card,
    and `release_builds` are those that it has, with code for the card. Any other build is returned itself.
    """
    # Imported here, as in `describe_wanted`.
    from torchdoctor.domain.cuda_variants import (
        find_nearest_variant,
        find_variants,
        find_variants_for_card,
        lacks_variant,
    )

    if build is None or not build.startswith("cu"):
        return build, {}
    covering = find_variants_for_card(release, capability)
    is_missing = lacks_variant(release, build)
    if not is_missing and (build in covering or build not in find_variants(release)):
        return build, {}
    return find_nearest_variant(release, build, capability), {
        "release_builds": ", ".join(covering),
        "no_such_build": build if is_missing else None,
        "unfit_build": build if not is_missing and covering else None,
    }


def _describe_lacking_index(
    index: str, offered: str | None, builds: Sequence[str], release: str, build: str | None
) -> Mapping[str, str | None]:
    """Return what is said of an index without the release that is wanted.

    `lacking_index` is its name, `wanted_indexes` are those with a build of the release, `wanted_set` are
    pip's arguments for one of them, and `offered_set` those for the newest release on the index.
    """
    # Imported here, as in `describe_wanted`.
    from torchdoctor.domain.cuda_variants import find_variants
    from torchdoctor.domain.torch_choice import name_set

    return {
        "lacking_index": index,
        "wanted_indexes": ", ".join(builds),
        "wanted_set": name_set(release, build),
        "offered_set": name_set(offered, index) if offered and index in find_variants(offered) else None,
    }


def _ends_before(offered: str | None, release: str) -> bool:
    """Return whether a list ends before a release that was there already; only then its end says anything."""
    order = list_releases()
    return offered in order and order.index(offered) < order.index(release)


def _describe_pythons(pythons: Sequence[tuple[int, ...]]) -> Mapping[str, str]:
    """Return the Pythons that a release has wheels for, and the installers of two of them."""
    usual = next((python for python in _USUAL_PYTHONS if python in pythons), pythons[-1])
    first, last, usual_name = (".".join(map(str, version)) for version in (pythons[0], pythons[-1], usual))
    return {
        "wanted_pythons": f"{first} to {last}",
        "wanted_python": last,
        "wanted_installer": _LAST_INSTALLERS.get(last, last),
        "wanted_usual": _LAST_INSTALLERS.get(usual_name, usual_name),
        "tried_python": usual_name,
    }


def describe_wheel(version: str, python: str | None = None) -> Mapping[str, str]:
    """Return what is known of the torch in the name of a wheel ("2.1.2+cu121"); nothing of other releases.

    `wheel_set` are pip's arguments for it with its companions, where the name has the build, `wheel_line` is
    its line in a list, and `wheel_pythons` are the Pythons that there are wheels for. `wheel_release_fits` is
    "yes" or "no", where the Python is known.
    """
    # Imported here, as in `describe_wanted`.
    from torchdoctor.domain.torch_choice import name_set

    release, _, build = version.partition("+")
    pythons = find_pythons(release)
    if not pythons:
        return {}
    values = {
        "wheel_set": name_set(release, build) if build else None,
        "wheel_pythons": _describe_pythons(pythons)["wanted_pythons"],
        "wheel_line": f"torch=={version}" if build else None,
        "wheel_build": build,
        "wheel_release_fits": _judge_python(python, pythons),
    }
    return {name: value for name, value in values.items() if value}


def _find_listed_python(first: str | None, last: str | None, index: str | None) -> str | None:
    """Return the only Python whose releases for Windows begin, or end, with a release, or None.

    They begin on PyPI as they do nowhere else. `index` is the CUDA build whose index has the last one.
    """
    # Imported here, as in `describe_wanted`.
    from torchdoctor.domain.cuda_variants import find_variants

    tags = set() if index else {tag for tag in _LISTING_TAGS if find_releases(tag)[:1] == (first,)}
    ends = set()
    for tag in _LISTING_TAGS if last is not None else ():
        releases = [each for each in find_releases(tag) if index is None or index in find_variants(each)]
        ends |= {tag} if releases[-1:] == [last] else set()
    # A list that begins like that of one Python and ends like that of another was cut.
    tags = tags & ends if tags and ends else tags | ends
    return ".".join(map(str, parse_tag(tags.pop()))) if len(tags) == 1 else None


def _describe_nightly(requirement: str) -> Mapping[str, str]:
    # Imported here, as in `describe_wanted`.
    from torchdoctor.domain.cuda_variants import find_variant, find_variants
    from torchdoctor.domain.torch_choice import name_set

    match = re.fullmatch(r"={2,3}(\d[\d.]*)\.dev\d+(?:\+(cpu|cu\d+))?", requirement)
    pythons = find_pythons(match[1]) if match else ()
    if match is None or not pythons:
        return {}
    first, last = (".".join(map(str, version)) for version in (pythons[0], pythons[-1]))
    has_build = match[2] == "cpu" or match[2] in find_variants(match[1])
    release_set = name_set(match[1], match[2] if has_build else find_variant(match[1]))
    return {"nightly_pythons": f"{first} to {last}", **({"nightly_set": release_set} if release_set else {})}


def _read_requirement(requirement: str) -> tuple[str, str | None]:
    """Return the release and the build of a requirement; "" for a range of several series.

    "==2.0" means 2.0.0, and "~=1.7.1" the last patch release of its series.
    """
    series = re.fullmatch(r"~=(\d+\.\d+\.)(\d+)", requirement)
    if series is not None:
        fitting = [each for each in list_releases() if each.startswith(series[1])]
        numbers = [each for each in fitting if int(each.removeprefix(series[1])) >= int(series[2])]
        return (numbers[-1], None) if numbers else ("", None)
    match = re.fullmatch(r"(={0,3})(\d[\d.]*)(?:\+(\w+))?", requirement)
    if match is None:
        return "", None
    is_short = len(match[1]) > 1 and match[2].count(".") == 1
    return f"{match[2]}.0" if is_short else match[2], match[3]


def _is_newer_than_lists(python: str) -> bool:
    try:
        return parse_release(python)[:2] > max(map(parse_tag, _LISTING_TAGS))
    except VersionError:
        return False


def _differ(listed: str | None, python: str) -> bool:
    return listed is not None and not f"{python}.".startswith(f"{listed}.")


def _judge_python(python: str | None, pythons: Sequence[tuple[int, ...]]) -> str | None:
    try:
        return None if python is None else "yes" if parse_release(python)[:2] in pythons else "no"
    except VersionError:
        return None
