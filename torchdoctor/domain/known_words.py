"""Leave out, in a line that is shown, each word that nobody needs to know: names are no words of messages.

Which words are known was read from the entries and from samples of many errors (`.ci/known_words.py`).
"""

import re
from functools import cache

from torchdoctor.core.bundled import read_bundled
from torchdoctor.domain.hosts import read_own_words
from torchdoctor.domain.odd_words import LEFT_OUT, is_public_host
from torchdoctor.domain.random_words import looks_generated

_EAST_ASIAN = "\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af"
_LETTERS = re.compile(rf"[^\W\d_{_EAST_ASIAN}]{{2,400}}")
_EAST_ASIAN_RUN = re.compile(rf"[{_EAST_ASIAN}]{{1,400}}")
# What a message names in the words of a program: No module named 'x', has no attribute 'x'.
_NAMED = (
    r"(?:module(?: named)?|attribute|(?:cannot import|local variable|local) name|import(?:ing)?|name|object"
    r"|argument|symbol|key|operator|class|function|package|extension|method|type|requirement|library)"
    r" [\"'`](?:<[a-z]+ )?[\w.:<>@-]{1,120}[\"'`>]|(?:module named|importing) [\w.]{1,120}"
    r"|[A-Za-z][\w.-]{1,60}(?:==|>=|<=)(?=\d)"
)
# A name of a person in Chinese, Japanese or Korean has fewer.
_FEW_PAIRS = 4
# Files of programs, whose names say what failed, and what C++, CUDA and Python write in messages.
_OF_A_PROGRAM = re.compile(
    r"[\w.+-]{1,120}\.(?:dll|pyd|so(?:\.\d+)*|lib|obj|whl|cpp|cuh?|h|hpp|exe|bat|cmd|ps1|safetensors|ckpt|pth?|onnx|gguf)"
    r"|[\w.]*(?:Error|Exception|Warning)|[\w:<>]*::[\w:<>~]*|\?{0,2}[\w$]{1,200}(?:@[\w$]{0,200}){1,9}@@\S*|[A-Za-z]\d{1,4}[A-Za-z]{0,3}|(?:C|CMP|CS|CVT|D|LNK|MSB|NU|RC|U)\d{4,5}|\w+\.\w+\(\w*\)?"
    r"|__\w+__|(?:cublas|cudnn|cuda|cufft|cusolver|cusparse|cu|hip|nccl|nvml|nvrtc)[A-Z]\w*"
)
# The name of a computer or an account; those of cards and systems look alike.
_NUMBERED = re.compile(r"(?i)(?!(?:rtx|gtx|gt|rx|mx|hd|win|py|cp|cu|cuda|torch|hresult)\d)[a-z]{1,4}\d{4,9}")
_PATH = re.compile(r"[\\/]|^[A-Za-z]:$|^~")
# Where a machine of a network at home or in a company is.
_PRIVATE_ADDRESS = re.compile(
    r"(?<![\w.])(?<!cudart )(?<!ersion )(?<!ersion: )(?<!==)"
    r"(?:10\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|192\.168)"
    r"\.\d{1,3}\.\d{1,3}(?![\w.])|(?<![\w:])f[cd][0-9a-fA-F]{2}:[0-9a-fA-F:]{4,40}"
)
# A host with a domain, and an address with a port.
_TOP_LEVEL = (
    "ai|at|au|biz|ca|ch|cloud|cn|co|com|corp|cz|de|dev|dk|edu|es|eu|fi|fr|gov|home|hu|ie|in|info|int|intern"
    "|internal|intra|intranet|io|it|jp|kr|lan|local|localdomain|me|mil|net|nl|no|nz|org|pl|pt|ro|ru|se|sg|sk"
    "|tr|tv|tw|ua|uk|us|xyz"
)
_DOMAIN = re.compile(
    r"(?i)(?<![\w@./\\-])(?<!import )(?<!named ['\"])(?<!bute ['\"])(?:[a-z0-9_][\w-]{0,62}\.){1,6}"
    rf"(?:{_TOP_LEVEL})(?![\w-]|\.\w|\()"
)
# An address that is no version: quoted, behind a word for a host, or with a port.
_IPV4 = r"(?:\d{1,3}\.){3}\d{1,3}"
_HOST_BY_NUMBERS = re.compile(
    rf"(?<![\w.=]){_IPV4}(?=:\d{{2,5}}\b|[\"']?, (?:port=)?\d{{2,5}}\b)|(?<=[Hh]ost ){_IPV4}"
    rf"|(?<=host=['\"]){_IPV4}|(?<=for ['\"]){_IPV4}"
    rf"|(?<=located at ){_IPV4}|(?<=address for: ){_IPV4}|(?<=connect to ){_IPV4}"
    r"|(?<![\w.-])(?:ip|ec2)-\d{1,3}(?:-\d{1,3}){3}(?![\w-])"
)
_ADDRESS_OF_A_PAGE = re.compile(
    r"https?://(?P<host>[A-Za-z\d][\w.-]{0,100})(?![\w.-]|:[^\s/@]{1,200}@|@)[^\s\"'`<>)\]]*"
)
_OF_THIS_MACHINE = ("localhost", "127.0.0.1", "0.0.0.0")
_HOST_OF_AN_ADDRESS = re.compile(
    r"(?<=[A-Za-z\d]://)(?P<login>(?:<secret>|\.{3})@|)(?P<host>[A-Za-z\d][\w.-]{1,100})(?![\w.-]|:[^\s/@]{1,200}@|@)"
)
_WORD = re.compile(rf"{_NAMED}|[^\s\"'`“”‘’,;:=()\[\]{{}}<>|，。；：、（）「」【】]{{2,400}}")
# A folder, which can have blanks, and the last part of a path.
_FOLDER = re.compile(r"(?<=[\\/])(?![\s.])[^\\/:*?\"'`<>|\r\n]{1,64}(?=[\\/])")
# The first part of a relative path, and the owner of a repository or a model.
_FIRST = re.compile(r"(?<![\w./\\:@%<>~-])[A-Za-z][\w.-]{1,60}(?=[\\/]\w)")
_FILE = re.compile(r"(?<=[\\/])[^\s\\/:*?\"'`<>|()\[\],;=]{2,120}(?=[\s\"'`<>|()\[\],;:=]|$)")
# A longer one is none of a file. Behind it, the words and numbers in a name.
_LONGEST_PATH = 400
_PIECE = re.compile(r"[^\W_]{2,200}")
_ALPHANUMERIC = re.compile(r"[A-Za-z0-9]{2,200}")
# A table of nvidia-smi cuts off the start of a path.
_CUT_OFF = re.compile(r"(?<![\w.])\.{3}[\w-]{2,60}(?=\\)")
_SAME_PARTS = re.compile(r"(?P<separator>[\\/]{1,4})\.{3}(?:[\\/]{1,4}\.{3}(?=[\\/\s\"'`]|$))+")
_LEFT_OUT_ALL = re.compile(r"\.{3}(?:[\s\"'`,;:=|()\[\]{}]{1,4}\.{3}(?![\w.]))+")


