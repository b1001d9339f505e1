"""Leave out, of a command that a line of evidence shows, each word that can be a secret."""

import re

from torchdoctor.core.prompts import PROMPT
from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.redaction.arguments import HIDDEN, is_public_argument
from torchdoctor.redaction.people.hosts import read_own_words
from torchdoctor.redaction.secrets.random_words import looks_generated
from torchdoctor.redaction.words.odd_words import leave_out_paths_of_addresses

_PROGRAMS = (
    r"(?:[\w.~:\\/-]{0,200}[\\/])?(?:python[\w.]{0,6}|pyw?|pip[\d.]{0,4}|conda|mamba|uvx?|pipx|poetry|torchrun"
    r"|accelerate|deepspeed|mpiexec|mpirun|git|yolo|start|cmd|call|powershell)(?:\.exe)?"
)
# Commands as Python quotes them in an error, also where a console has cut off the first half; as they are
# typed behind a prompt; and those of known programs that have an option or name a script.
_QUOTED = re.compile(
    r"\bCommand (?P<quote>[\"'])(?!\[)(?P<words>.+?)"
    r"(?=(?P=quote)[ ](?:returned|died|timed out|failed|has failed)\b|(?P=quote)?$)"
)
_SECOND_HALF = re.compile(
    r"^(?!.*\bCommand [\"'])(?P<words>[^\n]+?)"
    r"(?=[\"']\]?[\"']?[ ](?:returned non-zero|died with|timed out after)\b)"
)
# Signs of other shells also begin a quotation or a comment; behind those stands no name of a program.
_SIGN = r"^\s*(?:\([\w.-]{1,40}\) ?)?(?:[\w.@:~/-]{0,60}(?:[$#]|(?<!\d)%)|>|In \[\d+\]:|!)(?=[ ]?[a-z.~/&])"
_TYPED = re.compile(rf"(?:(?:^|(?<=\s)){PROMPT}|{_SIGN}) ?(?P<words>\S[^\n]*)")
_STARTED = re.compile(
    rf"^\s*(?P<words>(?:{_PROGRAMS} (?=[^\n]*(?:[ ]--?[A-Za-z]|\.py\b))"
    r"|(?:set|setx|export) (?=[^\n]*=))[^\n]*)$"
)
_COMMANDS = (_QUOTED, _SECOND_HALF, _TYPED, _STARTED)
# A word of a shell, with the quoted parts in it; the last may have lost its second quotation mark.
_WORD = re.compile(r"(?:[^\s\"']|\"[^\"]*(?:\"|$)|'[^']*(?:'|$))+")
_MODULE = re.compile(r"[A-Za-z_]\w{0,30}(?:\.[A-Za-z_]\w{0,30}){0,5}")
_INSTALLERS = frozenset({"pip", "pip3", "conda", "mamba", "uv", "pipx"})
# What pip, conda and uv are given: a name, perhaps with extras and a release.
_PACKAGE = re.compile(
    r"[A-Za-z][\w.-]{0,40}(?:\[[\w,-]{1,60}\])?(?:(?:[=<>~!]=?|===)\d[\w.*+]{0,24}(?:,[<>=!~]{1,2}[\w.*]{1,12})*)?"
)
_NAME = re.compile(r"[^\w-]")
_INDEXES = frozenset({"--index-url", "--extra-index-url", "-i", "-f", "--find-links"})
_ADDRESS = re.compile(r"https?://[\w.-]+/[\w./+-]*")
# Options of these that a name can follow which is no value of theirs.
_FLAGS = frozenset((
    "-U", "-q", "-y", "-v", "-n", "-r", "-c", "-e", "--upgrade", "--pre", "--yes", "--user", "--quiet",
    "--no-deps", "--verbose", "--force-reinstall", "--no-cache-dir", "--ignore-installed", "--editable",
    "--no-build-isolation", "--system", "--channel",
))  # fmt: skip
# Stands behind three dots, so that places in a line stay what they are.
FILLER = "\x00"
# A text of code in one line, of four or more characters.
_TEXT_OF_CODE = re.compile(r"(?<=[(\[{,=:+<>!*.% rbufRBF])([\"'])([^\"'\n]{4,200})\1")
_BEGIN_OF_A_PATH = re.compile(r"[A-Za-z]:[\\/]|\.{0,2}[\\/]|~[\\/]|\\\\")
_CODE_WORD = re.compile(r"[^\W\d_]{2,}")
_CODE = frozenset((
    "import", "print", "from", "as", "torch", "cuda", "is_available", "available", "version", "numpy", "np",
    "is",
))  # fmt: skip


