"""The sentences of a text, over the ends of lines that a person or an editor wrapped."""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record
from torchdoctor.readers.statements import Lines

# Chinese and Japanese have no spaces, and a word of Latin letters ends there.
BETWEEN_SCRIPTS = (
    r"(?<=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])(?=[A-Za-z0-9])"
    r"|(?<=[A-Za-z0-9])(?=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])"
)
# The end of a sentence, or of a part of one.
_END = (
    r"(?:(?<=[.!?])(?<!\be\.g\.)(?<!\bvs\.)"
    r"|(?<=\))(?!\s+(?:it|works?|everything|and an?)\b)(?<!_available\(\))"
    r"(?<!_available\(\)\)))\s+(?=[^\W\d_]|[¿¡])"
    r"|(?<=[。！？，])|(?<=……)\s{0,3}|; | \| "
)
_WHOLE_END = r"(?<=[.!?])\s+(?=[^\W\d_`*]|[`*][A-Z])|(?<=[。！？])|(?<=……)\s{0,3}"
_LONGEST_LINE = 1000
# A line that was wrapped has about this length, and goes on like this.
_WRAPPED = range(50, 150)
_GOES_ON = r"\s{0,12}(?:[a-zà-ÿа-я(（]|`[^`\n]{1,60}` ?[a-z,.(])"
_IS_OPEN = r"(?:,|\b(?:and|or|with|the|an?|is|are|to|of|in|on|for|than|requires?|needs?|from|version|as))\s*$"
_GOES_ON_BEHIND_NUMBER = r"\s{0,12}(?:(?:and|or|is|are|was|which|but|then)\b|[(（])"
_WORD = r"(?<![^\s(*`\"'])[A-Za-zà-ÿ]{2,15}(?=[\s,.)'*`]|$)"
_LEAST_WORDS = 6
# What a program printed ends with its line.
_MESSAGE = r"\s*[\w.]{1,60}(?:Error|Warning|Exception)\b"
_NEVER = r"\s*(?:[-*+•>|#]|\d{1,2}[.)] |```|$)"
_MOST_LINES = 3
# The Python of an environment, as commands pin it.
_PINNED_PYTHON = r"(?<=python)={1,2}(?=3\.\d)"
_ENVIRONMENT = r"\benv(?:ironment)?\b(?! (?:create|update))(?!.*\binstall|.*\bcreate)|环境(?!.*安装)"
# What programs print in the words of a person, who calls another thing so: the banner of Unsloth,
# `conda info` of the Python that conda itself runs in, and DeepSpeed of the torch that it was built with.
_OF_PROGRAM = (
    r"\bCUDA: \d{1,2}\.\d\. CUDA Toolkit: |\bpython version : \d\.\d{1,2}\.\d{1,2}\.[a-z]{4,9}\.\d"
    r"|\bdeepspeed wheel compiled w\. \.{3}"
)
# Who tested something on a machine describes it, if the sentence names a card or a system.
_TESTED = (
    r"\W{0,6}(?:(?:i|we|also|only|just|so far|have|['’]ve|this|it) ?){0,4}\b(?:tested|tried|reproduced"
    r"|reproducible|seen)"
    r" (?:(?:it|this|locally|only|so far) )?(?:on|under)(?: an?| my)? (?=[^?]{0,60}(?:\bwin|\bubuntu"
    r"|\blinux|\brtx|\bgtx"
    r"|\b[2-5]0[5-9]0\b))(?![^?]{0,160}\b(?:and it works|works fine|worked|no issue))"
)
# Underscores and stars around words, and not within a name.
_EMPHASIS = r"(?<![\w*])_\*{0,2}(?=[A-Za-z])|(?<=[A-Za-z0-9])\*{0,2}_(?![\w*(])"


def show_pin(text: str) -> str:
    """Return a sentence with the pin of its Python as a version, if it is about an environment."""
    is_of_environment = "python=" in text and pattern(_ENVIRONMENT, True).search(text) is not None
    return pattern(_PINNED_PYTHON).sub(" ", text) if is_of_environment else text


def clear_lead(text: str) -> str:
    """Return a sentence about a machine without the words that its writer tested something on it."""
    lead = pattern(_TESTED, True).match(text)
    return " " * lead.end() + text[lead.end() :] if lead else text


def is_of_program(line: str) -> bool:
    """Return whether a program printed a line that looks like sentences of a person."""
    return pattern(_OF_PROGRAM).search(line) is not None


def clear_emphasis(line: str) -> str:
    """Return a line without the underscores and stars that emphasise its words."""
    return pattern(_EMPHASIS).sub("", line) if "_" in line else line


@record
class Sentence:
    """The text of a sentence, and where each of its lines begins in it."""

    text: str
    starts: tuple[tuple[int, int], ...]

    def find_line(self, offset: int) -> int:
        """Return the number of the line that a place is in."""
        return max((start, number) for start, number in self.starts if start <= offset)[1]


def list_sentences(lines: Lines, *, are_whole: bool = False) -> Iterator[Sentence]:
    """Yield the sentences of a text, or their parts; lines that are too long for one are left out."""
    end = _WHOLE_END if are_whole else _END
    carried: list[tuple[int, str]] = []
    for number, line in lines:
        if carried and (len(carried) == _MOST_LINES or not _continues(carried[-1][1], line)):
            yield _join(carried)
            carried = []
        if len(line) >= _LONGEST_LINE:
            continue
        first, *others = pattern(end).split(line)
        carried.append((number, first))
        for part in others:
            yield _join(carried)
            carried = [(number, part)]
        if not _is_wrapped(line):
            yield _join(carried)
            carried = []
    if carried:
        yield _join(carried)


def _is_wrapped(line: str) -> bool:
    """Return whether a line may go on below: one of words, not a command or a line of a log."""
    is_open = len(line) in _WRAPPED and line.rstrip()[-1:] not in ".:;!?。：；！？|>{}"
    return is_open and not pattern(_MESSAGE).match(line) and len(pattern(_WORD).findall(line)) >= _LEAST_WORDS


def _continues(before: str, line: str) -> bool:
    """Return whether a line goes on with the sentence that the line before it did not end."""
    if pattern(_NEVER).match(line):
        return False
    goes_on = _GOES_ON_BEHIND_NUMBER if before.rstrip()[-1:].isdecimal() else _GOES_ON
    return pattern(goes_on).match(line) is not None or pattern(_IS_OPEN, True).search(before) is not None


def _join(parts: list[tuple[int, str]]) -> Sentence:
    if len(parts) == 1:
        return Sentence(parts[0][1], ((0, parts[0][0]),))
    text, starts = "", []
    for number, part in parts:
        starts.append((len(text), number))
        text += part.strip() + " "
    return Sentence(text.rstrip(), tuple(starts))
