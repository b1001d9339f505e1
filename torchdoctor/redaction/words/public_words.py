"""Separate the words of a value that anybody may see from those that can be a secret or a name.

A value is what was read from a text and is filled into a sentence. Nothing in its looks tells a password from
a name, so a word is public only if it is known: a name in the code of entries, of Python and of packages, a
number, a version, the name of a file or of a card, a name with a word for its kind (KowalskiDataset), or one
that the frames of the text define.
"""

import re
from urllib.parse import unquote

from torchdoctor.domain.masks import LEFT_OUT, MASKED, OF_PYTHON
from torchdoctor.redaction.people.hosts import read_own_words
from torchdoctor.redaction.people.private_hosts import is_known_host, leave_out_private_hosts
from torchdoctor.redaction.secrets.random_words import looks_generated
from torchdoctor.redaction.words.known_words import is_known, is_written_by_programs
from torchdoctor.redaction.words.odd_words import (
    is_file_name,
    is_name_of_the_linker,
    leave_out_paths_of_addresses,
)
from torchdoctor.redaction.words.release_words import VERSION, is_wheel, leave_out_of_wheel
from torchdoctor.redaction.words.vocabulary import (
    AROUND,
    is_known_mixture,
    is_known_name,
    is_written,
    read_known_names,
    read_known_packages,
    read_known_words,
)

Names = frozenset[str]
NO_NAMES: Names = frozenset()

