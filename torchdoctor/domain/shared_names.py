"""Tell the names, folders, files and values that programs have from those that people give.

A name is public as a whole and in its place: `mark` is a member of pytest, and no class, module or folder.
"""

import re

from torchdoctor.domain.gpu_names import find_capability, leave_out_behind_card
from torchdoctor.domain.known_places import FILE, FOLDER, FOLLOWS, MEMBER, NAME, PACKAGE, PART, is_known_place
from torchdoctor.domain.odd_words import LEFT_OUT, is_file_name, is_name_of_the_linker, is_temporary_name
from torchdoctor.domain.private_hosts import is_known_host
from torchdoctor.domain.release_words import VERSION, is_wheel, leave_out_of_wheel

_PATH = re.compile(
    r"(?:[A-Za-z]:[\\/]|\\\\|~[\\/]|\.{1,3}[\\/]|/|<[a-z]+>[\\/]|%\w+%[\\/])(?:[^\r\n\"<>|*?]|<[a-z]+>)*"
)
_NUMBER = re.compile(
    r"[+-]?\d[\d.,/*_x+%-]{0,20}(?:[KMGT]i?B|[A-Za-z]{1,3}|Super)?|\d(?:\.\d+)?e[+-]?\d{1,3}|0[xX][0-9a-fA-F]{1,16}"
    r"|0000[0-9A-F]{12}"
)
# An architecture, the build of a package of conda, what torch and PyInstaller number, and escapes.
_BUILD = re.compile(
    r"(?:sm|compute)_\d{2,3}[a-z]?|(?:py\d{2,3})?h[0-9a-f]{7,8}_\d{1,5}|py\d\.\d{1,2}_[\w.]{1,40}|_?MEI\d{1,8}"
    r"|\\{1,2}(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U(?:[0-9a-fA-F]{8}|X{1,8}))"
    r"|torch_\d{1,10}(?:_\d{1,12}){1,2}(?:_event)?|[cC]\+\+\d{0,2}[a-z]?|\d{1,4}(?:st|nd|rd|th)"
)
# Codes of compilers and tools, cards, and formats of numbers.
_CODE = re.compile(
    r"(?:C|CMP|CS|CVT|D|LNK|MSB|NU|RC|U|E|EC)\d{3,5}|(?:cu|cp|py|sm|gfx|fp|bf|int|uint|float|nf|win|x|c)\d{1,4}[a-z]{0,2}"
    r"|(?:RTX|GTX|GT|RX|MX)[ -]?\d{3,4}[A-Za-z]{0,5}|[A-Z]\d{2,4}[a-z]{0,2}|\d{1,5}(?:bit|Ti|TI|ti|D|Super)",
    re.IGNORECASE,
)
_NUMBERED_FOLDER = re.compile(
    r"(?:home|disk|data|python|py|cp|cuda|vs|lib|bin|x|amd|win|(?:ana|mini)conda|miniforge|torch|node|v)[\d.]{1,8}"
    r"|[\w.-]{1,60}\.(?:dist|egg)-info",
    re.IGNORECASE,
)
# A module that was compiled for one Python: _C.cp39-win_amd64.pyd
_BUILT = re.compile(r"(?P<module>\w{1,60})\.(?:cp\d{2,3}-\w{3,20}|cpython-[\w-]{3,40}|abi3)\.(?:pyd|so)")
_JOINTS = re.compile(r"[-_.+]+")
_WORD = re.compile(r"[^\s\"'`,;:=()\[\]{}<>|]+")
_AROUND = ".!?*+~#&^-_/\\$%@"
_LIBRARY = re.compile(
    r"(?:lib)?(?:cublas|cudnn|cufft|curand|cusolver|cusparse|cupti|cudart|nvrtc|nvJitLink|nvToolsExt|nccl|nvml|caffe2|mkl|omp"
    r"|ssl|crypto|c10|torch|python|vcruntime|msvcp|api-ms-win-|concrt|ucrtbase|vcomp)[\w.+-]{0,60}",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"(?:\w{2,10}\+)?https?://(?P<host>[A-Za-z\d][\w.-]*)(?::\d{1,5})?(?P<path>/[^\s\"'<>]*)?"
)
# Of a few words, as of many passwords, each has to be a name; those of a longer phrase have places.
_FEW_WORDS = 4
_LONGEST = 2000


