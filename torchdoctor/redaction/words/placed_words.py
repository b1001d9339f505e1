"""Show of a line the words that stand where messages have them: a word is public by its place.

A password, a project or a person can be called like a word of any message. What messages say has neighbours:
a word is shown only if it is known behind the word before it and before the word behind it. Numbers, names
and paths are slots, which have neighbours as well; of names and paths, other rules tell which are shown.
"""

import builtins
import re
from collections.abc import Iterator, Sequence
from encodings.aliases import aliases
from itertools import pairwise

from torchdoctor.core.record import record
from torchdoctor.domain.masks import LEFT_OUT, MASKED, OF_PYTHON
from torchdoctor.redaction.paths.whole_paths import leave_out_odd_parts
from torchdoctor.redaction.people.digit_groups import leave_out_groups
from torchdoctor.redaction.words.joined_masks import leave_out_joined
from torchdoctor.redaction.words.known_places import FOLLOWS, MEMBER, is_known_place
from torchdoctor.redaction.words.odd_words import (
    ERROR_OF_A_COMPILER,
    is_file_name,
    is_name_of_the_linker,
    leave_out_file,
)
from torchdoctor.redaction.words.release_words import leave_out_local_part
from torchdoctor.redaction.words.shared_names import (
    is_address_of_a_machine,
    is_address_of_all,
    is_code_of_a_person,
    is_file_of_programs,
    is_left_out_in_part,
    is_name_of_code,
    is_number,
    is_year,
    show_beside_dots,
    show_dotted_parts,
)
from torchdoctor.redaction.words.shared_values import show_value
from torchdoctor.redaction.words.vocabulary import AROUND, EAST_ASIAN

START, END = "<start>", "<end>"
QUOTED, ADDRESS, PATH, FILE, NAME, ERROR, VERSION, RELEASE, HEX, YEAR, SHORT, LONG = (
    "<quoted>", "<address>", "<path>", "<file>", "<name>", "<error>", "<version>", "<release>", "<hex>",
    "<year>", "<short>", "<long",
)  # fmt: skip
_SEPARATORS = r"\s\"'`“”‘’«»,;:=()\[\]{}<>|!?，。；：、（）「」【】→"
_GIVEN = rf"<(?:{MASKED}|{OF_PYTHON})>"
_TOKEN = re.compile(
    rf"(?P<given>{_GIVEN})"
    r"|(?<![^\W_])(?P<sign>[\"'`])(?P<quoted>[^\"'`\n]{1,400})(?P=sign)(?![^\W_])"
    r"|(?P<address>(?:\w{2,10}\+)?[a-z]{3,6}://[^\s\"'<>]+)"
    rf"|(?P<path>(?:[A-Za-z]:[\\/]|\\\\|~[\\/]|(?<![\w.])\.{{1,2}}[\\/]|(?<![\w.])/)(?:{_GIVEN}|[^\s\"'<>|*?:])+)"
    rf"|(?P<word>[{EAST_ASIAN}]+|[A-Za-z]{{2,12}}\(s\)|[^{_SEPARATORS}{EAST_ASIAN}]+)"
)
_HARD = re.compile(r"[:;=|!?。；：！？→]|[.](?=\s|$)")
_RELEASE = re.compile(r"v?\d+\.\d+\.\d")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
# The number of an error of a compiler, where it says so.
_NUMBER_OF_AN_ERROR = re.compile(ERROR_OF_A_COMPILER)
_SAYS_ERROR = re.compile(r"(?i)\b(?:error|warning)[ ]:?[ ]?$")
# Codes of COM, of Direct3D and of the kernel: winerror.h and ntstatus.h of the Windows SDK (E_*, HRESULTs of
# Win32, DXGI_ERROR_*, STATUS_*). Errors of sockets: WSABASEERR, 10000, and what follows in winerror.h.
_CODE_OF_WINDOWS = re.compile(r"0[xX](?:8000[04]|80070|887[a6A]0|[cC]0000)[\da-fA-F]{3,4}")
_SAYS_CODE = re.compile(r"(?i)(?:\berr(?:or|no)|\bwinerror|\bhr|\bhresult|\bcode)[ ]?[:=]?[ ]?\(?$")
_CODE_OF_A_SOCKET = re.compile(r"10(?:0\d\d|10\d|11[0-2])|1100[1-4]")
_SAYS_SOCKET = re.compile(
    r"(?i)(?:\b(?:errno|winerror|system error|wsa(?:getlasterror)?)|(?-i:\bWSA[A-Z_]{3,30}))"
    r"(?:\(\))?[ ]?[:=]?[ ]?\(?$"
)
# The numbers of errors, and what announces each kind.
_NUMBERS = (
    (_NUMBER_OF_AN_ERROR, _SAYS_ERROR),
    (_CODE_OF_WINDOWS, _SAYS_CODE),
    (_CODE_OF_A_SOCKET, _SAYS_SOCKET),
)
_EAST_ASIAN = re.compile(rf"[{EAST_ASIAN}]+")
_RAISED = ("Error", "Exception", "Warning")
_NO_RAISED = frozenset((*_RAISED, "WinError"))
# Those of Python that are called otherwise, such as SystemExit.
_OTHERS_RAISED = frozenset((
    "GeneratorExit", "KeyboardInterrupt", "StopAsyncIteration", "StopIteration", "SystemExit",
))  # fmt: skip
_NAME = re.compile(r"[A-Za-z_]\w{1,60}")
_LAST_WORD = re.compile(r"([^\W\d_]+)\W{0,3}$")
_CODECS = frozenset((*aliases, *aliases.values(), "charmap"))
# Not the code of a letter: \u2588.
_QUOTED_WORD = re.compile(r"(?<![\\\w])[^\W_]+")
_QUOTED_BEFORE = re.compile(r"['\"]([\w.]{1,80})['\"]")
_FEW_DIGITS = 3
# A number of many digits is known behind a word, and behind these as the number of a line.
_NUMBERED = (PATH, FILE)
_COUNTING = frozenset((
    "allocate", "allocated", "build", "byte", "bytes", "code", "dimension", "errno", "event", "exception",
    "exit", "expected", "geforce", "got", "gt", "gtx", "index", "length", "line", "lines", "mx", "offset",
    "pid", "pid(s)", "position", "process", "quadro", "radeon", "rank", "reserve", "rtx", "rx", "size",
    "sizes", "status", "version", "winerror",
))  # fmt: skip
# So many words or letters between others that are left out are part of a message.
_FEW_WORDS, _FEW_LETTERS = 2, 5
# Of a sentence of a person, so little is known; then its parts say less than the proof in it.
_LEAST_SHARE = 0.6
_LONGEST_BETWEEN = 4


