"""Leave out, in what stands beside an error, each word that has the shape of no message, path or version."""

import re

from torchdoctor.domain.hosts import read_own_words
from torchdoctor.domain.random_words import count_changes, looks_generated

_LEFT_OUT = "..."
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
# What stands before a number in names of packages, models and systems.
_NAMES = frozenset({"deepvoice", "detectron", "hunyuan", "manylinux", "resnet", "trellis", "yolov"})
_DIMENSIONS = re.compile(r"[A-Za-z]{2,20}[234][dD]")
# Folders and files that programs name at random.
_TEMPORARY = re.compile(
    r"tmp\w{8}(?:\.\w{1,4})?|tmpxft\w{4,60}(?:\.\w{1,6}){0,2}|pip-[a-z-]{2,40}-\w{8}|_MEI\d{2,8}"
    r"|PythonSoftwareFoundation\.[\w.]{4,60}_qbz5n2kfra8p0"
)
_NAME_OF_A_FILE = re.compile(
    r"\.(?:dll|pyd|pyc?|exe|so|lib|obj|pth?|bin|safetensors|ckpt|onnx|gguf|whl|jsonl?|ya?ml|toml|txt|cpp|cuh?|h|hpp|"
    r"zip|gz|tar|7z|bat|cmd|ps1|sh|np[yz]|csv|pkl|pickle|mp[34]|png|jpe?g|webp|wav|log|ini|cfg|md|html|ipynb|lock)$",
    re.IGNORECASE,
)


def leave_out_odd_words(text: str) -> str:
    """Replace each word that is no plain word, number, version or name by three dots; of a path its part."""
    return _WORD.sub(lambda match: _show(match[0]), text)


def _show(word: str) -> str:
    bare = word.strip(_AROUND)
    if not bare or any(shape.fullmatch(bare) for shape in (_NUMBER, _VERSION)) or _DECORATED.fullmatch(word):
        return word
    if "\\" in word or word.startswith(("/", "~/", "./", "../")) or _NAME_OF_A_FILE.search(bare):
        return _SEGMENT.sub(lambda part: part[0] if _is_name_of_a_file(part[0]) else _LEFT_OUT, word)
    return word if _is_plain(bare) else _LEFT_OUT


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
