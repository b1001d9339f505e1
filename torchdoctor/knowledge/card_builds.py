"""Let commands take a build of torch that exists, and that has code for the card of a text."""

import re
from collections.abc import Iterable, Mapping

# A command of pip or uv for torch from one of PyTorch's indexes, whose release may be named.
_COMMAND = re.compile(
    r"(?P<before>\binstall (?:[^\n`]*? )?)(?P<packages>torch(?:==(?P<release>\d[\d.]*\d))?(?= )[^\n`]*?)"
    r" (?P<option>--(?:extra-)?index-url|--index) https://download\.pytorch\.org/whl/(?P<build>cu\d{2,3})\b"
)
_DIGITS_OF_CAPABILITY = 2


def fit_builds(steps: Iterable[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """Return steps whose commands name builds of a release that exist and run on the card that is known.

    What is there already may be installed again. Without such a build of the release, the command is for the
    torch that fits (`card_set`).
    """
    return tuple(
        _COMMAND.sub(lambda command: _fit(command, values), step) if "/whl/cu" in step else step
        for step in steps
    )


def _fit(command: re.Match[str], values: Mapping[str, str]) -> str:
    # Imported here: most texts have no such command, and the tables take long to import.
    from torchdoctor.domain.cuda_variants import find_last_release, find_nearest_variant, find_variants

    build, named = command["build"], command["release"]
    if named is not None and (named, build) == (values.get("torch_release"), values.get("build_index")):
        return command[0]
    release = named or find_last_release(build)
    if release is None or not (variants := find_variants(release)):
        return command[0]
    if _runs(release, build, values) and build in variants:
        return command[0]
    fitting = [variant for variant in variants if _runs(release, variant, values)]
    nearest = find_nearest_variant(release, build)
    if named is not None and fitting:
        chosen = nearest if nearest in fitting else fitting[0]
        return command[0].replace(f"/whl/{build}", f"/whl/{chosen}").replace(f"+{build}", f"+{chosen}")
    if "card_set" in values and not command["before"].rstrip().endswith(("==", "\\")):
        return f"{command['before']}{values['card_set']}"
    return command[0]


def _runs(release: str, build: str, values: Mapping[str, str]) -> bool:
    """Return whether a build has code for the card of a text; where that is not known, it is taken to."""
    from torchdoctor.domain.cuda_variants import read_builds

    digits = values.get("sm", "").removeprefix("sm_")
    if not digits.isdecimal() or len(digits) < _DIGITS_OF_CAPABILITY:
        return True
    card = (int(digits[:-1]), int(digits[-1]))
    rows = [each for each in read_builds() if each.variant == build and release in each.torch]
    return not rows or any(each.architectures.covers(card) for each in rows)
