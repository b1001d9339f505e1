"""Separate the names, folders and files of programs from those that people choose.

A name is public as a whole and in its place: `mark` is a member of pytest, and no class, module or folder.
"""

import re

from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.redaction.people.owners import find_owner
from torchdoctor.redaction.people.private_hosts import is_known_host
from torchdoctor.redaction.words.known_places import (
    FILE,
    FOLDER,
    IMPORTED,
    MEMBER,
    NAME,
    OWNER,
    PACKAGE,
    PART,
    is_known_place,
)
from torchdoctor.redaction.words.numbered_names import is_numbered_by_programs
from torchdoctor.redaction.words.odd_words import (
    ERROR_OF_A_COMPILER,
    is_file_name,
    is_name_of_the_linker,
    is_temporary_name,
)
from torchdoctor.redaction.words.release_words import SHARED_VERSION, is_wheel, leave_out_of_wheel

_NUMBER = re.compile(
    r"[+-]?\d[\d.,/*_x%-]{0,20}(?:[KMGTkmgt]i?[Bb]?|[smhdx]|ms|us|ns|it|px|GHz|MHz|Hz|dev|rc|th|st|nd|rd)?|\d(?:\.\d+)?e[+-]?\d{1,3}|0[xX][0-9a-fA-F]{1,16}"
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
    rf"{ERROR_OF_A_COMPILER}|EC?\d{{4,5}}"
    r"|(?i:cu|cp|py|fp|bf|int|uint|float|nf|win)\d{1,4}"
    r"|sm_?\d{2,3}[a-z]?|gfx\d{3,4}[a-z]?|x(?:86|64|32)|c10"
    r"|(?i:RTX|GTX|GT|RX|MX)[ -]?\d{3,4}(?i:ti|super|xtx?|m|gre|d)?"
    r"|(?:A|B|GB|H|L|V|P|T|K|M)\d{2,3}s?|[AT]\d000|\d{1,5}(?i:bit|ti|super)"
)
# What pip writes beside a package: torch-2.1.0+cu118.dist-info, numpy-1.26.4-py3.10.egg-info
_INFO = re.compile(
    r"(?P<package>[\w.]{1,60})-\d{1,4}(?:\.\d{1,3}){0,3}(?:\.?(?:a|b|rc|post|dev)\d{1,2})?(?:\+(?:cpu|(?P<cuda>cu\d{3})))?"
    r"(?:-(?P<python>py\d\.\d{1,2}))?\.(?:dist|egg)-info",
    re.IGNORECASE,
)
_CODE_OF_A_PERSON = re.compile(r"[A-Za-z]{1,3}\d{4,}|[A-Za-z]\d{3,}|\d{2,}[A-Za-z]\d{2,}")
# A module that was compiled for one Python: _C.cp39-win_amd64.pyd
_BUILT = re.compile(r"(?P<module>\w{1,60})\.(?:cp\d{2,3}-\w{3,20}|cpython-[\w-]{3,40}|abi3)\.(?:pyd|so)")
# The numbers of libraries have fewer digits: cublas64_12, cudart64_110.
_FOUR_DIGITS = re.compile(r"\d{4}")
_JOINTS = re.compile(r"[-_.+]+")
_OF_A_LIBRARY = re.compile(
    r"(?:lib)?(?:python3|bitsandbytes|nvfuser|ggml|torio_ffmpeg|torchcodec_core|cublas|cudnn|cufft|curand|cusolver|cusparse|cupti|cudart|nvrtc|nvJitLink|nvToolsExt|nccl|nvml|caffe2|mkl|omp"
    r"|ssl|crypto|c10|torch)(?:Lt|Mg|Exec)?[\d_.]*(?:[_-]?(?:def|avx\d*|mc\d*|vml|intel|thread|core|sequential|tbb|blas|lapack|scalapack|blacs|cdft|rt|adv|cnn|ops|cuda|cpu|cublas|vulkan|codegen|infer|train|graph|engines|precompiled|runtime"
    r"|compiled|heuristic|builtins|nvrtc|detectron|ops|x64|x86|alt|1_1|3)[\d_.]*){0,4}|api-ms-win-[a-z\d-]{1,60}|mini(?:forge|conda)3-Windows-\w{3,6}"
    r"|(?:tensoradapter|graphbolt|dgl_sparse)_pytorch_[\d.]{1,10}",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"(?:\w{2,10}\+)?https?://(?P<host>[A-Za-z\d][\w.-]*)(?::\d{1,5})?(?P<path>/[^\s\"'<>]*)?"
)
# Neither a version nor a size: 4711, 0815-4711.
_LONG_NUMBER = re.compile(r"[+-]?\d[\d,/*_x+%-]{3,20}[A-Za-z]{0,3}")
_IPV4 = re.compile(r"(?:\d{1,2}|1\d\d|2[0-5]\d)(?:\.(?:\d{1,2}|1\d\d|2[0-5]\d)){3}")
# Seven digits and more that are no date, and what has them for other reasons: a number alone, hexadecimal
# digits, a fraction, what torch and PyInstaller number, and temporary files.
_LONG_PART = re.compile(r"(?<!\d)(?!20[0-3]\d[01]\d[0-3]\d(?!\d))\d{7,}")
_WITH_LONG_NUMBERS = re.compile(
    r"[+-]?\d[\d,]*[A-Za-z%]{0,3}|(?:0[xX]|0000)[0-9a-fA-F]{1,16}"
    r"|[+-]?\d{1,4}\.\d+(?:e[+-]?\d{1,3})?[smux%]{0,3}"
    r"|torch_\d{1,10}_.*|_?MEI\d{1,8}|.*h[0-9a-f]{7,8}_\d{1,5}.*|tmp.*|\\.*"
)
_OF_THIS_MACHINE = ("127.0.0.1", "0.0.0.0")
_YEAR = re.compile(r"20[0-3]\d")
_DOTTED_PART = re.compile(r"[^\\/]*\.{3}[^\\/]*")
_PART_OF_A_PATH = re.compile(r"[^\\/]+")
_SIGNS_BESIDE_DOTS = "().,;:!?\"'`[]{}"
_DIGITS_OF_A_PIN = 4
# A word of several: DetectionModel, cuDNN.
_HUMPS = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")


