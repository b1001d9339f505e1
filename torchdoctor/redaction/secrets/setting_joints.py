"""Find what joins the name of a setting to its value: `=`, a colon, a comma in a list, a space."""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from torchdoctor.redaction.secrets.secret_names import Name, names_an_action

# The code of a colour, as text has it that was copied or written out: [31m, ^[[0m, \x1b[1;31m.
_COLOUR = r"(?:(?:\\(?:x1b|u001b|033|e)|\^\[|␛)?\[[\d;]{0,8}m)"
_QUOTE = r"(?:\\{0,7}[\"'`]|&quot;|&\#34;|&apos;|“|”)"
_SPACE = r"[ \t\xa0\u3000]"
# What closes the name: "token", ["token"], ("token"), **token**, <b>token</b>.
_CLOSED = rf"(?:{_QUOTE}|\*{{1,2}}|</\w{{1,10}}>)?[\])]{{0,2}}"
_TYPE = (
    r"(?:\"?(?:typing\.|t\.)?"
    r"(?:str|bytes|string|Optional|Union|Any|Final|ClassVar|Annotated|[Ll]ist|[Dd]ict|[Tt]uple|[Ss]et|Mapping|Literal|Path|Secret\w*)"
    r"(?:\[[^\]\n=]{0,80}\]{1,3})?\"?(?:[ ]?\|[ ]?\w{1,20})*)"
)
_ASSIGNED = re.compile(
    rf"(?i){_CLOSED}(?:\[(?:{_QUOTE})?[\w-]{{1,20}}(?:{_QUOTE})?\]){{0,2}}{_COLOUR}?"
    rf"(?:{_SPACE}{{0,4}}:{_SPACE}{{0,4}}{_TYPE})?{_SPACE}{{0,40}}(?:│[ ])?"
    rf"(?:(?P<arrow>->|[→⇒➜⟶])|:=|=>|[!+?]?={{1,3}}|＝|%3d|%3a(?=%20|%22))(?:{_SPACE}{{0,40}}){_COLOUR}?"
)
# An item of a list, a value below the name, and a tag or an anchor are those of YAML.
_LABELLED = re.compile(
    r"(?i)(?:[ ](?:is|was|provided|given|used|supplied|value|specified|for[ ][^\s:'\"]{1,60}))?"
    rf"{_CLOSED}{_COLOUR}?"
    rf"(?:[ ]\[[^\]\r\n]{{0,40}}\](?=:))?{_SPACE}{{0,24}}(?:(?<=[ ])::(?=[ ])|[:：]"
    r"|(?:是|为|為|は|는|은|[ ]lautet(?=[ :]))[:：]?(?=[ ]?[!-~]{4}))"
    rf"(?![:/]/?/|\w{{1,12}}:`)(?:\*{{1,2}}|`(?=[ ]))?"
    r"(?:[ \t]*[|>][+-]?[ \t]*\r?\n[ \t]{1,40}"
    r"|[ \t]*\r?\n[ \t]{0,40}(?:-[ ]{1,4}(?!https?:)|(?<=[ \t])(?:value|default):[ ]{1,4})"
    rf"|\s{{0,80}}(?=[\"'])|{_SPACE}{{0,60}}"
    rf"(?:(?:![!\w/.:-]{{0,30}}|&[\w-]{{1,30}})[ ]{{1,4}}){{0,2}}"
    rf"(?:(?:got|received)[ ](?={_QUOTE}|\S{{10}}))?){_COLOUR}?"
)
# The next element of a list or the next argument: "TOKEN", "x"; also argparse's default of one.
_LISTED = re.compile(
    rf"(?:{_QUOTE})[\])]?\s{{0,20}}[,;]\s{{0,80}}"
    r"(?:(?:[^()\"'\n]|\"[^\"\n]{0,80}\"|'[^'\n]{0,80}'){0,160}?\bdefault[ ]?=[ ]?)?"
    rf"(?=[bruf]{{0,2}}{_QUOTE})"
)
# The other value of a name that may have none: os.environ.get("TOKEN") or "x"
_OTHERWISE = re.compile(
    rf"(?:{_QUOTE})?(?:,[ ]?(?:None|\"\"|''))?[\])]{{0,2}}[ ](?:or|\|\||\?\?)[ ](?=[bruf]{{0,2}}{_QUOTE})"
)
_SPACED = re.compile(rf"{_SPACE}{{1,8}}(?!-|[|>&]|{_SPACE})")
_SAID = re.compile(
    rf"(?i){_CLOSED}[ ](?:(?:(?:is|was|ist|war|es|est|è|é|jest)[ ](?:now[ ])?(?:set[ ]to[ ])?"
    rf"|(?:re)?set[ ]to[ ])(?=\S{{6}}|{_QUOTE})|(?=[^\s\"'<>(\[{{:,;]{{6,}}(?![\w(])|{_QUOTE}))"
)
# TOKEN must be 40 characters, got x
_TOLD = re.compile(
    rf"(?i){_CLOSED}[ ](?:must|should|has|have|is|was|needs|expected)\b[^\n\"'`=]{{0,80}}?"
    rf"(?:\b(?:got|received|found)|\bexpected[ ]\d{{1,4}}(?=:))[ :]{{1,2}}(?=\S{{6}}|{_QUOTE})"
)
# TOKEN - x, TOKEN ..... x, TOKEN (x), TOKEN,x; an address is no value of these.
_SEPARATED = re.compile(
    rf"{_CLOSED}(?:[ ](?:[-—–]|[.…]{{2,80}})[ ]{{1,8}}(?=\S{{6}})"
    r"|[ ][(\[](?=[^\s\])]\S{9,})|[,;](?=[^\s,;]{1,2}\S{4}))"
    r"(?!https?:)"
)
# {"name": "TOKEN", "value": "x"}, <add key="token" value="x"/>, and a list of YAML.
_PAIRED = re.compile(
    rf"(?i)(?:{_QUOTE})?(?:\s{{0,8}}[,;]?\s{{1,80}}|[,;])(?:(?:{_QUOTE})?(?!value)[\w-]{{1,20}}(?:{_QUOTE})?"
    rf"[=:]\s?(?:{_QUOTE})?[\w.-]{{0,40}}(?:{_QUOTE})?[\s,]{{1,20}}){{0,2}}"
    rf"(?:{_QUOTE})?(?:value|val|default(?:value)?|content)(?:{_QUOTE})?\s{{0,8}}[:=]\s{{0,8}}"
)
_KEY_OF_A_NAME = (
    r"(?:name|key|id|var|variable|type|field|parameter)(?:\\{0,7}[\"'])?[ ]{0,12}[:=][ ]?(?:\\{0,7}[\"'])?$"
)
_NAME_OF_A_PAIR = re.compile(rf"(?i){_KEY_OF_A_NAME}")
# The same with the value first.
_PAIR_BEFORE = re.compile(
    rf"(?i)\b(?:value|val|content)(?:{_QUOTE})?\s?[:=]\s?"
    rf"(?:(?P<quote>{_QUOTE})(?P<quoted>(?:(?!(?P=quote))[^\n]|(?<=\\)(?P=quote)){{1,200}})(?P=quote)|(?P<bare>[^\s\"'`]{{1,200}}?))"
    rf"(?:\s{{0,8}}[,;]\s{{0,40}}|\s{{1,40}})(?:(?:{_QUOTE})?[\w-]{{1,20}}(?:{_QUOTE})?[ ]?[:=][ ]?"
    rf"(?:{_QUOTE})?[\w.-]{{0,40}}(?:{_QUOTE})?[\s,;]{{1,40}}){{0,2}}(?:{_QUOTE})?{_KEY_OF_A_NAME}"
)
# <setting name="token"><value>x</value></setting>
_PAIRED_ELEMENT = re.compile(
    rf"(?:{_QUOTE})?[^<>\n]{{0,200}}>\s{{0,80}}<\w{{1,20}}>(?:<!\[CDATA\[)?(?=[^\s<])"
)
# variable "token" { default = "x" }, and a section of an INI file.
_BLOCK = re.compile(
    rf"(?i)(?:(?:{_QUOTE})[ ]{{0,8}}\{{\s{{0,80}}"
    rf"(?:[\w-]{{1,20}}[ ]{{0,20}}=[ ]{{0,20}}(?:\"[^\"\n]{{0,120}}\"|[\w.]{{1,40}})\s{{1,80}}){{0,5}}?"
    r"|\][ \t]{0,8}\r?\n[ \t]{0,8})(?:default|value)[ ]{0,20}[:=][ ]{0,20}"
)
# "x" == token
_COMPARED = re.compile(r"[\"'][ ]?[!=]=")
_COMPARED_BEFORE = re.compile(
    r"(?P<quote>[\"'])(?P<quoted>(?:\\.|(?!(?P=quote))[^\\\n]){1,200})(?P=quote)[ ]?[!=]==?[ ]?"
    r"(?:[\w.]{1,40}[\[(]\\{0,7}[\"'])?$"
)
# gh secret set TOKEN --body x, Set-Item -Path Env:TOKEN -Value x, reg add KEY /v TOKEN /t REG_SZ /d x
_VALUE_OPTION = re.compile(
    rf"(?i){_CLOSED}(?:[ ]{{1,4}}[-/][\w-]{{1,24}}(?:[ =](?:{_QUOTE})?[\w:.\\-]{{1,40}}"
    rf"(?:{_QUOTE})?)?){{0,4}}?"
    rf"[ ]{{1,4}}(?:-{{1,2}}(?:value|body|secret-string|b)|/d)(?:[ =:]{{1,2}}|(?={_QUOTE}))"
)
# What `reg query` prints.
_REGISTERED = re.compile(r"[ \t]{1,60}REG_(?:EXPAND_|MULTI_)?SZ[ \t]{1,60}(?P<value>[^\r\n]{1,4000})")
_CALLED = re.compile(r"\(\s{0,20}(?=[bruf]{0,2}\\{0,7}[\"'])")
_OPEN_TAG = re.compile(r"<(?:\w{1,20}:)?$")
_ELEMENT = re.compile(
    r"(?:[ ][^<>\n]{0,200})?>(?:\s{0,80}<!\[CDATA\[(?P<data>[^\n]{1,2000}?)(?=\]\]>)"
    r"|(?P<value>[^<\n]{1,2000})(?=</))"
)
_IN_A_TABLE = re.compile(
    # The next cell of HTML, or the value of a key of a property list.
    rf"(?:(?:</\w{{1,20}}>\s{{0,80}}){{1,3}}(?:<\w{{1,20}}[^<>\n]{{0,80}}>){{1,3}}(?:<!\[CDATA\[)?(?=[^\s<]{{6,}})"
    rf"|{_CLOSED}(?:[ ]{{0,8}}\t[ \t]{{0,40}}(?=\S{{6}})|(?:[ ]{{0,60}}[|│┃║][ ]{{0,8}}|[ ]{{2,60}}|[ ](?=`))"
    r"(?=`?[^\s`|]{6,}`?[ \t]{0,80}(?:[|│┃║\r\n]|$))))"
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
    """A joint, where the value behind it begins, and whether it compares the value instead of setting it.

    `stop` is where the value ends, if the form of the joint says so; such a value can stand before the name.
    """

    kind: JointKind
    end: int
    is_compared: bool = False
    stop: int | None = None


def find_joints(text: str, name: Name) -> Iterator[Joint]:
    """Yield what may join a name to its value, the most likely first."""
    before = text[max(0, name.start - 40) : name.start]
    if _OPEN_TAG.search(before) and (match := _ELEMENT.match(text, name.end)):
        start, stop = match.span("data" if match["data"] else "value")
        yield Joint(JointKind.ELEMENT, start, stop=stop)
        return
    if _COMPARED.search(before):
        yield from _find_before(text, name, _COMPARED_BEFORE, JointKind.ASSIGNED)
    if _NAME_OF_A_PAIR.search(before):
        if match := _PAIRED.match(text, name.end) or _PAIRED_ELEMENT.match(text, name.end):
            yield Joint(JointKind.PAIRED, match.end())
            return
        yield from _find_before(text, name, _PAIR_BEFORE, JointKind.PAIRED)
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
    if text[name.end : name.end + 1] == "(" and (match := _CALLED.match(text, name.end)):
        if not names_an_action(name.text):
            yield Joint(JointKind.CALLED, match.end())
        return
    if match := _LISTED.match(text, name.end) or _OTHERWISE.match(text, name.end):
        yield Joint(JointKind.LISTED, match.end())
    if match := _BLOCK.match(text, name.end):
        yield Joint(JointKind.PAIRED, match.end())
    if match := _REGISTERED.match(text, name.end):
        yield Joint(JointKind.PAIRED, match.start("value"), stop=match.end())
    is_set = name.is_option or _SETTER.search(before)
    if is_set and (match := _SPACED.match(text, name.end)):
        yield Joint(JointKind.SPACED, match.end())
    if not name.is_option:
        yield from _find_loose(text, name)


def _find_before(text: str, name: Name, pattern: re.Pattern[str], kind: JointKind) -> Iterator[Joint]:
    """Yield the joint of a value that stands before the name."""
    start = max(0, name.start - 400)
    if match := pattern.search(text[start : name.start]):
        group = "quoted" if match["quote"] else "bare"
        yield Joint(kind, start + match.start(group), stop=start + match.end(group))


def _find_loose(text: str, name: Name) -> Iterator[Joint]:
    """Yield the joints of tables, commands and sentences."""
    if match := _VALUE_OPTION.match(text, name.end):
        yield Joint(JointKind.SPACED, match.end())
    if match := _IN_A_TABLE.match(text, name.end):
        yield Joint(JointKind.TABLE, match.end())
    if name.text.lower() == "pass":
        return
    if text[name.end : name.end + 1] in _AFTER_A_SAID_NAME and (match := _SAID.match(text, name.end)):
        yield Joint(JointKind.SAID, match.end())
    if match := _TOLD.match(text, name.end) or _SEPARATED.match(text, name.end):
        yield Joint(JointKind.SAID, match.end())