@record
class Token:
    """A part of a line: where it stands, what it is as a neighbour, and how it is shown.

    `slot` is the word in small letters, or what kind of a slot it is. `shown` is None for what its neighbours
    decide.
    """

    start: int
    end: int
    slot: str
    shown: str | None
    is_hard: bool


def read_tokens(line: str) -> Iterator[Token]:
    """Yield the tokens of a line; `is_hard` is whether a sign of a sentence stands before one."""
    end = 0
    for match in _TOKEN.finditer(line):
        word = match[0]
        between = line[end : match.start()]
        is_hard = _HARD.search(between) is not None or (end > 0 and line[end - 1] in ".!?" and " " in between)
        for start, stop, slot, shown in _classify(match):
            yield Token(match.start() + start, match.start() + stop, slot, shown, is_hard)
            is_hard = False
        end = match.start() + len(word)


def _classify(match: re.Match[str]) -> Iterator[tuple[int, int, str, str | None]]:
    word = match[0]
    kind = match.lastgroup
    if kind == "given":
        yield 0, len(word), NAME, word
    elif match["quoted"] is not None:
        yield 0, len(word), QUOTED, f"{match['sign']}{_show_quoted(match)}{match['sign']}"
    elif match["address"]:
        yield 0, len(word), ADDRESS, word if is_address_of_all(word) else LEFT_OUT
    elif match["path"]:
        yield 0, len(word), PATH, show_dotted_parts(word)
    elif _EAST_ASIAN.match(word):
        for index, letter in enumerate(word):
            yield index, index + 1, letter, None
    else:
        slot, shown = _classify_word(word)
        yield 0, len(word), slot, word if _is_announced(match) else shown


def _is_announced(match: re.Match[str]) -> bool:
    """Return whether a word is the number of an error, and what stands before it says so."""
    return any(
        number.fullmatch(match[0]) and says.search(match.string, 0, match.start())
        for number, says in _NUMBERS
    )


