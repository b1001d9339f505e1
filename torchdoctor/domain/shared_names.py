"""Tell the names, folders, files and values that programs have from those that people give.

A name is public as a whole and in its place: `mark` is a member of pytest, and no class, module or folder.
"""

import re
from itertools import pairwise

from torchdoctor.domain.gpu_names import find_capability, leave_out_behind_card
from torchdoctor.domain.known_places import (
    FILE,
    FOLDER,
    FOLLOWS,
    IMPORTED,
    MEMBER,
    NAME,
    PACKAGE,
    PART,
    VALUE,
    is_known_place,
)
from torchdoctor.domain.odd_words import LEFT_OUT, is_file_name, is_name_of_the_linker, is_temporary_name
from torchdoctor.domain.private_hosts import is_known_host
from torchdoctor.domain.release_words import SHARED_VERSION as VERSION
from torchdoctor.domain.release_words import is_wheel, leave_out_of_wheel

_PATH = re.compile(
    r"(?:[A-Za-z]:[\\/]|\\\\|~[\\/]|\.{1,3}[\\/]|/|<[a-z]+>[\\/]|%\w+%[\\/])(?:[^\r\n\"<>|*?]|<[a-z]+>)*"
)
# Where a path ends that other words follow: behind a file, or before another root.
_BEHIND_FILE = re.compile(
    r"(?<=[\\/])(?P<file>[^\\/\s&<]{0,100}\.[A-Za-z][A-Za-z0-9]{0,10})(?:[)\]\"'`,;:!.]|&#?\w{1,8};|<br>){0,6}(?=\s)"
)
_BLANK = re.compile(r"\s")
_NEXT_ROOT = re.compile(r"\s[\"'`(\[<]{0,3}(?:[A-Za-z]:[\\/]|\\\\|/(?=\w)|~[\\/])")
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
    r"(?:C|CMP|CS|CVT|D|LNK|MSB|NU|RC|U|E|EC)\d{4,5}|(?i:cu|cp|py|fp|bf|int|uint|float|nf|win)\d{1,4}"
    r"|sm_?\d{2,3}[a-z]?|gfx\d{3,4}[a-z]?|x(?:86|64|32)|c10"
    r"|(?i:RTX|GTX|GT|RX|MX)[ -]?\d{3,4}(?i:ti|super|xtx?|m|gre|d)?"
    r"|(?:A|B|GB|H|L|V|P|T|K|M)\d{2,3}s?|[AT]\d000|\d{1,5}(?i:bit|ti|super)"
)
_NUMBERED_FOLDER = re.compile(
    r"(?:home|disk|data|python|py|cp|cuda|vs|lib|bin|x|amd|win|(?:ana|mini)conda|miniforge|torch|node|v)[\d.]{1,8}"
    r"|[\w.-]{1,60}\.(?:dist|egg)-info",
    re.IGNORECASE,
)
# A module that was compiled for one Python: _C.cp39-win_amd64.pyd
_BUILT = re.compile(r"(?P<module>\w{1,60})\.(?:cp\d{2,3}-\w{3,20}|cpython-[\w-]{3,40}|abi3)\.(?:pyd|so)")
_JOINTS = re.compile(r"[-_.+]+")
_WORD = re.compile(
    r"<(?:module|locals|lambda|listcomp|dictcomp|setcomp|genexpr|string|stdin)>"
    r"|(?:\w{2,10}\+)?https?://[^\s\"'<>]+|[^\s\"'`,;:=()\[\]{}<>|]+"
)
_AROUND = ".!?*+~#&^-_/\\$%@"
_OF_A_LIBRARY = re.compile(
    r"(?:lib)?(?:torio_ffmpeg|torchcodec_core|cublas|cudnn|cufft|curand|cusolver|cusparse|cupti|cudart|nvrtc|nvJitLink|nvToolsExt|nccl|nvml|caffe2|mkl|omp"
    r"|ssl|crypto|c10|torch)(?:Lt|Mg|Exec)?[\d_.]*(?:[_-]?(?:def|avx\d*|mc\d*|vml|intel|thread|core|sequential|tbb|blas|lapack|scalapack|blacs|cdft|rt|adv|cnn|ops|infer|train|graph|engines|precompiled|runtime"
    r"|compiled|heuristic|builtins|nvrtc|detectron|ops|x64|x86|alt|1_1|3)[\d_.]*){0,4}|api-ms-win-[a-z\d-]{1,60}|mini(?:forge|conda)3-Windows-\w{3,6}"
    r"|(?:tensoradapter|graphbolt|dgl_sparse)_pytorch_[\d.]{1,10}",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"(?:\w{2,10}\+)?https?://(?P<host>[A-Za-z\d][\w.-]*)(?::\d{1,5})?(?P<path>/[^\s\"'<>]*)?"
)
_OWN_WORD = re.compile(r"[^\n]{1,80}")
# Neither a version nor a size: 4711, 0815-4711.
_LONG_NUMBER = re.compile(r"[+-]?\d[\d,/*_x+%-]{3,20}[A-Za-z]{0,3}")
_IPV4 = re.compile(r"(?:\d{1,2}|1\d\d|2[0-5]\d)(?:\.(?:\d{1,2}|1\d\d|2[0-5]\d)){3}")
_OF_THIS_MACHINE = ("127.0.0.1", "0.0.0.0")
YEAR = re.compile(r"20[0-3]\d")
NUMBER, OWN, READ = "<number>", "<own>", "<read>"
# Values that are numbers of lines, of processes, of errors and the like.
_OF_NUMBERS = re.compile(
    r"(?:^|_)(?:line|lines|count|code|size|port|year|pid|winerror|errno|number|release|build|position|bytes?|index|memory|[gmk]b)$"
)
# A word of several: DetectionModel, cuDNN.
_HUMPS = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
# How a word can go on that a pattern has cut.
ENDING = re.compile(r"(?:e?s|e?d|n|r|ing|e|er|ers|ly)?")
_SHORTEST = 4
# Of a few words, as of many passwords, each has to be a name; those of a longer phrase have places.
_FEW_WORDS = 3
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
        or _NUMBERED_FOLDER.fullmatch(name) is not None
        or (VERSION.fullmatch(name) is not None and not is_long_number(name))
    )


