"""Tell the computers of a text apart, and leave out what it states of those on which nothing fails.

Only English words for computers are known; in other languages nothing is left out.
"""

from collections.abc import Iterator, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record
from torchdoctor.readers.line_parts import blank_spans, find_stated, split_line

_PERSON = (
    r"\b(?:friend|brother|sister|colleague|co-?worker|roommate|wife|husband|dad|father|mother|son|daughter"
    r"|boss)(?:['’]s)?\b"
)
_OWN = (
    r"\bmine\b|\bi myself\b"
    r"|\b(?:my|this) (?:own |windows |main )?(?:pc|computer|machine)\b|\bon (?:my )?windows\b"
    r"|^\W{0,4}windows(?: 1[01])?(?: pc| machine)?[^:.\n]{0,30}:"
)
# The computers that people tell apart, in the order in which a name is looked for.
_NAMES = (
    ("old", r"\b(?:other|another|second|old) (?:pc|computer|machine|laptop|desktop|workstation)\b"),
    (
        "server",
        r"(?:^\W{0,4}|\b(?:on|in) |[(])(?:(?:the|my|our|a) )?(?:(?:linux|remote|gpu|lab|university) )?"
        r"(?:server|cluster|hpc|colab|kaggle|runpod)\b(?! \d{4})"
        r"(?=\s*[:,()]| (?:it|has|with|works|runs|torch)\b)",
    ),
    ("wsl", r"\b(?:in|on|under|run|use|using) wsl ?2?\b|^\W{0,4}wsl ?2?\s*[:(]"),
    ("linux", r"\b(?:on|under) (?:my )?(?:linux|ubuntu|macos|mac)\b|^\W{0,4}(?:linux|ubuntu|macos)\s*[:(]"),
    ("person", _PERSON),
    ("work", r"\bat work\b|\b(?:office|work) (?:pc|computer)\b"),
    ("home", r"\bat home\b|\bhome (?:pc|computer)\b"),
    ("laptop", r"\b(?:laptop|notebook pc)\b"),
    (
        "desktop",
        r"^\W{0,4}(?:desktop|tower)\s*[:(]|\b(?:desktop pc|my desktop|workstation|gaming pc|tower)\b",
    ),
    ("own", _OWN),
)
# On one of these, nothing has to fail.
_ELSEWHERE = frozenset({"server", "wsl", "linux", "person", "work", "home", "old"})
_AT_HAND = frozenset({"own", "laptop", "desktop"})
# Who uses the laptop of somebody else has it.
_USES = r"\bi(?:['’]m| am)? (?:use|using|on|run|borrow\w*)\b"
_ENDS = r"(?<=[.!?;])\s+|[;]|,\s+(?=(?:mine|my|on (?:my|the)|at (?:home|work)|whereas|while|but)\b)"
_ERROR = (
    r"\w(?:Error|Exception)\b ?[:(]|\[WinError \d|^\s*Traceback\b|\b(?:driver|system) is too old\b"
    r"|\bno kernel image\b|\bout of memory\b|\b(?:it|this|that) (?:says|shows|gives|throws|prints)\b"
    r"|\b(?:the )?errors? (?:(?:is|are|comes?|happens?|occurs?) )?(?:only )?(?:on|in)"
    r" (?:my|the|his|her|their)\b"
    r"|\b(?:i get|fails?|failed|crash\w*|does not work|doesn['’]t work)\b"
)
_WORKS = r"\b(?:works|worked|fine|all right|runs (?:well|without)|no (?:problem|issue|error)s?)\b"
_NOT = r"\b(?:not|never|nothing|n['’]t|no longer) (?:\w+ )?(?:works?|fine)\b"
_LONGEST, _MOST_LINES = 400, 200


@record
class _Part:
    """A part of a line: where it is, the computer that it is about, and whether it tells of a failure."""

    line: int
    start: int
    end: int
    machine: str | None
    fails: bool
    works: bool


def clear_other_machines(texts: Sequence[str]) -> list[str]:
    """Return lines without the cards, drivers and releases of computers on which nothing fails.

    The lines are the same where the text names no two computers, or does not say which one fails.
    """
    kept = list(texts)
    parts = list(_list_parts(kept))
    named = {part.machine for part in parts if part.machine}
    failing = {part.machine for part in parts if part.machine and part.fails and not part.works}
    working = {part.machine for part in parts if part.machine and part.works and not part.fails} - failing
    if len(named) < 2:
        return kept
    if failing:
        others = {name for name in named - failing if name != "own" or name in working}
        if failing & _AT_HAND and not failing & {"laptop", "desktop"}:
            # Whoever says "my PC" may mean the laptop or the tower.
            others -= {"laptop", "desktop"} - working
    else:
        others = named & _ELSEWHERE if named & _AT_HAND else set[str]()
    for part in parts:
        if part.machine in others:
            spans = find_stated(kept[part.line][part.start : part.end])
            places = ((part.start + start, part.start + end) for start, end in spans)
            kept[part.line] = blank_spans(kept[part.line], places)
    return kept


def _list_parts(texts: Sequence[str]) -> Iterator[_Part]:
    """Yield the parts of the lines; what a name introduces with a colon is about that computer as well."""
    introduced: str | None = None
    for number, text in enumerate(texts[:_MOST_LINES]):
        if len(text) > _LONGEST:
            continue
        machine = introduced
        for start, end in split_line(text, _ENDS):
            found = _find_machine(text[start:end])
            machine = found or machine
            plain = pattern(_NOT, True).sub("fails", text[start:end])
            works = pattern(_WORKS, True).search(plain) is not None
            fails = pattern(_ERROR, True).search(plain) is not None
            yield _Part(number, start, end, machine, fails, works)
            if found:
                introduced = found if text.rstrip().endswith((":", "：")) and not works else None


def _find_machine(text: str) -> str | None:
    """Return the computer that a part of a line is about, None if it names none."""
    if pattern(_USES, True).search(text):
        text = pattern(_PERSON, True).sub(" ", text)
    return next((name for name, words in _NAMES if pattern(words, True).search(text)), None)