def _show_quoted(match: re.Match[str]) -> str:
    """Show what a line quotes; a name alone is known behind a word, or in what was quoted before."""
    quoted = match["quoted"]
    folded = quoted.lower()
    if re.fullmatch(_GIVEN, quoted):
        return quoted
    if _NAME.fullmatch(quoted):
        before = match.string[: match.start()]
        word = _LAST_WORD.search(before)
        owners = _QUOTED_BEFORE.findall(before)
        if word is not None and is_known_place(FOLLOWS, word[1].lower(), f"'{folded}'"):
            return quoted
        if owners and _is_type_of_python(folded):
            return quoted
        if any(is_known_place(MEMBER, owner.rpartition(".")[2].lower(), folded) for owner in owners):
            return quoted
    if match.string.startswith(" codec", match.end()) and folded.replace("-", "_") in _CODECS:
        return quoted
    is_account = any(map(is_code_of_a_person, _QUOTED_WORD.findall(quoted)))
    return LEFT_OUT if is_account else show_value(quoted)


def _is_type_of_python(name: str) -> bool:
    """Return whether a name is that of a type that Python has without an import: old NumPys had them too."""
    return isinstance(getattr(builtins, name, None), type)


def list_quoted(line: str) -> Iterator[tuple[str, str]]:
    """Yield the names alone that a line quotes, each behind the word in front of it."""
    for match in _TOKEN.finditer(line):
        quoted = match["quoted"]
        word = _LAST_WORD.search(line[: match.start()]) if quoted and _NAME.fullmatch(quoted) else None
        if word is not None:
            yield word[1].lower(), f"'{quoted.lower()}'"


def _classify_word(word: str) -> tuple[str, str | None]:
    bare = word.strip(AROUND)
    if word.endswith(LEFT_OUT) and LEFT_OUT not in (plain := word.rstrip(".")) and plain:
        # A message can end with three dots.
        slot, shown = _classify_word(plain)
        return slot, shown if shown in (None, LEFT_OUT) else f"{shown}{LEFT_OUT}"
    if LEFT_OUT in word:
        return NAME, LEFT_OUT if is_left_out_in_part(word) else show_beside_dots(word)
    if len(bare) < 2 and not bare.isdecimal():
        return bare.lower() or word, word
    if (bare.endswith(_RAISED) and bare not in _NO_RAISED) or bare in _OTHERS_RAISED:
        return ERROR, word if is_name_of_code(bare) else LEFT_OUT
    if bare.isalpha():
        return bare.lower(), None
    if is_address_of_a_machine(bare):
        return ADDRESS, LEFT_OUT
    if is_number(bare):
        if bare[:2] in ("0x", "0X"):
            return HEX, None
        digits = len(_DIGIT.findall(bare))
        if is_year(bare):
            return YEAR, None
        if "." in bare.strip("."):
            # A size or a duration has two numbers, and stands where no release does.
            return RELEASE if _RELEASE.match(bare) else VERSION, None
        return SHORT if digits <= _FEW_DIGITS else f"{LONG}{digits}", None
    if bare.endswith("(s)"):
        return bare.lower(), None
    if (release := leave_out_local_part(bare)) is not None:
        return RELEASE, release
    if "\\" in bare or "/" in bare:
        return PATH, word if _LETTER.search(bare) else LEFT_OUT
    if is_name_of_the_linker(word):
        return NAME, word
    if is_file_name(bare):
        return FILE, word if is_file_of_programs(bare) else leave_out_file(bare)
    return NAME, word if is_name_of_code(word) or is_name_of_code(bare) else LEFT_OUT


def list_places(tokens: Sequence[Token]) -> list[tuple[str, str]]:
    """Return what stands beside what in a line: each pair of neighbours, with its sign of a sentence."""
    slots = [START, *(f"{':' * token.is_hard}{token.slot}" for token in tokens), END]
    return [(before.lstrip(":") or ":", word) for before, word in pairwise(slots)]