def is_number(word: str) -> bool:
    """Return whether a word is a number, a size, a version, a code or an address in memory."""
    return any(shape.fullmatch(word) for shape in (_NUMBER, VERSION, _BUILD, _CODE))


def is_name_of_code(name: str) -> bool:
    """Return whether a name is one that packages or Python have, in its place below others."""
    folded = name.lower()
    if is_known_place(NAME, folded) or is_known_place(NAME, folded.strip("_")) or is_package(name):
        return True
    for joint in ("::", "."):
        first, *others = folded.split(joint)
        if others and (is_known_place(NAME, first) or is_package(first)):
            return all(
                not each or is_known_place(MEMBER, before, each)
                for before, each in zip([first, *others], others, strict=False)
            )
    return False


def is_package(name: str) -> bool:
    """Return whether a package is one that many have."""
    return is_known_place(PACKAGE, _JOINTS.sub("-", name.lower()))


def is_folder_of_programs(name: str) -> bool:
    """Return whether programs make a folder with that name."""
    folded = name.lower()
    return (
        is_known_place(FOLDER, folded)
        or is_package(name)
        or is_temporary_name(name)
        or any(shape.fullmatch(name) for shape in (VERSION, _NUMBERED_FOLDER))
    )


def is_file_of_programs(name: str) -> bool:
    """Return whether a file is called as programs call theirs."""
    stem = name.rpartition(".")[0] or name
    built = _BUILT.fullmatch(name)
    return (
        is_known_place(FILE, name.lower())
        or (len(stem) < 2 and is_file_name(name))
        or (built is not None and is_name_of_code(built["module"]))
        or _LIBRARY.fullmatch(name) is not None
        or is_temporary_name(name)
        or is_name_of_the_linker(name)
        or (is_package(stem) and not is_wheel(name))
        or (is_wheel(name) and leave_out_of_wheel(name, is_package) == name)
    )


def is_address_of_all(address: str) -> bool:
    """Return whether the host and all parts of the path of an address are ones that many know."""
    found = _ADDRESS.fullmatch(address.rstrip(".,;:)]"))
    if found is None or not is_known_host(found["host"].lower()):
        return False
    parts = re.split(r"[/?#&=@]+", found["path"] or "")
    return all(not each or is_known_place(PART, each.lower()) or is_number(each) for each in parts)


def show_value(value: str) -> str:
    """Return a value in which three dots stand for each word that is no name of many, and in no message."""
    if len(value) > _LONGEST:
        return LEFT_OUT
    if _PATH.fullmatch(value):
        return value
    if find_capability(value) is not None:
        return leave_out_behind_card(value)
    words = [match[0].strip(_AROUND) for match in _WORD.finditer(value)]
    plain = [word for word in words if word.isalpha()]
    placed = _find_placed(value) if len(plain) >= _FEW_WORDS else frozenset()

    def show(match: re.Match[str]) -> str:
        word = match[0]
        bare = word.strip(_AROUND)
        if len(bare) < 2 or LEFT_OUT in word or match.start() in placed:
            return word
        if is_number(word) or is_public_word(bare):
            return word
        if is_wheel(bare):
            return leave_out_of_wheel(bare, is_package)
        release, plus, _ = word.partition("+")
        return f"{release}+{LEFT_OUT}" if plus and VERSION.fullmatch(release) else LEFT_OUT

    return _WORD.sub(show, value)


def is_public_word(word: str) -> bool:
    """Return whether a word alone is a number, a name of code or of a file, or a path."""
    if "://" in word:
        return is_address_of_all(word)
    if word.startswith("-"):
        # An option of a command.
        word = word.lstrip("-")
        return len(word) < 2 or is_name_of_code(word)
    if is_number(word) or is_name_of_code(word) or is_file_of_programs(word):
        return True
    if "\\" in word or "/" in word:
        return all(
            not part or is_folder_of_programs(part) or is_file_of_programs(part) or is_name_of_code(part)
            for part in re.split(r"[\\/]+", word)
        )
    return False


def _find_placed(value: str) -> frozenset[int]:
    """Return where the words stand in a phrase that messages have between their neighbours."""
    found = list(_WORD.finditer(value))
    words = [match[0].strip(_AROUND).lower() for match in found]
    known = [True, *(is_known_place(FOLLOWS, *pair) for pair in zip(words, words[1:], strict=False)), True]
    return frozenset(match.start() for index, match in enumerate(found) if known[index] and known[index + 1])