def has_long_number(word: str) -> bool:
    """Return whether a part of a word has the digits of a phone: no date, fraction or address."""
    return _LONG_PART.search(word) is not None and not _WITH_LONG_NUMBERS.fullmatch(word)


def is_number(word: str) -> bool:
    """Return whether a word is a number, a size, a version, a code or an address in memory."""
    return (
        not has_long_number(word) and any(shape.fullmatch(word) for shape in (_NUMBER, _BUILD, _CODE))
    ) or is_version(word)


def is_version(word: str) -> bool:
    """Return whether a word is a version; digits with letters between them and no dot can be of a person."""
    return ("." in word or word.isdecimal()) and SHARED_VERSION.fullmatch(word) is not None


def is_code_of_a_person(word: str) -> bool:
    """Return whether a word has the form of an account or a number of staff: U77583, x989667, 19b01234."""
    return _CODE_OF_A_PERSON.fullmatch(word) is not None


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
    if is_known_place(FOLDER, folded) or is_temporary_name(name):
        return True
    return is_package(name) or is_numbered_by_programs(name) or _is_info_of_a_package(name)


def _is_info_of_a_package(name: str) -> bool:
    found = _INFO.fullmatch(name)
    numbered = (found["cuda"], found["python"]) if found is not None else ()
    return (
        found is not None
        and is_package(found["package"])
        and all(each is None or is_numbered_by_programs(each) for each in numbered)
    )


