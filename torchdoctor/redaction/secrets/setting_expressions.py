"""Find the strings that an expression gives: `os.getenv("PW") or "x"`, `pw if pw else "x"`, `"x" + "y"`.

What is matched at one place is limited, so that the time is linear.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from torchdoctor.redaction.secrets.setting_quotes import OPENED, find_closing

_STRING = r"(?:\"[^\"\n]{0,120}\"|'[^'\n]{0,120}')"
_ARGUMENTS = rf"(?:[^()\[\]\"'\n]|{_STRING})"
# A name, a call and an element: pw, self.pw, os.getenv("PW"), os.environ["PW"].
_OPERAND = re.compile(
    rf"[A-Za-z_][\w.]{{0,80}}(?:[\[(](?:{_ARGUMENTS}|\({_ARGUMENTS}{{0,80}}\)){{0,80}}[\])]){{0,3}}"
)
# The other value of a variable that may be missing.
_DEFAULT = re.compile(
    rf"(?:[\w.]{{0,40}}\.)?(?:getenv|environ\.get|get_env|env)\([ ]?\\{{0,7}}{_STRING},[ ]?"
    r"(?:default[ ]?=[ ]?)?"
)
_IF = rf"if[ ](?:[^\"'\n]|{_STRING}){{1,120}}?[ ]else"
_SPACE = r"(?:[ \t]{0,40}\\?\r?\n[ \t]{1,80}|[ \t]{1,40})"
_ALTERNATIVE = re.compile(
    rf"{_SPACE}(?:(?P<ternary>\?)|(?P<colon>:)|or|and|\|\||&&|\?\?|(?P<condition>{_IF})){_SPACE}"
)
_ADDED = re.compile(r"\s{0,40}\+\s{0,80}")
# Python adds strings that follow each other.
_ADJACENT = re.compile(r"[ \t]{0,20}\\?\r?\n[ \t]{1,80}(?=[bruf]{0,2}\\{0,7}[\"'])")
_SIGN_OF_A_KEY = re.compile(r"[ ]?[:=]")
_MOST_OPERANDS = 8
_LONGEST_OPERAND = 400


class Part(NamedTuple):
    """Where a string stands, whether it is added to the one before, and whether it is an f-string."""

    start: int
    end: int
    is_added: bool
    is_formatted: bool


def read_expression(text: str, start: int) -> tuple[Part, ...] | None:
    """Return the strings that an expression gives which begins with no string; None where there is none."""
    operand = _OPERAND.match(text, start, start + _LONGEST_OPERAND)
    if operand is None:
        return None
    default = _DEFAULT.match(text, start, start + _LONGEST_OPERAND)
    opened = OPENED.match(text, default.end()) if default else None
    first = (_read_part(text, opened, is_added=False),) if opened else ()
    parts = (*first, *read_operands(text, operand.end(), is_behind_string=False))
    alternative = _ALTERNATIVE.match(text, operand.end(), operand.end() + _LONGEST_OPERAND)
    if not parts and alternative and not alternative["condition"]:
        following = _OPERAND.match(text, alternative.end(), alternative.end() + _LONGEST_OPERAND)
        alternative = alternative if following and following[0].endswith((")", "]")) else None
    return parts if parts or alternative else None


def read_operands(text: str, position: int, *, is_behind_string: bool) -> Iterator[Part]:
    """Yield the strings that follow the first operand of an expression, which ends here."""
    is_ternary = False
    for _ in range(_MOST_OPERANDS):
        other = _ALTERNATIVE.match(text, position, position + _LONGEST_OPERAND)
        added = None if other else _ADDED.match(text, position)
        if other is None and added is None and is_behind_string:
            added = _ADJACENT.match(text, position)
        joint = other or added
        if joint is None or (other and other["colon"] and not is_ternary):
            return
        is_ternary = is_ternary or (other is not None and other["ternary"] is not None)
        opened = OPENED.match(text, joint.end())
        is_behind_string = opened is not None
        if opened:
            part = _read_part(text, opened, is_added=added is not None)
            position = part.end + len(opened["quote"])
            if not is_ternary and _SIGN_OF_A_KEY.match(text, position):
                return
            yield part
        elif operand := _OPERAND.match(text, joint.end(), joint.end() + _LONGEST_OPERAND):
            position = operand.end()
        else:
            return


def _read_part(text: str, opened: re.Match[str], *, is_added: bool) -> Part:
    end, _ = find_closing(text, opened)
    prefix = text[opened.start() : opened.start("quote")]
    return Part(opened.end(), end, is_added, "f" in prefix.lower())
