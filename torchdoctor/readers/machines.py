"""Separate the computers of a text, and leave out what it states of those on which nothing fails.

Only English words for computers are known; in other languages nothing is left out.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record
from torchdoctor.readers.line_parts import blank_spans, find_stated, split_line

_PERSON = (
    r"\b(?:friend|brother|sister|colleague|co-?worker|roommate|wife|husband|dad|father|mother|son|daughter"
    r"|boss)(?:['’]s)?\b"
)
_HERS = r"\bon (?:his|her|their) (?:pc|computer|machine|laptop)\b|\b(?:he|she) (?:has|uses|runs)\b"
_OWN = (
    r"\bi myself\b|\bmine\b|\b(?:my|this) (?:own |windows |main )?(?:pc|computer|machine)\b"
    r"|\bon (?:my )?windows\b"
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
    ("mac", r"^\W{0,4}(?:i?mac|mac ?book)\b|\b(?:on|my) (?:my |a |the )?(?:imac|mac ?book)\b"),
    ("person", rf"{_PERSON}|{_HERS}"),
    # What a program was written on is no computer of the writer.
    (
        "example",
        r"\b(?:readme|docs?|documentation|tutorial|paper|authors?|repo(?:sitory)?|project page|example)"
        r" (?:says?|said|states?|lists?|recommends?|uses?|used|wants?|asks? for"
        r"|(?:was|is|were) \w+ (?:on|with|for))\b"
        r"|(?:^\W{0,4}|(?<=[.;] ))(?:(?:system|hardware|minimum|minimal|recommended) )?"
        r"(?:requirements?|minimum|recommended)\s*:",
    ),
    ("oldenv", r"\b(?:old|other|another|previous|first) (?:conda |virtual )?(?:env(?:ironment)?|venv)\b"),
    ("newenv", r"\b(?:new|this|current|second) (?:conda |virtual )?(?:env(?:ironment)?|venv)\b"),
    ("vm", r"\b(?:(?:azure|aws|cloud|virtual) )?(?:vm|virtual machine)\b"),
    ("dev", r"\bdev(?:elopment)? (?:machine|pc|box|computer)\b"),
    ("work", r"\bat work\b|\b(?:office|work) (?:pc|computer)\b"),
    ("home", r"\bat home\b|\bhome (?:pc|computer)\b"),
    ("laptop", r"\b(?:laptop|notebook pc)\b"),
    (
        "desktop",
        r"(?:^\W{0,4}|(?<=[.;,] ))(?:desktop|tower)\s*[:(]|\b(?:on|in) (?:the|my) desktop\b"
        r"|\b(?:desktop pc|my desktop|workstation|gaming pc|tower)\b",
    ),
    ("own", _OWN),
)
# On one of these, nothing has to fail.
_ELSEWHERE = frozenset({"server", "wsl", "linux", "mac", "person", "work", "home", "old", "example"})
# What fails there is told beside what fails here.
_NOT_HERE = frozenset({"server", "person", "old", "mac"})
_AT_HAND = frozenset({"own", "laptop", "desktop"})
# Who uses the laptop of somebody else has it.
_USES = r"\bi(?:['’]m| am)? (?:use|using|on|run|borrow\w*)\b"
_ENDS = (
    r"(?<=[.!?;])\s+|[;]|,\s+(?=(?-i:[A-Z])[\w-]{0,15}: )"
    r"|\s+(?=(?:and|but|while|whereas) (?:my|his|her|our) )"
    r"|,\s+(?=(?:mine|my|i myself|i (?:have|use|run|own)|on (?:my|the)|at (?:home|work)|whereas|while|but)\b)"
)
_ERROR = (
    r"\w(?:Error|Exception)\b ?[:(]|\[WinError \d|^\s*Traceback\b|\b(?:driver|system) is too old\b"
    r"|\bno kernel image\b|\bout of memory\b|\b(?:it|this|that) (?:says|shows|gives|throws|prints)\b"
    r"|\b(?:error|problem|crash) (?:is|occurs|appears|comes|happens|only)\b"
    r"|\berrors? (?:(?:are|come|happen|occur) )?(?:only )?(?:on|in) (?:my|the|his|her|their)\b"
    r"|\b(?:i get|fails?|failed|crash\w*|does not work|doesn['’]t work)\b"
)
_WORKS = r"\b(?:works|worked|fine|all right|runs (?:well|without)|no (?:problem|issue|error)s?)\b"
_NOT = r"\b(?:not|never|nothing|n['’]t|no longer) (?:\w+ )?(?:works?|fine)\b"
# What stands on the next line is on the computer that is named last.
_INTRODUCES = (
    r"(?:[:：]|\b(?:on|in) (?:\w+ ){1,3}(?:pc|computer|machine|laptop|desktop|server|vm|box))\W{0,3}$"
)
# A name that somebody gives a computer, and no part of one or word of a program.
_NO_LABEL = (
    r"(?:CPU|GPU|V?RAM|SSD|OS|System|Windows|Linux|Python|Torch|PyTorch|CUDA|Driver|Card|Version|Note|Edit"
    r"|Update|Device|Software|Hardware)\b|\w*(?:Error|Exception|Warning)\b"
)
_LABEL = (
    rf"(?:^|[.;,] )(?P<label>(?!{_NO_LABEL})[A-Z][\w-]{{0,15}}): (?P<behind>[^;\n]{{1,80}}?)(?=[.;,] |[.]?$)"
)
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
        told = any(part.machine == "person" and _states(kept, part) for part in parts)
        keeps_own = "own" not in working and not ("person" in failing and told)
        others = {name for name in named - failing if name != "own" or not keeps_own}
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


def find_parts_elsewhere(texts: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the line, the start and the end of what is told of a computer that is not the writer's here."""
    parts = _list_parts(texts)
    yield from ((part.line, part.start, part.end) for part in parts if part.machine in _NOT_HERE)