def leave_out_unknown_words(text: str) -> str:
    """Replace each word that is no word of messages by three dots; paths stay, which other rules judge."""
    if not text.strip():
        return text
    shown = _WORD.sub(lambda match: _show(match[0]), leave_out_private_hosts(text))
    return text if shown == text else _LEFT_OUT_ALL.sub(LEFT_OUT, shown)


def leave_out_private_hosts(text: str) -> str:
    """Replace the hosts of addresses by three dots, except those that are public, and private addresses."""
    shown = _HOST_OF_AN_ADDRESS.sub(_show_host, _PRIVATE_ADDRESS.sub(LEFT_OUT, text))
    if "." not in shown and "-" not in shown:
        return shown
    return _HOST_BY_NUMBERS.sub(_show_address, _DOMAIN.sub(_show_domain, shown))


def _show_address(match: re.Match[str]) -> str:
    return match[0] if match[0] in _OF_THIS_MACHINE else LEFT_OUT


def _show_domain(match: re.Match[str]) -> str:
    return match[0] if _is_known_host(match[0].lower()) or _is_written(match[0]) else LEFT_OUT


def _is_known_host(host: str) -> bool:
    """Return whether a host is public, this machine, or named in an entry."""
    return is_public_host(host) or host in _OF_THIS_MACHINE or host in _read_known_words()


