"""Keep values that a shell could run or replace out of the code that people copy."""

import re
from collections.abc import Mapping

# Texts and facts may come from another machine. A path of Windows stands in quotes in the code of entries.
_HARMLESS = r"[\w .:\\/+~=,\[\]-]{1,400}|[A-Za-z]:[\\/][\w .:\\/+~=,()\[\]@'-]{1,400}"
# A requirement of pip with a range. The characters < and > redirect output, except in quotes: the code of
# entries has them around one requirement, and the value has them around each of several.
_REQUIREMENT = r"[A-Za-z0-9][\w.-]{0,100}(?:(?:[<>]=?|[=!~]=)[\w.*+]{1,40},?){0,8}"
# Paths of Windows in quotes, as Remove-Item takes several.
_PATHS = r'"[A-Za-z]:[\\/][\w .:\\/+~=()-]{1,400}"'
# Arguments of pip, of which paths may stand in quotes.
_ARGUMENT = r'(?:"[\w.][\w .:\\/+~=\[\],-]{0,300}"|[\w.:\\/+~=\[\]-][\w.:\\/+~=\[\],@#-]{0,300})'
# A word of a command, with the quotation marks that both shells know.
_WORD = r'(?:"[\w .:\\/+~=,@\[\]-]{1,300}"|[\w.:\\/+~=-]{1,300})'
# A name of Python, or a text in quotes without a sign that a shell reads.
_NAME_OR_TEXT = r"""(?:[A-Za-z_][\w.]{0,60}|["'][\w ./-]{1,80}["'])"""
_QUOTED = {
    "plain_command": rf"python(?: {_WORD}){{1,60}}",
    "build_arguments": rf"{_ARGUMENT}(?: {_ARGUMENT}){{0,12}}",
    "build_source": rf"{_ARGUMENT}",
    "git_build": r"git\+https://github\.com/[\w./-]{3,100}(?:#subdirectory=[\w./-]{1,60})?",
    "requirement": _REQUIREMENT,
    "fitting_torchcodec": _REQUIREMENT,
    "requirements": rf'"{_REQUIREMENT}"(?: "{_REQUIREMENT}"){{0,40}}',
    "other_wheel": r"https://[\w.%/+-]{1,300}",
    "download_link": r"https://[\w.%/+-]{1,300}",
    # An expression of Python, whose values are names and texts without quotes.
    "split_fixed": (
        r"[\w.]{1,60}(?:\[(?:'\w{1,40}'|\"\w{1,40}\"|\w{1,40})\]){0,3}"
        r"\.replace\(\"\\\\\", \"/\"\)\.r?split\(['\"]/['\"][\w, =-]{0,20}\)"
    ),
    "below_fixed": r"os\.path\.relpath\([\w.]{1,60}, [\w.]{1,60}\)\.replace\(\"\\\\\", \"/\"\)",
    "open_joined": (
        rf"os\.path\.join\({_NAME_OR_TEXT}(?:, ?{_NAME_OR_TEXT}){{1,5}}\)"
        rf"|{_NAME_OR_TEXT}(?: ?\+ ?{_NAME_OR_TEXT}){{1,4}}"
    ),
    "leftover_paths": rf"{_PATHS}(?:, {_PATHS}){{0,20}}",
}
# Without its release and its index, a command would replace the build of these by another one.
_PACKAGES_OF_AN_INDEX = ("torch", "torchvision", "torchaudio")
# Under these names PyPI has another project, or an old release without the DLLs (looked up on 2026-11-22).
_PACKAGES_ELSEWHERE = ("apex", "kaolin", "nunchaku", "sageattention", "simple-knn")
_NO_PACKAGES_OF_PIP = frozenset((*_PACKAGES_OF_AN_INDEX, *_PACKAGES_ELSEWHERE))
_PACKAGE_VALUES = ("package", "built_package", "distribution", "wanted_package")


def keep_harmless(values: Mapping[str, str]) -> dict[str, str]:
    """Return the values that PowerShell and cmd read as plain text, and that no command of pip misreads."""
    return {
        name: value
        for name, value in values.items()
        if re.fullmatch(_QUOTED.get(name, _HARMLESS), value)
        and not (name in _PACKAGE_VALUES and value.lower() in _NO_PACKAGES_OF_PIP)
    }