def is_file_of_programs(name: str) -> bool:
    """Return whether a file is called as programs call theirs."""
    stem = name.rpartition(".")[0] or name
    built = _BUILT.fullmatch(name)
    if is_known_place(FILE, name.lower()) or is_temporary_name(name) or is_name_of_the_linker(name):
        return True
    return not has_long_number(name) and (
        (len(stem) < 2 and is_file_name(name))
        or (built is not None and _is_compiled_module(built["module"]))
        or (is_file_name(name) and _is_stem_of_a_library(stem))
        or (is_file_name(name) and is_package(stem) and not is_wheel(name))
        or (is_wheel(name) and leave_out_of_wheel(name, is_package) == name)
    )


def _is_stem_of_a_library(stem: str) -> bool:
    return _OF_A_LIBRARY.fullmatch(stem) is not None and _FOUR_DIGITS.search(stem) is None


def _is_compiled_module(name: str) -> bool:
    return is_name_of_code(name) or is_known_place(FILE, f"{name.lower()}.pyd")


def is_address_of_all(address: str) -> bool:
    """Return whether the host and all parts of the path of an address are ones that many know."""
    found = _ADDRESS.fullmatch(address.rstrip(".,;:)]"))
    if found is None or not is_known_host(found["host"].lower()):
        return False
    parts = re.split(r"[/?#&=@]+", (found["path"] or "").lower())
    owner = find_owner(found["host"].lower(), parts)
    if owner is not None and not is_known_place(OWNER, owner):
        return False
    return all(not each or is_known_place(PART, each) or is_numbered_by_programs(each) for each in parts)


def is_imported(name: str) -> bool:
    """Return whether a name is that of a module or a package that many have."""
    return is_known_place(IMPORTED, name.lower()) or is_package(name)


def is_address_of_a_machine(word: str) -> bool:
    """Return whether a word is the address of another machine: a version has larger numbers, or fewer."""
    return _IPV4.fullmatch(word) is not None and word not in _OF_THIS_MACHINE


def show_beside_dots(word: str) -> str:
    """Return a word that has three dots, which people write as well; of a part beside them, a name of many.

    What stands beside dots is none of the marks for what was left out.
    """
    return _PART_OF_A_PATH.sub(lambda part: part[0] if _is_public_beside_dots(part[0]) else LEFT_OUT, word)


def show_dotted_parts(path: str) -> str:
    """Return a path in which the parts with three dots have only names of many beside them."""
    return _DOTTED_PART.sub(lambda part: show_beside_dots(part[0]), path)


def _is_public_beside_dots(part: str) -> bool:
    bare = (piece.strip(_SIGNS_BESIDE_DOTS) for piece in part.split(LEFT_OUT))
    return all(
        len(piece) < 2
        or is_folder_of_programs(piece)
        or is_file_of_programs(piece)
        or is_name_of_code(piece)
        or (piece.isdecimal() and len(piece) < _DIGITS_OF_A_PIN)
        for piece in bare
    )


def is_left_out_in_part(word: str) -> bool:
    """Return whether only the ASCII letters of a word are left out: the others are of the same name."""
    return LEFT_OUT in word and not word.isascii()


def is_long_number(word: str) -> bool:
    """Return whether a word has so many digits as the number of a phone, a student or a bank card."""
    return _LONG_NUMBER.fullmatch(word) is not None and not is_year(word)


def is_year(word: str) -> bool:
    """Return whether a word is a year in which torch can have been used."""
    return _YEAR.fullmatch(word) is not None


def is_public_word(word: str) -> bool:
    """Return whether a word alone is a number, a name of code or of a file, or a path."""
    if "://" in word:
        return is_address_of_all(word)
    if word.startswith("-"):
        # An option of a command.
        word = word.lstrip("-")
        return len(word) < 2 or is_name_of_code(word)
    if word.isalpha() and not _HUMPS.search(word):
        return is_imported(word)
    if is_number(word) or is_name_of_code(word) or is_file_of_programs(word):
        return True
    if "\\" in word or "/" in word:
        return all(
            not part or is_folder_of_programs(part) or is_file_of_programs(part) or is_name_of_code(part)
            for part in re.split(r"[\\/]+", word)
        )
    return False