def leave_out_private_words(line: str) -> str:
    """Replace the words of a command that are no option, number, public name or path by three dots.

    The line keeps its length: FILLER stands behind the dots.
    """
    for form in _COMMANDS:
        match = form.search(line)
        if match is not None:
            start, end = match.span("words")
            shown = _show_command(match["words"], has_program=form is not _SECOND_HALF)
            return f"{line[:start]}{shown}{line[end:]}"
    return line


def _show_command(command: str, *, has_program: bool) -> str:
    words = _WORD.findall(command)
    installs = any(word in ("install", "add", "uninstall") for word in words) and any(
        re.split(r"[\\/]", word.strip("\"'"))[-1].removesuffix(".exe") in _INSTALLERS for word in words
    )
    before = ""
    is_first = has_program

    def show(match: re.Match[str]) -> str:
        nonlocal before, is_first
        word, bare = match[0], match[0].strip("\"'")
        is_text = before in ("echo", "printf") or (is_first and word != bare and _is_piped(match))
        is_shown = (
            not is_text
            and (
                (is_first and _is_public_program(bare))
                or HIDDEN.fullmatch(bare) is not None
                or (before == "-m" and _MODULE.fullmatch(bare) is not None and not looks_generated(bare))
                or (before == "-c" and _is_public_code(bare))
                or (installs and _is_package(bare, before))
                or _is_public(bare, before)
            )
        ) or bare.lower() in read_own_words()
        is_first = bare in ("&", "&&", "|", ";") or (is_first and bare in ("call", "start"))
        before = bare
        if is_shown or len(word) <= len(LEFT_OUT):
            return word
        option, joint, _ = word.partition("=")
        is_option = joint and re.fullmatch(r"--?[A-Za-z][\w-]{0,60}", option) is not None
        return (f"{option}={LEFT_OUT}" if is_option else LEFT_OUT).ljust(len(word), FILLER)

    return _WORD.sub(show, command)


def _is_piped(match: re.Match[str]) -> bool:
    """Return whether a quoted word is a text that is given to the next command: "x" | python a.py"""
    return match.string[match.end() :].lstrip().startswith("|")


def leave_out_private_texts(code: str) -> str:
    """Replace the texts of a line of code that are no public argument, such as a password, by three dots."""
    return _TEXT_OF_CODE.sub(
        lambda match: match[0] if _is_public_text(match[2]) else f"{match[1]}{LEFT_OUT}{match[1]}", code
    )


def _is_public_text(text: str) -> bool:
    # Of a path, the parts are looked at where names and places are hidden.
    return _is_public(text, "") or _BEGIN_OF_A_PATH.match(text) is not None


def _is_public_program(word: str) -> bool:
    """Return whether the first word of a command is the name or the path of a program."""
    name = re.split(r"[\\/]", word)[-1]
    return re.fullmatch(r"[A-Za-z][\w.+-]{0,30}", name) is not None and not looks_generated(name)


def _is_public(word: str, before: str) -> bool:
    """Return whether an argument may be shown; a short word may be a name or a code behind an option."""
    _, joint, value = word.partition("=")
    checked = value if joint else word
    is_word = checked.isalpha() and checked.lower() not in read_own_words()
    # `python -u train.py`: a script is none.
    return is_public_argument(word) and not (
        is_word and (joint or before.startswith(("-", "/")) or len(word) > 3)
    )


def _is_package(word: str, before: str) -> bool:
    if before in _INDEXES:
        return _ADDRESS.fullmatch(word) is not None and leave_out_paths_of_addresses(word) == word
    has_place = not before.startswith("-") or before in _FLAGS
    return has_place and _PACKAGE.fullmatch(word) is not None and not looks_generated(_NAME.split(word)[0])


def _is_public_code(code: str) -> bool:
    return all(each.lower() in _CODE or each.lower() in read_own_words() for each in _CODE_WORD.findall(code))
