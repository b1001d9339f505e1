"""Put a build of torch that exists, and has code for the card of a text, into commands."""

import re
from collections.abc import Iterable, Mapping, Sequence

from torchdoctor.domain.capabilities import Capability, parse_sm
from torchdoctor.knowledge.interpreter import BLOCK
from torchdoctor.knowledge.owners import CUDA_BUILD_SAID

# A command of pip or uv for torch from one of PyTorch's indexes, whose release may be named.
_COMMAND = re.compile(
    r"(?P<before>\binstall (?:[^\n`]*? )?)(?P<packages>torch(?:==(?P<release>\d[\d.]*\d))?(?= )[^\n`]*?)"
    r" (?P<option>--(?:extra-)?index-url|--index) https://download\.pytorch\.org/whl/(?P<build>cu\d{2,3})\b"
)
_RELEASE = re.compile(r"(?<![\w-])torch==(\d+\.\d+\.\d+)(?!\.\d|\.dev)")
_NUMBERS = re.compile(r"\d+")
_ANEW = """No torch that has code for the card has a build for Python {python}. Make a new environment with
   Python 3.12, install what the program needs into it, and start the program with its Python. The old one
   stays as it is:

   ```powershell
   py -3.12 -m venv C:\\envs\\torch
   C:\\envs\\torch\\Scripts\\python.exe -m pip install {arguments}
   ```

   If `py` is not found or has no 3.12, install it from https://www.python.org/downloads/release/python-31210/
   (Windows installer, 64-bit)."""
# What makes an environment with another Python, or says to take one.
_NEW_PYTHON = re.compile(
    r"\bvenv\b|conda (?:create|activate)|\bpy -3|[\\/]envs[\\/]|uv (?:venv|python|sync)"
    r"|\b(?:install|take|make|with) [^.:]{0,40}Python 3\.\d",
    re.IGNORECASE,
)
_NUMBERS_OF_SERIES = 2


def fit_builds(steps: Iterable[str], values: Mapping[str, str], shown: Mapping[str, str]) -> tuple[str, ...]:
    """Return steps whose commands name builds of a release that exist and run on the card that is known.

    What is there already may be installed again. Without such a build of the release, the command is for the
    torch that fits (`card_set`). A step for a release without a wheel for the Python that is known is left
    out, if another one is left. The last step is that which verifies. `values` decide, and `shown` are those
    that a step may have.
    """
    fitted = [
        _COMMAND.sub(lambda command: _fit(command, values, shown), step)
        if "/whl/cu" in step
        else CUDA_BUILD_SAID.sub("", step)
        if "/whl/cpu" in step
        else step
        for step in steps
    ]
    kept = [step for step in fitted[:-1] if not _is_for_other_python(step, values)]
    return (*_begin_anew(kept or fitted[:-1], shown), *fitted[-1:])


def _begin_anew(steps: Sequence[str], shown: Mapping[str, str]) -> tuple[str, ...]:
    """Put a new environment in the place of CUDA builds, where there is none for card and Python."""
    python = shown.get("python_too_old") or shown.get("python_too_new")
    if python is None or "new_set" not in shown:
        return tuple(steps)
    fruitless = [step for step in steps if _COMMAND.search(step) and not _NEW_PYTHON.search(step)]
    if not fruitless:
        return tuple(steps)
    anew = _ANEW.format(python=python, arguments=shown["new_set"])
    first = steps.index(fruitless[0])
    return (*steps[:first], anew, *(step for step in steps[first:] if step not in fruitless))


def _is_for_other_python(step: str, values: Mapping[str, str]) -> bool:
    """Return whether the commands of a step are for a release that has no wheel for the Python of a text."""
    python = tuple(map(int, _NUMBERS.findall(values.get("python_version", ""))[:2]))
    if len(python) < _NUMBERS_OF_SERIES or "torch==" not in step or _NEW_PYTHON.search(step):
        return False
    # Imported here, as below.
    from torchdoctor.domain.releases import find_pythons

    code = "\n".join(block[0] for block in BLOCK.finditer(step))
    releases = {match[1] for match in _RELEASE.finditer(code)}
    pythons = [find_pythons(release) for release in releases]
    return bool(releases) and all(found and python not in found for found in pythons)


def _fit(command: re.Match[str], values: Mapping[str, str], shown: Mapping[str, str]) -> str:
    # Imported here: most texts have no such command, and the tables take long to import.
    from torchdoctor.domain.cuda_variants import (
        find_last_release,
        find_nearest_variant,
        find_variants,
        find_variants_for_card,
    )

    build, named = command["build"], command["release"]
    if named is not None and (named, build) == (values.get("torch_release"), values.get("build_index")):
        return command[0]
    release = named or find_last_release(build)
    if release is None or not (variants := find_variants(release)):
        return command[0]
    fitting = find_variants_for_card(release, parse_sm(values.get("sm")))
    driven = tuple(variant for variant in fitting if _is_driven(variant, values))
    if build in (driven or fitting):
        return command[0]
    fitting = driven or fitting
    nearest = find_nearest_variant(release, build)
    if "sm" not in values and values.get("build_index") == build:
        # Any card of the build that is there.
        fitting = _list_like(values.get("torch_release", ""), build, release, variants) or fitting
        nearest = fitting[0]
    if named is not None and fitting:
        chosen = nearest if nearest in fitting else fitting[0]
        return command[0].replace(f"/whl/{build}", f"/whl/{chosen}").replace(f"+{build}", f"+{chosen}")
    if "card_set" in shown and not command["before"].rstrip().endswith(("==", "\\")):
        return f"{command['before']}{shown['card_set']}"
    return command[0]


def _list_like(there: str, build: str, release: str, variants: Sequence[str]) -> tuple[str, ...]:
    """Return the builds of a release that have code for all cards of a build that is there."""
    wanted = _list_capabilities(there, build) if there else set()
    return tuple(each for each in variants if wanted and wanted <= _list_capabilities(release, each))


def _list_capabilities(release: str, variant: str) -> set[Capability]:
    from torchdoctor.domain.cuda_variants import read_builds

    rows = (each for each in read_builds() if each.variant == variant and release in each.torch)
    return {capability for row in rows for capability in row.architectures.binary}


def _is_driven(build: str, values: Mapping[str, str]) -> bool:
    """Return whether the driver of a text runs a build; one that is not known is taken to."""
    from torchdoctor.domain.cuda_builds import find_cuda_of_driver
    from torchdoctor.domain.cuda_variants import read_variant_number

    newest = find_cuda_of_driver(values["driver_version"]) if "driver_version" in values else None
    return newest is None or read_variant_number(build) // 10 <= newest
