"""Commands that put a CUDA build in the place of a CPU build name one that exists for each release."""

import re

import pytest

from torchdoctor.domain.cuda_variants import find_variants
from torchdoctor.domain.releases import INDEXES, list_releases
from torchdoctor.domain.versions import parse_release
from torchdoctor.engine.library import load_knowledge
from torchdoctor.knowledge import parse_entry

# What chooses the build: from the numbers of the release to the list of packages.
_CHOICE = re.compile(r"(?P<code>n = \[int\(i\)[^\n]*?\bf = \[[^\n]*?; w = \[[^\n]*? if k in d\]);")
TEXTS = {entry.name: entry.markdown for entry in load_knowledge(parse_entry)[0].entries.values()}
COMMANDS = [(name, match["code"]) for name, text in sorted(TEXTS.items()) for match in _CHOICE.finditer(text)]
# The table begins with 1.8; https://download.pytorch.org/whl/torch_stable.html has these. Builds before 1.7
# have no local part for the CUDA that was the usual one.
OLDER = {"1.7.0": "cu110", "1.7.1": "cu110", "1.6.0": "", "1.5.1": "", "1.4.0": "", "1.2.0": ""}
RTX_20, RTX_50 = 7.5, 12.0


def choose(code: str, release: str, capability: float) -> tuple[str, list[str], list[str]]:
    """Return the build, the index and the packages that a command chooses."""
    names: dict[str, object] = {"d": {"torch": release, "torchaudio": "0.1"}, "c": capability}
    # mypy cannot see what the code assigns.
    exec(code, names)
    build, index, packages = names["b"], names["f"], names["w"]
    assert isinstance(build, str) and isinstance(index, list) and isinstance(packages, list)
    return build, index, packages


def test_every_command_that_chooses_a_build_is_tried() -> None:
    written = sum(text.count("else 'cu117'") for text in TEXTS.values())
    assert (written, len(COMMANDS)) == (5, 5)


@pytest.mark.parametrize(("name", "code"), COMMANDS)
def test_build_exists_for_every_release(name: str, code: str) -> None:
    wrong = [
        (release, build)
        for release in list_releases()
        if find_variants(release)
        for build, _, _ in [choose(code, release, RTX_20)]
        if build not in find_variants(release)
    ]
    assert not wrong


@pytest.mark.parametrize(("name", "code"), [each for each in COMMANDS if "c >= 10" in each[1]])
def test_build_for_a_new_card_exists(name: str, code: str) -> None:
    wrong = [
        (release, build)
        for release in list_releases()
        if parse_release(release) >= (2, 7) and find_variants(release)
        for build, _, _ in [choose(code, release, RTX_50)]
        if build not in find_variants(release)
    ]
    assert not wrong


@pytest.mark.parametrize(("name", "code"), COMMANDS)
@pytest.mark.parametrize(("release", "build"), OLDER.items())
def test_older_releases_are_taken_from_the_list_of_files(
    name: str, code: str, release: str, build: str
) -> None:
    package = f"torch=={release}+{build}" if build else f"torch==={release}"
    chosen, index, (first, *_) = choose(code, release, RTX_20)
    assert (chosen, index, first) == (build, ["-f", f"{INDEXES}/torch_stable.html"], package)
