"""Find what joins the name of a setting to its value: `=`, a colon, a comma in a list, a space."""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from torchdoctor.domain.secret_names import Name, names_an_action

# The code of a colour, as text has it that was copied or written out: [31m, ^[[0m, \x1b[1;31m.
_COLOUR = r"(?:(?:\\(?:x1b|u001b|033|e)|\^\[|␛)?\[[\d;]{0,8}m)"
_QUOTE = r"(?:\\{0,7}[\"'`]|&quot;|&\#34;|&apos;|“|”)"
_SPACE = r"[ \t\xa0\u3000]"
# What closes the name: "token", ["token"], ("token"), **token**.
_CLOSED = rf"(?:{_QUOTE}|\*{{1,2}})?[\])]{{0,2}}"
_TYPE = (
    r"(?:\"?(?:typing\.|t\.)?"
    r"(?:str|bytes|string|Optional|Union|Any|Final|ClassVar|Annotated|List|list|Literal|Path|Secret\w*)"
    r"(?:\[[^\]\n=]{0,80}\]{1,3})?\"?(?:[ ]?\|[ ]?\w{1,20})*)"
)
_ASSIGNED = re.compile(
    rf"(?i){_CLOSED}{_COLOUR}?(?:{_SPACE}{{0,4}}:{_SPACE}{{0,4}}{_TYPE})?{_SPACE}{{0,40}}"
    rf"(?:(?P<arrow>->)|:=|=>|[!+?]?={{1,3}}|＝|%3d|%3a(?=%20|%22))(?:{_SPACE}{{0,40}}){_COLOUR}?"
)
_LABELLED = re.compile(
    r"(?i)(?:[ ](?:provided|given|used|supplied|value|specified|for[ ][^\s:'\"]{1,60}))?"
    rf"{_CLOSED}{_COLOUR}?"
    rf"{_SPACE}{{0,24}}[:：](?![:/]/?/|\w{{1,12}}:`)(?:\*{{1,2}}|`(?=[ ]))?"
    rf"(?:[ \t]*[|>][+-]?[ \t]*\r?\n[ \t]{{1,40}}|\s{{0,80}}(?=[\"'])|{_SPACE}{{0,60}}){_COLOUR}?"
)
# The next element of a list or the next argument: "TOKEN", "x"; also argparse's default of one.
_LISTED = re.compile(
    rf"(?:{_QUOTE})[\])]?\s{{0,20}},\s{{0,80}}"
    r"(?:(?:[^()\"'\n]|\"[^\"\n]{0,80}\"|'[^'\n]{0,80}'){0,160}?\bdefault[ ]?=[ ]?)?"
    rf"(?=[bruf]{{0,2}}{_QUOTE})"
)
_SPACED = re.compile(rf"{_SPACE}{{1,8}}(?!-|[|>&]|{_SPACE})")
_SAID = re.compile(
    rf"(?i){_CLOSED}[ ](?:(?:is|was)[ ](?:now[ ])?(?:set[ ]to[ ])?(?=\S{{6}}|{_QUOTE})"
    rf"|(?=[^\s\"'<>(\[{{:,;]{{6,}}(?![\w(])|{_QUOTE}))"
)
# {"name": "TOKEN", "value": "x"}, <add key="token" value="x"/>, and a list of YAML.
_PAIRED = re.compile(
    rf"(?i)(?:{_QUOTE})?(?:\s{{0,8}}[,;]?\s{{1,80}}|[,;])(?:(?:{_QUOTE})?(?!value)[\w-]{{1,20}}(?:{_QUOTE})?"
    rf"[=:]\s?(?:{_QUOTE})?[\w.-]{{0,40}}(?:{_QUOTE})?[\s,]{{1,20}}){{0,2}}"
    rf"(?:{_QUOTE})?(?:value|val|default(?:value)?|content)(?:{_QUOTE})?\s{{0,8}}[:=]\s{{0,8}}"
)
_NAME_OF_A_PAIR = re.compile(
    r"(?i)(?:name|key|id|var|variable|type|field|parameter)(?:\\{0,7}[\"'])?[ ]?[:=][ ]?(?:\\{0,7}[\"'])?$"
)
_CALLED = re.compile(r"\(\s{0,20}(?=[bruf]{0,2}\\{0,7}[\"'])")
_OPEN_TAG = re.compile(r"<(?:\w{1,20}:)?$")
_ELEMENT = re.compile(r"(?:[ ][^<>\n]{0,200})?>(?P<value>[^<\n]{1,2000})(?=</)")
_IN_A_TABLE = re.compile(
    rf"{_CLOSED}(?:[ ]{{0,8}}\t[ \t]{{0,40}}(?=\S{{6}})|(?:[ ]{{0,60}}[|│][ ]{{0,8}}|[ ]{{2,60}}|[ ](?=`))"
    r"(?=`?[^\s`|]{6,}`?[ \t]{0,80}(?:[|│\r\n]|$)))"
)
_SETTER = re.compile(r"(?:\b(?i:setx|setenv|putenv)|\b(?:ENV|ARG)|%env|\bset[ ]-\w{1,3})[ ]+[\"']?$")
_AFTER_A_SAID_NAME = tuple(" `\"'*)")


class JointKind(Enum):
    """The form of a joint; the comments have an example of each."""

    # token = x
    ASSIGNED = auto()
    # token -> x
    ARROW = auto()
    # token: x
    LABELLED = auto()
    # ("token", "x")
    LISTED = auto()
    # token("x")
    CALLED = auto()
    # --token x
    SPACED = auto()
    # | token | x |
    TABLE = auto()
    # token is x
    SAID = auto()
    # name: token, value: x
    PAIRED = auto()
    # <token>x</token>
    ELEMENT = auto()


class Joint(NamedTuple):
    """A joint, where it ends, and whether it compares the value instead of setting it."""

    kind: JointKind
    end: int
    is_compared: bool = False


def find_joints(text: str, name: Name) -> Iterator[Joint]:
    """Yield what may join a name to its value, the most likely first."""
    before = text[max(0, name.start - 40) : name.start]
    if _OPEN_TAG.search(before) and (match := _ELEMENT.match(text, name.end)):
        yield Joint(JointKind.ELEMENT, match.start("value"))
        return
    follower = text[name.end : name.end + 1]
    if _NAME_OF_A_PAIR.search(before) and (match := _PAIRED.match(text, name.end)):
        yield Joint(JointKind.PAIRED, match.end())
        return
    if match := _ASSIGNED.match(text, name.end):
        yield Joint(
            JointKind.ARROW if match["arrow"] else JointKind.ASSIGNED,
            match.end(),
            "==" in match[0] or "!=" in match[0],
        )
        return
    if name.text.lower() in ("sig", "signature"):
        return
    if match := _LABELLED.match(text, name.end):
        yield Joint(JointKind.LABELLED, match.end())
        return
    if follower == "(" and (match := _CALLED.match(text, name.end)):
        if not names_an_action(name.text):
            yield Joint(JointKind.CALLED, match.end())
        return
    if match := _LISTED.match(text, name.end):
        yield Joint(JointKind.LISTED, match.end())
    is_set = name.is_option or _SETTER.search(before)
    if is_set and (match := _SPACED.match(text, name.end)):
        yield Joint(JointKind.SPACED, match.end())
    if not name.is_option and (match := _IN_A_TABLE.match(text, name.end)):
        yield Joint(JointKind.TABLE, match.end())
    if (
        follower in _AFTER_A_SAID_NAME
        and name.text.lower() != "pass"
        and (match := _SAID.match(text, name.end))
    ):
        yield Joint(JointKind.SAID, match.end())