def is_file_of_programs(name: str) -> bool:
    """Return whether a file is called as programs call theirs."""
    stem = name.rpartition(".")[0] or name
    built = _BUILT.fullmatch(name)
    return (
        is_known_place(FILE, name.lower())
        or (len(stem) < 2 and is_file_name(name))
        or (built is not None and is_name_of_code(built["module"]))
        or (is_file_name(name) and _OF_A_LIBRARY.fullmatch(stem) is not None)
        or is_temporary_name(name)
        or is_name_of_the_linker(name)
        or (is_file_name(name) and is_package(stem) and not is_wheel(name))
        or (is_wheel(name) and leave_out_of_wheel(name, is_package) == name)
    )


def is_address_of_all(address: str) -> bool:
    """Return whether the host and all parts of the path of an address are ones that many know."""
    found = _ADDRESS.fullmatch(address.rstrip(".,;:)]"))
    if found is None or not is_known_host(found["host"].lower()):
        return False
    parts = re.split(r"[/?#&=@]+", found["path"] or "")
    return all(
        not each or is_known_place(PART, each.lower()) or (is_number(each) and not is_long_number(each))
        for each in parts
    )


def show_value(value: str, name: str = "") -> str:
    """Return a value in which three dots stand for each word that is no name of many, and in no message.

    `name` is that of the value: a number, or a word alone, is public where the doctor knows it for that one.
    """
    if len(value) > _LONGEST:
        return LEFT_OUT
    if _PATH.fullmatch(value):
        end = _find_end_of_path(value)
        return value if end == len(value) else f"{value[:end]}{_show_behind_path(value[end:], name)}"
    if find_capability(value) is not None:
        return leave_out_behind_card(value)
    if is_known_place(VALUE, OWN, name) or (_OWN_WORD.fullmatch(value) and is_own_value(name, value)):
        return value
    plain = [match for match in _WORD.finditer(value) if match[0].strip(_AROUND).isalpha()]
    placed = _find_placed(value) if len(plain) >= _FEW_WORDS else frozenset()

    def show(match: re.Match[str]) -> str:
        word = match[0]
        bare = word.strip(_AROUND)
        if is_left_out_in_part(word):
            return LEFT_OUT
        if len(bare) < 2 or LEFT_OUT in word or word.startswith("<") or match.start() in placed:
            return word
        if bare.isalpha() and "_" not in word:
            return word if is_public_word(bare) or is_own_word(name, bare) else LEFT_OUT
        if is_address_of_a_machine(bare) and "version" not in name and "driver" not in name:
            return LEFT_OUT
        if is_long_number(bare):
            is_counted = _OF_NUMBERS.search(name) is not None or is_known_place(VALUE, name, NUMBER)
            return word if is_counted else LEFT_OUT
        if is_number(word) or is_public_word(word) or is_public_word(bare):
            return word
        if is_wheel(bare):
            return leave_out_of_wheel(bare, is_package)
        release, plus, _ = word.partition("+")
        return f"{release}+{LEFT_OUT}" if plus and VERSION.fullmatch(release) else LEFT_OUT

    return _WORD.sub(show, value)


