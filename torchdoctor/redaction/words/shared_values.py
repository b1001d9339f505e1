"""Show of a value the words that are names of many, or that the doctor has for a value of that name."""

import re
from itertools import pairwise

from torchdoctor.domain.gpu_names import find_capability, show_card
from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.redaction.paths.whole_paths import leave_out_odd_parts
from torchdoctor.redaction.people.digit_groups import leave_out_groups
from torchdoctor.redaction.words.known_places import FOLLOWS, VALUE, is_known_place
from torchdoctor.redaction.words.numbered_names import is_numbered_by_programs
from torchdoctor.redaction.words.odd_words import is_file_name
from torchdoctor.redaction.words.release_words import is_wheel, leave_out_local_part, leave_out_of_wheel
from torchdoctor.redaction.words.shared_names import (
    is_address_of_a_machine,
    is_code_of_a_person,
    is_left_out_in_part,
    is_long_number,
    is_name_of_code,
    is_number,
    is_package,
    is_public_word,
    is_version,
    show_beside_dots,
    show_dotted_parts,
)
from torchdoctor.redaction.words.vocabulary import AROUND
from torchdoctor.redaction.words.word_starts import list_starts

_PATH = re.compile(
    r"(?:[A-Za-z]:[\\/]|\\\\|~[\\/]|\.{1,3}[\\/]|/|<[a-z]+>[\\/]|%\w+%[\\/])(?:[^\r\n\"<>|*?]|<[a-z]+>)*"
)
# Where a path ends that other words follow: behind a file, or before another root.
_BEHIND_FILE = re.compile(
    r"(?<=[\\/])(?P<file>[^\\/\s&<]{0,100}\.[A-Za-z][A-Za-z0-9]{0,10})(?:[)\]\"'`,;:!.]|&#?\w{1,8};|<br>){0,6}(?=\s)"
)
_BLANK = re.compile(r"\s")
_NEXT_ROOT = re.compile(r"\s[\"'`(\[<]{0,3}(?:[A-Za-z]:[\\/]|\\\\|/(?=\w)|~[\\/])")
_WORD = re.compile(
    r"<(?:module|locals|lambda|listcomp|dictcomp|setcomp|genexpr|string|stdin)>"
    r"|(?:\w{2,10}\+)?https?://[^\s\"'<>]+|[^\s\"'`,;:=()\[\]{}<>|]+"
)
_OWN_WORD = re.compile(r"[^\n]{1,80}")
# What the table of places has of a value: that it is a number, is the doctor's own, or is read by a pattern.
NUMBER, OWN, READ = "<number>", "<own>", "<read>"
# Values that are numbers of lines, of processes, of errors and the like.
_OF_NUMBERS = re.compile(
    r"(?:^|_)(?:line|lines|count|code|size|port|year|pid|winerror|errno|number|release|build|position|bytes?|index|memory|[gmk]b)$"
)
# Of these, none has so many digits.
_OF_SMALL_NUMBERS = re.compile(r"(?:^|_)(?:line|lines|pid|port|year|release|build|index|version)$")
_DIGITS_OF_A_COUNT = 6
# Values that a person or a program has named.
_OF_NAMES = re.compile(
    r"(?:^|_)(?:environment|conda|name|function|module|attribute|package|class|global|folder)(?:$|_)"
)
# Of a few words, as of many passwords, each has to be a name; those of a longer phrase have places.
_FEW_WORDS = 3
_LONGEST = 2000


def show_value(value: str, name: str = "") -> str:
    """Return a value in which three dots stand for each word that is no name of many, and in no message.

    `name` is that of the value: a number, or a word alone, is public where the doctor knows it for that one.
    """
    if len(value) > _LONGEST:
        return LEFT_OUT
    value = leave_out_groups(leave_out_odd_parts(value))
    if _PATH.fullmatch(value):
        value = show_dotted_parts(value)
        end = _find_end_of_path(value)
        return value if end == len(value) else f"{value[:end]}{_show_behind_path(value[end:], name)}"
    if find_capability(value) is not None:
        return show_card(value)
    if is_known_place(VALUE, OWN, name) or (_OWN_WORD.fullmatch(value) and is_own_value(name, value)):
        return value
    plain = [match for match in _WORD.finditer(value) if match[0].strip(AROUND).isalpha()]
    placed = _find_placed(value) if len(plain) >= _FEW_WORDS else frozenset()
    counted = _find_counted(value, name)

    def show(match: re.Match[str]) -> str:
        word = match[0]
        bare = word.strip(AROUND)
        if is_left_out_in_part(word):
            return LEFT_OUT
        if LEFT_OUT in word.rstrip("."):
            return show_beside_dots(word)
        if len(bare) < 2 or word.startswith("<") or match.start() in placed:
            return word
        if bare.isalpha() and "_" not in word:
            return word if is_public_word(bare) or is_own_word(name, bare) else LEFT_OUT
        if is_address_of_a_machine(bare) and "version" not in name and "driver" not in name:
            return LEFT_OUT
        if is_long_number(bare):
            return word if match.start() == counted else LEFT_OUT
        if _OF_NAMES.search(name) and (is_code_of_a_person(bare) or bare == value.strip(AROUND)):
            return word if _is_name(word) or _is_name(bare) else LEFT_OUT
        if is_number(word) or is_public_word(word) or is_public_word(bare):
            return word
        if is_wheel(bare):
            return leave_out_of_wheel(bare, is_package)
        return leave_out_local_part(word) or LEFT_OUT

    return _WORD.sub(show, value)


def _find_counted(value: str, name: str) -> int | None:
    """Return where the first long number of a value stands, if it is one that a pattern counts.

    In a line as well, the first one alone stands behind the word that counts.
    """
    first = next((match for match in _WORD.finditer(value) if is_long_number(match[0].strip(AROUND))), None)
    is_counted = _OF_NUMBERS.search(name) is not None or is_known_place(VALUE, name, NUMBER)
    if first is None or not is_counted:
        return None
    is_too_long = len(first[0].strip(AROUND)) > _DIGITS_OF_A_COUNT and _OF_SMALL_NUMBERS.search(name)
    return None if is_too_long else first.start()


def _is_name(word: str) -> bool:
    """Return whether a word is a name that programs give: of its numbers, those that there are."""
    if is_name_of_code(word) or is_numbered_by_programs(word):
        return True
    return is_public_word(word) and (not is_number(word) or is_version(word))


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
    return is_own_value(name, word) or any(
        is_known_place(VALUE, name, start.lower()) for start in list_starts(word)
    )


def _find_placed(value: str) -> frozenset[int]:
    """Return where the words stand in a phrase that messages have between their neighbours."""
    found = list(_WORD.finditer(value))
    words = [match[0].strip(AROUND).lower() for match in found]
    known = [True, *(is_known_place(FOLLOWS, *pair) for pair in pairwise(words)), True]
    return frozenset(match.start() for index, match in enumerate(found) if known[index] and known[index + 1])