def _find_labels(texts: Sequence[str]) -> frozenset[str]:
    """Return the names that a person gives computers: A: RTX 2080, B: Quadro K620. On B it fails."""
    short = [text for text in texts[:_MOST_LINES] if len(text) <= _LONGEST]
    behind = {match["label"]: match["behind"] for text in short for match in pattern(_LABEL).finditer(text)}
    if len(behind) < 2 or not any(map(find_stated, behind.values())):
        return frozenset()
    joined = "\n".join(short)
    is_told = any(re.search(rf"\b[Oo]n (?:the |my )?{re.escape(label)}\b", joined) for label in behind)
    return frozenset(behind) if is_told else frozenset()


def _list_parts(texts: Sequence[str]) -> Iterator[_Part]:
    """Yield the parts of the lines; what a name introduces with a colon is about that computer as well."""
    labels = _find_labels(texts)
    introduced: str | None = None
    for number, text in enumerate(texts[:_MOST_LINES]):
        if len(text) > _LONGEST:
            continue
        machine = introduced
        for start, end in split_line(text, _ENDS):
            found = _find_label(text[start:end], labels) or _find_machine(text[start:end])
            machine = found or machine
            plain = pattern(_NOT, True).sub("fails", text[start:end])
            works = pattern(_WORKS, True).search(plain) is not None
            fails = pattern(_ERROR, True).search(plain) is not None
            yield _Part(number, start, end, machine, fails, works)
            if found:
                introduced = found if pattern(_INTRODUCES, True).search(text) and not works else None


def _find_label(text: str, labels: Collection[str]) -> str | None:
    """Return the name that begins a part of a line, or that it speaks of; None if there is none."""
    match = pattern(r"^\W{0,4}([A-Z][\w-]{0,15}):|\b[Oo]n (?:the |my )?([A-Z][\w-]{0,15})\b").search(text)
    return next((each for each in match.groups() if each in labels), None) if match else None


def _find_machine(text: str) -> str | None:
    """Return the computer that a part of a line is about, None if it names none."""
    uses = pattern(_USES, True).search(text) is not None
    if uses:
        text = pattern(_PERSON, True).sub(" ", text)
    named = next((name for name, words in _NAMES if pattern(words, True).search(text)), None)
    return "own" if named is None and uses and find_stated(text) else named


def _states(texts: Sequence[str], part: _Part) -> bool:
    """Return whether a part names cards, drivers or releases."""
    return bool(find_stated(texts[part.line][part.start : part.end]))