def leave_out_by_place(line: str, of_proof: frozenset[str] = frozenset()) -> str:
    """Return a line in which three dots stand for each word that messages have in no such place.

    `of_proof` are words in small letters that stay: those that an entry looks for, and has found.
    """
    line = leave_out_joined(leave_out_groups(leave_out_odd_parts(line)))
    tokens = list(read_tokens(line))
    if not tokens:
        return line
    is_proof = _find_proof(line, tokens, of_proof)
    shown = [
        line[token.start : token.end] if proves and token.shown is None else token.shown
        for token, proves in zip(tokens, is_proof, strict=True)
    ]
    slots = [token.slot for token in tokens]
    known = _list_known(tokens, slots)
    # A word that is known on neither side is none of a message; for what stands beside it, it is a name.
    for index, text in enumerate(shown):
        if text is None and not known[index] and not known[index + 1]:
            shown[index], slots[index] = LEFT_OUT, NAME
    known = _list_known(tokens, slots)
    for index, token in enumerate(tokens):
        if shown[index] is None:
            is_known = known[index] and known[index + 1]
            shown[index] = line[token.start : token.end] if is_known else LEFT_OUT
    _leave_out_lone(tokens, shown, is_proof)
    _leave_out_around(shown, is_proof)
    return _write(line, tokens, shown)


def _write(line: str, tokens: Sequence[Token], shown: Sequence[str | None]) -> str:
    """Write a line with its tokens as they are shown: for several that are left out, three dots once."""
    parts, end = [], 0
    is_left_out = False
    for token, text in zip(tokens, shown, strict=True):
        between = line[end : token.start]
        is_again = is_left_out and text == LEFT_OUT and len(between) <= _LONGEST_BETWEEN
        parts += [] if is_again else [between, text or ""]
        is_left_out, end = text == LEFT_OUT, token.end
    return "".join((*parts, line[end:]))


def _find_proof(line: str, tokens: Sequence[Token], of_proof: frozenset[str]) -> list[bool]:
    """Return which tokens are words of the proof; those of East Asian writings are letters of it."""
    folded = line.lower()
    spans = [
        (found.start(), found.end())
        for run in of_proof
        if _EAST_ASIAN.match(run)
        for found in re.finditer(re.escape(run), folded)
    ]
    return [
        line[token.start : token.end].strip(AROUND).lower() in of_proof
        or any(start <= token.start and token.end <= end for start, end in spans)
        for token in tokens
    ]


def _leave_out_lone(tokens: Sequence[Token], shown: list[str | None], is_proof: Sequence[bool]) -> None:
    """Leave out what stands alone between words that are left out: it says nothing, and may be a name."""
    start = 0
    while start < len(tokens):
        end = start
        while end < len(tokens) and shown[end] != LEFT_OUT:
            end += 1
        run = range(start, end)
        letters = sum(1 for index in run if _EAST_ASIAN.match(tokens[index].slot))
        words = [index for index in run if tokens[index].shown is None]
        least = _FEW_LETTERS if letters == len(words) else _FEW_WORDS
        if len(words) < least and len(words) < len(tokens) and not any(is_proof[index] for index in run):
            for index in words:
                shown[index] = LEFT_OUT
        start = max(end, start + 1)


def _list_known(tokens: Sequence[Token], slots: Sequence[str]) -> list[bool]:
    neighbours = [START, *slots, END]
    hard = [*(token.is_hard for token in tokens), False]
    given = [False, *(token.shown is not None for token in tokens), False]
    return [
        (is_given or _can_follow(before, word, is_hard))
        and is_known_place(FOLLOWS, before, f"{':' * is_hard}{word}")
        for before, word, is_hard, is_given in zip(neighbours, neighbours[1:], hard, given[1:], strict=False)
    ]


def _can_follow(before: str, word: str, is_hard: bool) -> bool:
    """Return whether a word is none of many digits, or stands where messages count: a PIN is no line."""
    return not word.startswith(LONG) or before in _COUNTING or (is_hard and before in _NUMBERED)


def _leave_out_around(shown: list[str | None], is_proof: Sequence[bool]) -> None:
    """Leave out what stands around the proof in a line that has few known words beside it."""
    proof = [index for index, proves in enumerate(is_proof) if proves]
    kept = sum(1 for text in shown if text != LEFT_OUT)
    if not proof or kept >= _LEAST_SHARE * len(shown):
        return
    for index in (*range(proof[0]), *range(proof[-1] + 1, len(shown))):
        shown[index] = LEFT_OUT