# One path, which can have blanks; and how a path begins.
_START = r"[A-Za-z]:[\\/]|\\\\|~[\\/]|\.{1,3}[\\/]|/|<[a-z]+>[\\/]|%\w+%[\\/]"
_PATH = re.compile(rf"(?:{_START})(?:[^\r\n\"<>|*?]|<[a-z]+>)*")
_BEGINS_PATH = re.compile(_START)
_ADDRESS = re.compile(r"(?:\w{2,10}\+)?https?://(?P<host>[A-Za-z\d][\w.-]*)(?::\d{1,5})?(?:/[^\s\"'<>]*)?")
_PROJECT = re.compile(
    r"(?:\w{2,10}\+)?https?://(?:[\w-]{1,40}\.)*(?:github\.com|huggingface\.co|githubusercontent\.com)/"
)
# What was hidden already, and names that Python itself gives.
_GIVEN = rf"<(?:{MASKED}|{OF_PYTHON}|stringsource)>"
_SEPARATORS = r"\s\"'`“”‘’,;:=()\[\]{}<>|!，。；：、（）「」【】→"
_WORD = re.compile(rf"{_GIVEN}|{_ADDRESS.pattern}|[A-Za-z]:[\\/][^\s\"'<>|]*|[^{_SEPARATORS}]+")
_LEFT_OUT_ALL = re.compile(r"\.{3}(?:[\s\"'`,;:=|()\[\]{}]{1,4}\.{3}(?![\w.]))+")
_QUOTED = re.compile(r"(?<![^\W_])(?P<quote>[\"'`])(?P<value>[^\"'`\n]{1,400})(?P=quote)(?![^\W_])")
# Numbers, sizes, versions, dates, addresses in memory, and what pip and conda append to a version.
_NUMBER = re.compile(
    r"[+-]?\d[\d.,/*_x+%-]{0,20}(?:[KMGT]i?B|[A-Za-z]{1,3}|Super)?|\d(?:\.\d+)?e[+-]?\d{1,3}|0[xX][0-9a-fA-F]{1,16}"
    r"|0000[0-9A-F]{12}"
)
# The local part of a version, which each builder chooses.
_LOCAL = re.compile(r"\d[\w.]*\+[A-Za-z]")
# An architecture, the build of a package of conda, and what torch and PyInstaller number.
_BUILD = re.compile(
    r"(?:sm|compute)_\d{2,3}[a-z]?|(?:py\d{2,3})?h[0-9a-f]{7,8}_\d{1,5}|py\d\.\d{1,2}_[\w.]{1,40}|_?MEI\d{1,8}"
    r"|\\{1,2}(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U(?:[0-9a-fA-F]{8}|X{1,8}))"
    r"|torch_\d{1,10}(?:_\d{1,12}){1,2}(?:_event)?|[cC]\+\+\d{0,2}[a-z]?|e\.g|i\.e|\d{1,4}(?:st|nd|rd|th)"
)
# The hash of a commit, where the text says that it is one.
_HASH = re.compile(r"[0-9a-f]{7,40}")
_TOKEN = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_JOINTS = re.compile(r"[-_.+:]+")
# An account or a computer: initials and a number.
_NUMBERED = re.compile(r"[A-Za-z]{1,4}\d{2,}")
# Words for the kind of what somebody's own code names.
_KINDS = frozenset((
    "batch", "builder", "callback", "class", "classifier", "collate", "config", "conv", "cuda",
    "dataloader", "dataset", "decoder", "detector", "encoder", "env", "epoch", "extractor", "feats",
    "fn", "func", "function", "generator", "gpu", "handler", "helper", "image", "kernel", "layer",
    "lib", "loader", "loss", "main", "manager", "metric", "model", "models", "module", "net", "network",
    "node", "nodes", "optimizer", "parser", "pipeline", "plugin", "processor", "reader", "runner",
    "sampler", "scheduler", "script", "server", "task", "tasker", "tokenizer", "tools", "trainer",
    "training", "transform", "transforms", "ui", "unet", "util", "utils", "webui", "worker", "wrapper",
    "writer",
))  # fmt: skip
# What stands beside these in a value is a secret, whatever words it has.
_FOR_SECRETS = frozenset((
    "credentials", "kennwort", "login", "passcode", "passphrase", "passwd", "password", "passwort", "pin",
    "pwd", "secret", "token",
))  # fmt: skip
# The words behind them in a sentence, unless it says what is so of them.
_BEHIND_SECRET = re.compile(
    r"(?P<start>(?<![\w.-])(?:pass(?:word|wd|phrase|wort|code)|kennwort|pwd|secret|token)"
    r"[\"'`]{0,2}[ ]?[:=]?[ ])"
    r"(?!\.{3}|<secret>)(?!(?:is|are|was|were|has|have|had|cannot|can|may|must|should|does|did|do|to|in|of|for"
    r"|from|and|or|not|with|at|on|as|by|that|which|ids?|embeddings?|limit|count|length|list|types?|index|level"
    r"|authentication|required|file|expected|per|sampling|generation|prediction)\b)"
    r"[^\s\"'`,;:.()\[\]]+(?:[ ][a-z]+(?![\w.]))*",
    re.IGNORECASE,
)
# Words behind a hyphen for the kind of a command.
_KINDS_OF_COMMANDS = ("-api", "-cli", "-gui", "-server", "-tool", "-tools", "-train", "-webui")
# A piece of so few letters can stand beside one that is known: my_ds.
_SHORT, _FEW_DIGITS = 2, 2
# Of a few words, as of many passwords, each has to be a name; a longer phrase is a message.
_FEW_WORDS = 4
_LONGEST = 2000


def leave_out_private(value: str, own: Names = NO_NAMES) -> str:
    """Return a value in which three dots stand for each word that is not public.

    `own` are the names in small letters that the text defines.
    """
    if len(value) > _LONGEST:
        return LEFT_OUT
    if _PATH.fullmatch(value):
        return value
    shown = _leave_out(value, own)
    return shown if shown == value else _leave_out(_hide_places(value), own)


def is_public(value: str, own: Names = NO_NAMES) -> bool:
    """Return whether all words of a value are public."""
    return leave_out_private(value, own) == value


def _hide_places(text: str) -> str:
    """Hide what its own place gives away: a word that is left out can show that another is a name."""
    # Imported here: most texts have public words alone.
    from torchdoctor.redaction.redaction import Identity

    return Identity().redact_places(text)


