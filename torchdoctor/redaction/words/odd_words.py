"""Leave out, in what stands beside an error, each word that has the shape of no message, path or version."""

import re

from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.redaction.people.hosts import read_own_words
from torchdoctor.redaction.people.public_hosts import is_public_host
from torchdoctor.redaction.secrets.random_words import count_changes, looks_generated

# An address, and the path of one whose host stands elsewhere; of some services the path is a key.
_ADDRESS = re.compile(
    r"(?<=[A-Za-z]://)(?P<host>[\w.-]{1,100}(?::\d{1,5})?)(?P<path>/[^\s\"'<>)\]]{2,2000})"
    r"|(?:(?<=with url: )|(?<=': ))(?P<lone>/[^\s\"'<>)\]]{2,2000})"
)
# A name and its value, where neither is a word that checks and entries write often.
_SETTING = re.compile(
    r"(?P<label>[^\s\"'`=:,;()\[\]{}<>/\\]{2,40})"
    r"(?P<joint>[\"'\])]{0,2}[ ]?(?:=>|:=|[:=：])[ ]?[bru]?[\"'(]{0,2})"
    r"(?P<value>[^\s\"'`,;:()\[\]{}<>=\\/]{4,200})(?![\w:=(]|[.]\w|[ ][a-z])"
)
# A value of a query, which can have been broken and joined by a blank, and what logs in to an address.
_QUERY = re.compile(
    r"([?&][\w.%-]{1,60}=)(?!\.{3})(?:<secret>[ ]?)?[^&\s\"'\\/<>]{0,2000}"
    r"(?:[ ][\w%.+=-]{4,400}(?=[\"'&]|$))?"
)
_CREDENTIALS = re.compile(r"(\bhttps?:[\\/]{1,4})(?!\.{3})[^\\/\s\"'@]{1,200}@")
# What stands in an element of XML.
_ELEMENT = re.compile(r"(?<=[A-Za-z]>)[^\s<>]{4,200}(?=</[A-Za-z])")
# An account of a domain: CORP\kowal
_ACCOUNT = re.compile(
    r"(?P<domain>[A-Z][A-Z0-9-]{1,14})\\{1,2}(?P<name>(?!x\d|v\d|arm\d)[a-z][a-z0-9_-]{2,30}(?:\.[a-z]{3,20})?)"
)
_PATH_OF_AN_INDEX = re.compile(r"/(?:simple|whl|packages|pypi)/[\w./+%-]{0,200}")
# What stands between blanks, quotes and brackets, in letters that a keyboard of any country has.
_WORD = re.compile(r"[^\s\"'`,;:()\[\]{}<>|=\u0080-\U0010ffff]{4,2000}")
# Written as people and programs write: in one case, or in names side by side.
_WRITTEN = re.compile(r"(?:[A-Z]{0,6}[a-z]{1,200})+[A-Z]{0,6}|[A-Z]+s?")
# Signs around a word that are none of its own.
_AROUND = ".!?*+~#>&^-_/\\$%@"
_SEGMENT = re.compile(r"[^\\/?#&]+")
_PIECE = re.compile(r"[A-Za-z0-9]+")
_NUMBER = re.compile(
    r"[+-]?\d[\d.,/x%*_-]{0,30}(?:[A-Za-z]{1,3}(?:/[A-Za-z]{1,3})?)?"
    r"|0[xX][0-9a-fA-F]{1,16}|0000[0-9a-fA-F]{4,12}|[\d.+TZ/-]{4,40}"
)
_VERSION = re.compile(
    r"v?\d{1,4}(?:\.\d{1,5}){0,4}"
    r"(?:[._-]?(?:a|b|c|rc|alpha|beta|dev|post|rev|fix|patch|windows|win)[._-]?\d{0,8}){0,2}"
    r"(?:[+.-](?:cpu|cu\d{2,3}|rocm[\d.]{0,8}|xpu|git\w{0,10}|[a-z]{2,10}))?"
)
# A name of the linker: ?decref_pyobject@TensorImpl@c10@@UEBAXXZ
_DECORATED = re.compile(r"\?{1,2}[\w?$]{1,300}(?:@[\w?$@]{0,600})?")
# Letters and a number: cu121, sm_120, RTX4090, fp16, 8GB, upfirdn2d; and a number of its own.
_NAMED_NUMBER = re.compile(
    r"(?P<name>[A-Za-z]{1,20})(?:\d{1,4}[A-Za-z]{0,4}\d{0,2}|[234][dD])|\d{1,6}[A-Za-z]{1,4}"
)
# Of 14 random letters, half of the neighbours differ in their case; in cublasLtGetStatusString, a third.
_SHORT = 10
_MOST_CHANGES = 0.42
_LONGEST_PREFIX = 4
_LONGEST_PIECE = 40
# An exception, a number of a compiler's message, a place in a file: (-215:Assertion
_KNOWN_NAME = re.compile(r"\w*(?:Error|Exception|Warning)|[A-Z]{1,5}\d{1,5}|-?\d{1,6}")
_LABELS = frozenset({"line", "file", "warning", "error", "name", "note"})
# What stands before a number in names of packages, models and systems.
_NAMES = frozenset({"deepvoice", "detectron", "hunyuan", "manylinux", "resnet", "trellis", "yolov"})
_DIMENSIONS = re.compile(r"[A-Za-z]{2,20}[234][dD]")
# Folders and files that programs name at random; pip says of its own what they are for.
_OF_PIP = (
    "build-env|build-tracker|download|editable|ephem-wheel-cache|install|metadata|modern-metadata|req-build|req-tracker"
    "|resolution|standalone-pip|target|uninstall|unpack|unpacked-wheel|wheel|wheel-metadata"
)
_TEMPORARY = re.compile(
    rf"tmp\w{{8}}(?:\.\w{{1,4}})?|tmpxft\w{{4,60}}(?:\.\w{{1,6}}){{0,2}}|pip-(?:{_OF_PIP})-\w{{8}}|_MEI\d{{2,8}}"
    r"|PythonSoftwareFoundation\.[\w.]{4,60}_qbz5n2kfra8p0"
)
# How the files of programs and models end, whose names say what failed.
ENDINGS_OF_PROGRAMS = "dll|pyd|lib|obj|whl|cpp|cuh?|h|hpp|exe|bat|cmd|ps1|safetensors|ckpt|pth?|onnx|gguf"
# The number of an error of a compiler, a linker or a build tool: C1083, LNK2019, MSB8040.
ERROR_OF_A_COMPILER = r"(?:C|CMP|CS|CVT|D|LNK|MSB|NU|RC|U)\d{4,5}"
_NAME_OF_A_FILE = re.compile(
    rf"\.(?:{ENDINGS_OF_PROGRAMS}|pyc?|so|bin|jsonl?|ya?ml|toml|txt|zip|gz|tar|7z|sh|np[yz]|csv|pkl|pickle|mp[34]"
    r"|png|jpe?g|webp|wav|log|ini|cfg|md|html|ipynb|lock)$",
    re.IGNORECASE,
)


