"""Leave out groups of digits that may be the number of a person, a card, a computer or a place.

Versions, sizes, dates, times and shapes of tensors have groups as well, and stay.
"""

import re

from torchdoctor.domain.masks import LEFT_OUT

_BLANK = r"[ \t\u00a0\u2009\u202f\u3000]"
# Groups with blanks between them: (030) 555 123, 0171-555 12 34.
_SPACED = re.compile(
    r"(?<![\w.,:/=<+-])\+?\(?\d{2,8}\)?"
    rf"(?:(?:[-/]\d{{2,8}}){{0,4}}{_BLANK}{{1,3}}\(?\d{{2,8}}\)?(?:[-/]\d{{2,8}}){{0,4}}){{1,8}}"
    r"(?![\w:/%=]|[.,]\d|[ ]?(?:[KMGTkmgt]i?[Bb]|MHz|GHz|[mun]?s|bytes?|it)\b)"
)
# Groups with dots: 06.12.34.56.78, 645.142.7878, 123.456.789-09; a version has them, too.
_DOTTED = re.compile(r"(?<![\w.])\+?(?P<groups>\d{1,8}(?:\.\d{1,8}){2,8})(?P<check>-\d{1,8})?(?![\w-]|\.\d)")
# The area and the number: 0341/4711222, 0341.4711222; two numbers of a count are shorter.
_SLASHED = re.compile(r"(?<![\w.,:/=<-])\+?\d{1,12}(?:[/-]\d{1,12}){1,4}(?![\w/%]|\.\d)")
_AREA = re.compile(r"(?<![\w.,:-])0\d{1,5}\.\d{5,12}(?![\w-]|\.\d)")
_DATE = re.compile(r"[0-3]?\d\.[01]?\d\.(?:19|20)\d\d|(?:19|20)\d\d\.[01]?\d\.[0-3]?\d")
# Pairs: 47 11, 06,12,34,56,78, "06. 12. 34. 56. 78". A time has three; a list has blanks behind commas.
_PAIRS = re.compile(
    rf"(?<![\w.,:;/-])\d\d(?:(?:{_BLANK}{{1,3}}\d\d){{1,12}}|(?:[,:;]\d\d){{4,12}}|(?:\. \d\d){{2,12}})"
    r"(?![\w:]|\.\d)"
)
# With the number of a country: +33 6 12 34 56 78, +49 (0) 89 / 12 34 56.
_INTERNATIONAL = re.compile(r"(?<![\w.,+)\]])\+\d{1,3}(?:[ \t\u00a0./()-]{1,4}\d{1,8}){1,10}(?![\w:%]|\.\d)")
# Digits that are spelled out: 4 7 1 1.
_SPELLED = re.compile(rf"(?<![\w.,:/=-])\d(?:{_BLANK}\d){{3,20}}(?![\w:/%]|[.,]\w)")
# The number of a network card, the fingerprint of a key, an address of IPv6.
_HEXADECIMAL = re.compile(
    r"(?<![\w:.-])(?:[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){4,40}"
    r"|(?=[A-Fa-f:]{0,12}\d)[0-9A-Fa-f]{1,4}(?:::?[0-9A-Fa-f]{1,4}){3,8}(?:::)?)(?![\w:-])"
)
_COORDINATES = re.compile(
    rf"(?<![\w.])[+-]?\d{{1,3}}\.\d{{4,8}}°?[NSns]?(?:[,;]{_BLANK}{{0,2}}|{_BLANK}{{1,2}})"
    r"[+-]?\d{1,3}\.\d{4,8}(?![\w.])"
)
_DIGITS = re.compile(r"\d+")
_LONG_GROUP, _DIGITS_OF_A_PHONE = 3, 7
# So many groups has no version.
_MOST_OF_A_VERSION = 4
# Groups of these lengths are of a person: 123.45.6789, 12.345.678.
_OF_A_PERSON = ((3, 2, 4), (1, 3, 3), (2, 3, 3))


def leave_out_groups(text: str) -> str:
    """Return a text in which three dots stand for groups of digits beside each other, as those of a phone."""
    text = _DOTTED.sub(_show_dotted, _AREA.sub(LEFT_OUT, _SLASHED.sub(_show_slashed, text)))
    text = _SPACED.sub(_show_spaced, _INTERNATIONAL.sub(_show_spaced, text))
    for shape in (_PAIRS, _SPELLED, _HEXADECIMAL, _COORDINATES):
        text = shape.sub(LEFT_OUT, text)
    return text


def _show_spaced(match: re.Match[str]) -> str:
    groups = _DIGITS.findall(match[0])
    long = sum(1 for group in groups if len(group) >= _LONG_GROUP)
    is_phone = long > 1 or sum(map(len, groups)) >= _DIGITS_OF_A_PHONE
    return LEFT_OUT if is_phone else match[0]


def _show_slashed(match: re.Match[str]) -> str:
    groups = _DIGITS.findall(match[0])
    is_area = groups[0].startswith("0") and len(groups[0]) >= _LONG_GROUP
    is_phone = is_area and sum(map(len, groups)) >= _DIGITS_OF_A_PHONE
    is_long = any(len(group) >= _DIGITS_OF_A_PHONE for group in groups)
    return LEFT_OUT if "/" in match[0] and (is_phone or is_long) else match[0]


def _show_dotted(match: re.Match[str]) -> str:
    groups = match["groups"].split(".")
    lengths = tuple(map(len, groups))
    if _DATE.fullmatch(match["groups"]):
        return match[0]
    is_phone = (
        len(groups) > _MOST_OF_A_VERSION
        or min(lengths) >= _LONG_GROUP
        or lengths in _OF_A_PERSON
        or (groups[0].startswith("0") and lengths[0] > 1)
        or (len(groups) == _MOST_OF_A_VERSION and set(lengths) == {2})
    )
    return LEFT_OUT if is_phone else match[0]
