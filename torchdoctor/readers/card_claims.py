"""What people say of their card in fixed phrases: that they changed it, that it is new, or theirs."""

import re
from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.card_names import complete, find_cards
from torchdoctor.readers.statements import Lines, Statement, Topic

_NAME = "prose"
_ANY_CARD = r"(?:nvidia )?(?:geforce )?(?:rtx |gtx )?\d{4}(?: ?ti\b| ?super\b){0,2}"
_NEW_CARD = (
    rf"\b(?:upgraded|switched|moved|went|swapped|changed|replaced)\b[^.\n]{{0,30}}?(?:\bfrom"
    rf" )?(?:an? |my |the |old )"
    rf"{{0,2}}{_ANY_CARD} (?:to|with|by|for) (?:an? |my |the |new ){{0,2}}"
    r"(?P<card>(?:nvidia )?(?:geforce )?(?:(?:rtx|gtx) \d{4}|[2345]0[5-9]0)(?: ?ti\b| ?super\b){0,2})"
)
# The same without the card that was there.
_CHANGED_CARD = (
    r"\b(?:upgraded|switched|moved|changed|swapped)"
    r"(?: (?:recently|just|it|over|my (?:gpu|card|graphics card|\w{0,4} ?\d{3,4} ?\w{0,3})"
    r"|(?:out )?from [^.\n]{3,40}?)){0,2}"
    r" (?:to|for|with) (?:an? |my |the |new |brand new |amd ){0,3}(?=[\w ]{0,12}\d)"
    r"|\b(?:since|after|now that) (?:i|we)(?:['’]ve| have)? (?:put|got|installed|mounted|built)(?: in)?"
    r" (?:an? |my |the |new ){1,2}(?=[\w ]{0,12}\d)"
    r"|(?:更换|换|升级)(?:到|成|为|了|上)(?:一?[张块] ?)?(?:新的? ?)?"
)
_TO_CHANGE = (
    r"\b(?:(?:idea|worth|want|like|plan\w*|going|about|thinking|consider\w*|should i|can i|reason"
    r"|sense)[^.?!\n]{0,16} )"
    r"(?:to |of )?(?:upgrad|switch|mov|chang)(?:e|ing)? (?:over )?from (?:an? |my |the "
    r"|old ){0,2}(?=[\w ]{0,16}\d)"
)
# The card that somebody calls new or the own one.
_CARD = (
    r"(?P<card>(?:nvidia |geforce ){0,2}(?:(?:rtx|gtx|gt|nvs|mx|quadro|tesla|titan) ?[a-z]?\d{2,4}m?"
    r"|a\d{2,3}(?:-\d{1,2}[qcba])?"
    r"|(?:radeon )?rx ?\d{4}(?: ?(?:xtx?|gre)\b)?"
    r"|[hlvtp]\d{1,3}s?|(?:10[5-8]0|[2345]0[5-9]0|16[356]0)(?: ?ti\b| ?super\b)?)(?: ?ti\b"
    r"| ?super\b){0,2}(?: laptop(?: gpu)?)?)(?![\w-])"
)
_CALLED_NEW = (
    rf"\b(?:have|got|bought|using|use) (?:an? |my |the ){{0,1}}new (?:nvidia |amd )?(?:gpu|card|graphics card"
    rf"|video card)[ :,(]{{1,3}}"
    rf"(?:an? |called )?{_CARD}"
)
_CALLED_OWN = (
    rf"\b(?:my|our) (?:own )?(?:nvidia |local |only )?(?:gpu|card|graphics card|video card|graphic card)"
    rf"(?: ?[(:=,-] ?| is | ){{1,2}}(?:an? |the )?{_CARD}(?! ?(?:series|or (?:better|newer)))"
)
_NOT_OWN = (
    r"\b(?:old|previous|former|second|other|friend|buy|replac|upgrad|would|should|if"
    r"|instead of buying)\w{0,4}\b|之前"
)
_NOT_NEW = (
    r"\?\s*$|\b(?:anyone|someone|consider|thinking|plan\w{0,4}|want|should|would|if|friend|he|she|they"
    r"|others?|another|second)\b"
)
# Words in front of what was not done, or is not done yet.
NO_CHANGE = (
    r"\b(?:if|should|must|be|had|have you|not|before|when|once|once you|until|could|can"
    r"|you)\s{1,2}(?:\w{1,12} )?$|n't "
)


def read_card_claims(lines: Lines) -> Iterator[Statement]:
    """Yield the cards that such phrases name."""
    yield from _read_new_card(lines)
    yield from _read_replaced_card(lines)
    yield from _read_own_card(lines)


def _read_new_card(lines: Lines) -> Iterator[Statement]:
    """Yield the card that somebody has put into the place of another one."""
    for number, line in lines:
        if len(line) >= 400 or pattern(_NOT_NEW, True).search(line):
            continue
        match = pattern(_NEW_CARD, True).search(line)
        start = match.start("card") if match else None
        match = match or pattern(_CHANGED_CARD, True).search(line)
        if match is None or pattern(NO_CHANGE, True).search(cut_before(match, 24)):
            continue
        yield from _read_card_at(line, match.end() if start is None else start, number)


def _read_replaced_card(lines: Lines) -> Iterator[Statement]:
    """Yield the card from which somebody asks whether to change."""
    for number, line in lines:
        match = pattern(_TO_CHANGE, True).search(line) if len(line) < 600 and "from" in line else None
        if match:
            yield from _read_card_at(line, match.end(), number)


def _read_card_at(line: str, start: int, number: int) -> Iterator[Statement]:
    """Yield the card whose name begins at a place of a line."""
    card = next((each for each in find_cards(line) if each.start == start), None)
    if card is not None:
        yield _state_card(card.name, number)


def _state_card(name: str, number: int) -> Statement:
    return Statement(Topic.GPU, name, number, _NAME, is_printed=False, subject="0")


def names_new_card(lines: Lines) -> bool:
    """Return whether somebody names a new card, so that the others are former ones."""
    return any(len(line) < 1000 and pattern(_CALLED_NEW, True).search(line) for _, line in lines)


def _read_own_card(lines: Lines) -> Iterator[Statement]:
    """Yield the only card that somebody calls the own one, or the new one beside others."""
    for regex in (_CALLED_NEW, _CALLED_OWN):
        found = [
            (number, match["card"].strip())
            for number, line in lines
            if len(line) < 1000
            for match in pattern(regex, True).finditer(line)
            if not pattern(_NOT_OWN, True).search(cut_before(match, 40, "card"))
        ]
        if len({card.lower() for _, card in found}) == 1:
            number, card = found[0]
            yield _state_card(complete(card), number)


def cut_before(match: re.Match[str], length: int, group: str | int = 0) -> str:
    """Return so many characters before a match, or before a group of it, without a copy of the line."""
    start = match.start(group)
    return match.string[max(0, start - length) : start]