def _leave_out(value: str, own: Names) -> str:
    if " " in value and not _FOR_SECRETS.isdisjoint(_TOKEN.findall(value.lower())):
        return LEFT_OUT
    plain_words = sum(1 for word in value.split() if word.strip(".,;:!?()").isalpha())
    is_phrase = plain_words > _FEW_WORDS

    def show(match: re.Match[str]) -> str:
        word = match[0]
        is_of_phrase = is_phrase and word.isalpha() and word.lower() in read_known_words()
        return word if is_of_phrase or _is_public_word(word, own) else _show_part_of(word, own)

    return _WORD.sub(show, value)


def _show_part_of(word: str, own: Names) -> str:
    """Return what is public of a version with a local part, and of the name of a wheel; else three dots."""
    if is_wheel(word) and "/" not in word and "\\" not in word:
        return leave_out_of_wheel(word, lambda project: _is_public_name(project, own))
    release, plus, _ = word.partition("+")
    return f"{release}+{LEFT_OUT}" if plus and VERSION.fullmatch(release) else LEFT_OUT


def leave_out_private_in_line(line: str, own: Names = NO_NAMES) -> str:
    """Return a line of a text in which three dots stand for each word that is not public.

    What stands in quotes is a value; outside of them, a word of any message is public.
    """
    shown = _leave_out_of_line(line, own)
    if shown != line:
        shown = _leave_out_of_line(_hide_places(line), own)
    return shown if shown == line else _LEFT_OUT_ALL.sub(LEFT_OUT, shown)


def _leave_out_of_line(line: str, own: Names) -> str:
    line = leave_out_private_hosts(line)
    line = _BEHIND_SECRET.sub(lambda match: f"{match['start']}{LEFT_OUT}", line)
    end, parts = 0, []
    for quoted in _QUOTED.finditer(line):
        parts += [_leave_out_of_sentence(line[end : quoted.start()], own), quoted["quote"]]
        parts += [leave_out_private(quoted["value"], own), quoted["quote"]]
        end = quoted.end()
    return "".join((*parts, _leave_out_of_sentence(line[end:], own)))


def _leave_out_of_sentence(text: str, own: Names) -> str:
    def show(match: re.Match[str]) -> str:
        word = match[0]
        can_be_any = _LOCAL.search(word) is None and not is_wheel(word)
        is_shown = _is_public_word(word, own) or (can_be_any and is_known(word))
        return word if is_shown else _show_part_of(word, own)

    return _WORD.sub(show, text)


def _is_public_word(word: str, own: Names) -> bool:
    bare = word.strip(AROUND)
    if len(bare) < 2 or LEFT_OUT in word or word.startswith("<"):
        return True
    if any(shape.fullmatch(each) for each in (word, bare) for shape in (_NUMBER, VERSION, _BUILD)):
        return True
    address = _ADDRESS.fullmatch(word)
    if address is not None:
        return is_known_host(address["host"].lower()) and _has_public_path(word, own)
    if "\\" in word or "/" in word:
        return _is_public_path(word, own)
    if not word.isascii():
        return word.lower() in own or is_written(word)
    if is_wheel(bare):
        return _show_part_of(bare, own) == bare
    return _is_of_a_program(word, bare) or _is_public_name(bare, own)


def _is_of_a_program(word: str, bare: str) -> bool:
    """Return whether a word is a name of a file, or one that a compiler or Python writes."""
    if is_name_of_the_linker(word):
        return True
    is_shaped = is_file_name(bare) or (is_written_by_programs(bare) and not _NUMBERED.fullmatch(bare))
    return is_shaped and not any(map(looks_generated, _TOKEN.findall(bare.rpartition(".")[0] or bare)))


