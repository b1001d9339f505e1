"""Fit a step to the packages and the Python that are known: leave out what is not there."""

import re
from collections.abc import Mapping

from torchdoctor.domain.releases import find_required_torch
from torchdoctor.domain.versions import VersionError, accepts, parse_release
from torchdoctor.facts import Absent, Companions, Distributions, Facts, Interpreter
from torchdoctor.facts.partial import Unobserved, drop_partial, find_value
from torchdoctor.knowledge.interpreter import BLOCK, enters_environment
from torchdoctor.knowledge.mending import list_installed

_COMPANIONS = ("torchvision", "torchaudio")
_INSTALLATION = re.compile(r"^[ ]*python -m pip install [^\n]*(?<![\w-])torch(?![\w-])[^\n]*$", re.MULTILINE)
# A sentence that begins with "If NAME is installed, ..." or "For Python 3.13 and newer ...".
_END = r"(?:(?!\.[\s)]|\.$)[^\n]|\n(?![ ]*\n))*\.(?:[ ]|(?=\n|$))"
_PACKAGE_SENTENCE = re.compile(rf"(?<![\w,;:-] )If (?P<name>[A-Za-z][\w-]*) is installed, (?P<rest>{_END})")
_PYTHON_SENTENCE = re.compile(rf"(?<![\w,;:-] )For Python (?P<version>3\.\d+) and newer,? {_END}")


def keep_installed(step: str, facts: Facts) -> str:
    """Return a step without companions of torch and sentences that are about what is not there.

    "If xformers is installed, ..." becomes "xformers 0.0.30 is installed: ...", unless that release belongs
    to the torch that the step installs.
    """
    interpreter = facts.get(Interpreter)
    # A list of packages of which a part is unknown tells nothing of what is not there.
    facts = drop_partial(facts)
    distributions = facts.get(Distributions)
    if isinstance(distributions, Distributions) and distributions.is_complete:
        installed = {name: distributions.find(name) for name in ("torch", *_COMPANIONS)}
        if installed["torch"] is not None and not enters_environment(step):
            absent = [name for name in _COMPANIONS if installed[name] is None]
            step = BLOCK.sub(lambda block: _drop_packages(block[0], absent), step)
        brought = list_installed(step)
        step = _PACKAGE_SENTENCE.sub(lambda match: _judge_package(match, distributions, facts, brought), step)
    version = find_value(interpreter, "version") if isinstance(interpreter, Interpreter) else interpreter
    if not isinstance(version, Absent):
        step = _PYTHON_SENTENCE.sub(lambda match: _judge_python(match, version), step)
    return step.rstrip()


def _drop_packages(block: str, absent: list[str]) -> str:
    if not absent:
        return block
    names = re.compile(rf" (?:{'|'.join(absent)})(?:==\S+)?(?=\s|$)")
    return _INSTALLATION.sub(lambda command: names.sub("", command[0]), block)


def _judge_package(
    match: re.Match[str], distributions: Distributions, facts: Facts, brought: Mapping[str, str]
) -> str:
    try:
        found = distributions.find(match["name"])
    except Unobserved:
        return match[0]
    if found is None or _belongs_to(match["name"], found.version, facts, brought):
        return ""
    return f"{match['name']} {found.version} is installed: {match['rest']}"


def _belongs_to(name: str, version: str, facts: Facts, brought: Mapping[str, str]) -> bool:
    """Return whether a release of a package is built for the torch that a step installs."""
    if "torch" not in brought:
        return False
    torch = brought["torch"].removeprefix("==")
    if not torch:
        return False
    companions = facts.get(Companions)
    listed = companions.installed if isinstance(companions, Companions) else ()
    required = next((each.required_torch for each in listed if each.name == name), None)
    required = required or find_required_torch(name, version)
    return bool(required) and accepts(required or "", torch)


def _judge_python(match: re.Match[str], version: str) -> str:
    try:
        return match[0] if parse_release(version)[:2] >= parse_release(match["version"]) else ""
    except VersionError:
        return match[0]