def leave_out_odd_words(text: str) -> str:
    """Replace each word that is no plain word, number, version or name by three dots; of a path its part."""
    text = _ELEMENT.sub(LEFT_OUT, _SETTING.sub(_show_setting, leave_out_paths_of_addresses(text)))
    return _WORD.sub(lambda match: _show(match[0]), text)


def is_name_of_the_linker(word: str) -> bool:
    """Return whether a word is a name as Microsoft's compiler decorates it."""
    return _DECORATED.fullmatch(word) is not None


def is_file_name(word: str) -> bool:
    """Return whether a word ends as the name of a file does."""
    return _NAME_OF_A_FILE.search(word) is not None


def leave_out_file(name: str) -> str:
    """Return three dots for a name, with its ending if it is one of a file."""
    return f"{LEFT_OUT} .{name.rpartition('.')[2]}" if is_file_name(name) else LEFT_OUT


def is_temporary_name(word: str) -> bool:
    """Return whether a word is a name that programs give to temporary files."""
    return _TEMPORARY.fullmatch(word) is not None


def leave_out_values_of_paths(text: str) -> str:
    """Replace the values of a query, and the credentials of an address, by three dots, also in a path.

    Windows writes an address in the place of a path with its own separators: C:\\a\\https:\\bob:x@host.
    """
    return _CREDENTIALS.sub(rf"\g<1>{LEFT_OUT}@", _QUERY.sub(rf"\g<1>{LEFT_OUT}", text))