def _has_public_path(address: str, own: Names) -> bool:
    """Return whether the path of an address is that of a project on a page for code, or has public names."""
    if _PROJECT.match(address) and leave_out_paths_of_addresses(address) == address:
        return True
    path = unquote(address.partition("://")[2].partition("/")[2])
    return all(not part or _is_public_word(part, own) for part in path.split("/"))


def _is_public_path(word: str, own: Names) -> bool:
    """Return whether a path may be shown: where it is shared, other rules leave out the names in it."""
    if _BEGINS_PATH.match(word):
        return True
    *folders, last = re.split(r"[\\/]+", word)
    if is_file_name(last) and not is_wheel(last):
        return not any(map(looks_generated, _TOKEN.findall(word)))
    return all(not part or _is_public_word(part, own) for part in (*folders, last))


def _is_public_name(name: str, own: Names) -> bool:
    """Return whether a name is that of a package or of a part of one, or has pieces that are known."""
    folded = name.lower()
    if folded in own:
        return _HASH.fullmatch(name) is not None or not _is_odd(name)
    if _JOINTS.sub("-", folded) in read_known_packages() or folded in read_known_names():
        return True
    tokens = _TOKEN.findall(name)
    if "".join(tokens) != _JOINTS.sub("", name):
        # Signs that no name has, as in a password.
        return False
    first, dot, _ = folded.partition(".")
    if dot and first in read_known_packages() and not any(map(looks_generated, tokens)):
        return True
    rated = [_rate(token, own, is_alone=len(tokens) == 1) for token in tokens]
    if None not in rated:
        return sum(each or 0 for each in rated) > 0
    if folded.count("-") == 1 and folded.endswith(_KINDS_OF_COMMANDS) and name.islower():
        return all(map(str.isalpha, tokens))
    return "-" not in name and all(_is_own_name(part, own) for part in name.split("."))


def _rate(token: str, own: Names, *, is_alone: bool) -> int | None:
    """Return 1 for a known piece of a name, 0 for one that says nothing, and None for an unknown one."""
    if _is_known_piece(token):
        return 1
    if token.lower() in own:
        return None if _is_odd(token) else 1
    if token.isdecimal():
        return 0 if len(token) <= _FEW_DIGITS else None
    if not token.isalpha() or looks_generated(token):
        return None
    if len(token) <= _SHORT and not is_alone:
        return 0
    humps = _HUMP.findall(token)
    is_compound = not is_alone or len(humps) > 1
    if is_compound and all(map(_is_known_hump, humps)):
        long = sum(1 for hump in humps if len(hump) > _SHORT)
        # A key in letters of both cases has many short pieces.
        return None if 2 * long < len(humps) - 1 else int(long > 0)
    return None


def _is_known_piece(token: str) -> bool:
    if is_known_name(token) or token.lower() in read_own_words():
        return True
    return not token.isalpha() and not token.isdecimal() and is_known_mixture(token)


def _is_known_hump(hump: str) -> bool:
    folded = hump.lower()
    return len(hump) <= _SHORT or folded in read_known_words() or folded in read_known_names()


def _is_own_name(part: str, own: Names) -> bool:
    """Return whether a name tells its kind, and is made of words: KowalskiDataset, build_node_feats."""
    tokens = _TOKEN.findall(part)
    humps = [hump.lower() for token in tokens for hump in _HUMP.findall(token)]
    if not all(token.isalpha() or _rate(token, own, is_alone=False) is not None for token in tokens):
        return False
    if all(_rate(token, own, is_alone=len(tokens) == 1) is not None for token in tokens):
        return True
    return (
        len(humps) > 1
        and not _KINDS.isdisjoint((humps[0], humps[-1]))
        and not any(map(looks_generated, tokens))
    )


def _is_odd(name: str) -> bool:
    """Return whether a name that the text defines looks like a key, or like an account."""
    return any(
        looks_generated(token) or (_NUMBERED.fullmatch(token) and not _is_known_piece(token))
        for token in _TOKEN.findall(name)
    )