def _find_end_of_path(value: str) -> int:
    """Return where a path ends in a value that begins with one."""
    files = (found for found in _BEHIND_FILE.finditer(value) if is_file_name(found["file"]))
    file = next(files, None)
    end = file.end() if file is not None else len(value)
    root = _NEXT_ROOT.search(value, 0, end)
    if root is None:
        return end
    last = max(value.rfind("\\", 0, root.start()), value.rfind("/", 0, root.start())) + 1
    blank = _BLANK.search(value, last)
    return min(end, blank.start() if blank is not None else root.start())


def _show_behind_path(text: str, name: str) -> str:
    blanks = text[: len(text) - len(text.lstrip())]
    return f"{blanks}{show_value(text[len(blanks) :], name)}"


def is_own_value(name: str, value: str) -> bool:
    """Return whether the doctor itself gives a value that name, or has a word of it in its pattern."""
    folded = value.lower()
    if is_known_place(VALUE, name, folded):
        return True
    # What a pattern reads from a text can be anything.
    return bool(name) and is_known_place(VALUE, "*", folded) and not is_known_place(VALUE, READ, name)


def is_own_word(name: str, word: str) -> bool:
    """Return whether the pattern of a value has a word, or the start of it."""
    if is_own_value(name, word):
        return True
    ends = range(_SHORTEST, len(word))
    return any(
        is_known_place(VALUE, name, word[:end].lower()) and ENDING.fullmatch(word[end:]) for end in ends
    )


def is_imported(name: str) -> bool:
    """Return whether a name is that of a module or a package that many have."""
    return is_known_place(IMPORTED, name.lower()) or is_package(name)


def is_address_of_a_machine(word: str) -> bool:
    """Return whether a word is the address of another machine: a version has larger numbers, or fewer."""
    return _IPV4.fullmatch(word) is not None and word not in _OF_THIS_MACHINE


def is_left_out_in_part(word: str) -> bool:
    """Return whether only the ASCII letters of a word are left out: the others are of the same name."""
    return LEFT_OUT in word and not word.isascii()


def is_long_number(word: str) -> bool:
    """Return whether a word has so many digits as the number of a phone, a student or a bank card."""
    return _LONG_NUMBER.fullmatch(word) is not None and YEAR.fullmatch(word) is None


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


def _find_placed(value: str) -> frozenset[int]:
    """Return where the words stand in a phrase that messages have between their neighbours."""
    found = list(_WORD.finditer(value))
    words = [match[0].strip(_AROUND).lower() for match in found]
    known = [True, *(is_known_place(FOLLOWS, *pair) for pair in pairwise(words)), True]
    return frozenset(match.start() for index, match in enumerate(found) if known[index] and known[index + 1])