def leave_out_paths_of_addresses(text: str) -> str:
    """Replace the path of each address by three dots, except that of a public host or an index."""
    return _ADDRESS.sub(_show_address, text)


def _show_setting(match: re.Match[str]) -> str:
    is_shown = _is_known_label(match["label"]) or _is_known_value(match["value"])
    return match[0] if is_shown else f"{match['label']}{match['joint']}{LEFT_OUT}"


def _is_known_label(label: str) -> bool:
    """Return whether a name, or its last part, is a word that checks and entries write often."""
    folded = label.lower().strip("-_.")
    parts = (folded, folded.rpartition("_")[2], folded.rpartition(".")[2])
    known = read_own_words() | _LABELS
    return any(part in known for part in parts) or _KNOWN_NAME.fullmatch(label) is not None


def _is_known_value(value: str) -> bool:
    """Return whether a value is such a word, a number or several words; those are looked at one by one."""
    is_known = value.lower() in read_own_words() or _PIECE.fullmatch(value) is None
    return is_known or any(shape.fullmatch(value) for shape in (_NUMBER, _KNOWN_NAME))


def _show_address(match: re.Match[str]) -> str:
    if match["lone"]:
        return match[0] if _PATH_OF_AN_INDEX.fullmatch(match["lone"]) else f"/{LEFT_OUT}"
    return (
        match[0] if is_public_host(match["host"].partition(":")[0].lower()) else f"{match['host']}/{LEFT_OUT}"
    )


def _show(word: str) -> str:
    bare = word.strip(_AROUND)
    if not bare or any(shape.fullmatch(bare) for shape in (_NUMBER, _VERSION)) or _DECORATED.fullmatch(word):
        return word
    account = _ACCOUNT.fullmatch(bare)
    if account and not {account["domain"].lower(), account["name"]} & read_own_words():
        return LEFT_OUT
    if "\\" in word or word.startswith(("/", "~/", "./", "../")) or _NAME_OF_A_FILE.search(bare):
        return _SEGMENT.sub(lambda part: part[0] if _is_name_of_a_file(part[0]) else LEFT_OUT, word)
    return word if _is_plain(bare) else LEFT_OUT


def _is_name_of_a_file(name: str) -> bool:
    if _TEMPORARY.fullmatch(name):
        return True
    return not any(looks_generated(piece) or len(piece) > _LONGEST_PIECE for piece in _PIECE.findall(name))


def _is_plain(word: str) -> bool:
    if re.search(r"[^\w.+/@&%#~!?*\\$^-]", word) or re.search(r"[!$%&*^#@?](?=\w)", word):
        return False
    return all(_is_plain_piece(piece) for piece in _PIECE.findall(word))


def _is_plain_piece(piece: str) -> bool:
    if piece.isalpha():
        if piece.endswith(("Error", "Exception", "Warning")):
            return True
        if len(piece) <= _LONGEST_PREFIX or _WRITTEN.fullmatch(piece):
            return len(piece) <= _SHORT or count_changes(piece) < _MOST_CHANGES * (len(piece) - 1)
        return len(piece) <= _SHORT and 2 * count_changes(piece) < len(piece)
    if piece.isdecimal():
        return True
    named = _NAMED_NUMBER.fullmatch(piece)
    if named is None:
        return False
    name = named["name"]
    return (
        name is None
        or len(name) <= _LONGEST_PREFIX
        or _DIMENSIONS.fullmatch(piece) is not None
        or name.lower() in _NAMES
        or name.lower() in read_own_words()
    )