def _show_host(match: re.Match[str]) -> str:
    host = match["host"].lower()
    return match[0] if _is_known_host(host) else f"{match['login']}{LEFT_OUT}"


def hide_unknown_folders(text: str) -> str:
    """Replace each part of a path that is no word of messages, and hosts that are not public, by three dots.

    Many folders are named after people.
    """
    if "://" in text:
        end, parts = 0, []
        for address in _ADDRESS_OF_A_PAGE.finditer(text):
            if _is_known_host(address["host"].lower()):
                parts += [_hide_folders(text[end : address.start()]), address[0]]
                end = address.end()
        return "".join((*parts, _hide_folders(text[end:])))
    return _hide_folders(text)


def _hide_folders(text: str) -> str:
    text = leave_out_private_hosts(text)
    if "\\" not in text and "/" not in text:
        return text
    shown = _FOLDER.sub(_show_part, _FIRST.sub(_show_part, text))
    shown = _FILE.sub(_show_part, _CUT_OFF.sub(LEFT_OUT, shown))
    return text if shown == text else _SAME_PARTS.sub(rf"\g<separator>{LEFT_OUT}", shown)


def hide_unknown_parts(path: str) -> str:
    """Replace in the name of a file each part that is no word of messages by three dots."""
    start = max(path.rfind("/"), path.rfind("\\")) + 1
    if len(path) > _LONGEST_PATH or _OF_A_PROGRAM.fullmatch(path[start:]):
        return path if len(path) <= _LONGEST_PATH else LEFT_OUT
    return hide_unknown_folders(path[:start]) + _PIECE.sub(_show_piece, path[start:])


def _show_piece(match: re.Match[str]) -> str:
    return match[0] if has_known_words(match[0]) else LEFT_OUT


def _show_part(match: re.Match[str]) -> str:
    part = match[0]
    is_kept = part.startswith(("<", "...", "{", "%", "$")) or _is_known(part)
    return part if is_kept and not any(map(looks_generated, _ALPHANUMERIC.findall(part))) else LEFT_OUT


def _show(word: str) -> str:
    # What a message names has a blank, or the sign of a requirement; so has no other word.
    return word if " " in word or word.endswith("=") or _is_known(word) else LEFT_OUT


def has_known_words(text: str) -> bool:
    """Return whether a text has words of messages and numbers alone."""
    return not looks_generated(text) and _is_written(text)


def _is_known(word: str) -> bool:
    # What has separators before it alone is the name of a computer.
    is_path = _PATH.search(word.lstrip("\\/")) is not None
    return is_path or bool(_OF_A_PROGRAM.fullmatch(word.strip(".!?*-"))) or _is_written(word)


def _is_written(word: str) -> bool:
    if _NUMBERED.fullmatch(word):
        return False
    known = _read_known_words()
    own = read_own_words()
    if not all(part.casefold() in known or part.casefold() in own for part in _LETTERS.findall(word)):
        return False
    return all(_is_sentence(run, known) for run in _EAST_ASIAN_RUN.findall(word))


def _is_sentence(run: str, known: frozenset[str]) -> bool:
    """Return whether a run of East Asian letters has pairs of messages: all of a few, half of many."""
    pairs = [run[start : start + 2] in known for start in range(len(run) - 1)]
    return all(pairs) if len(pairs) < _FEW_PAIRS else 2 * sum(pairs) >= len(pairs)


@cache
def _read_known_words() -> frozenset[str]:
    return frozenset(read_bundled("torchdoctor.domain", "known_words.txt").decode("utf-8").split())
