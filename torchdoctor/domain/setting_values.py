"""The joints and the values of settings, for `settings`, which most commands import but few texts need."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from torchdoctor.domain.secret_names import (
    COLOUR,
    MASK,
    Name,
    Strength,
    names_an_action,
    rate_name,
    read_words,
)

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
    rf"(?i){_CLOSED}{COLOUR}?(?:{_SPACE}{{0,4}}:{_SPACE}{{0,4}}{_TYPE})?{_SPACE}{{0,40}}"
    rf"(?:(?P<arrow>->)|:=|=>|[!+?]?={{1,3}}|＝|%3d|%3a(?=%20|%22))(?:{_SPACE}{{0,40}}){COLOUR}?"
)
_LABELLED = re.compile(
    rf"(?i)(?:[ ](?:provided|given|used|supplied|value|specified|for[ ][^\s:'\"]{{1,60}}))?{_CLOSED}{COLOUR}?"
    rf"{_SPACE}{{0,24}}[:：](?![:/]/?/|\w{{1,12}}:`)(?:\*{{1,2}}|`(?=[ ]))?"
    rf"(?:[ \t]*[|>][+-]?[ \t]*\r?\n[ \t]{{1,40}}|\s{{0,80}}(?=[\"'])|{_SPACE}{{0,60}}){COLOUR}?"
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

_SETTING_CALL = re.compile(
    r"(?i)(?:set_?environment_?variable|set_?default|put_?env|set_?env|get_?env|environ\.get|set_key|setitem|add_header)"
    r"\(\s?[\"'\\]{1,4}$"
)

# What is code, and no value: os.environ["TOKEN"], args.token, get_token(), tokens[0].
_CODE = re.compile(
    r"(?:self|cls|args?|kwargs|opts?|options?|config|conf|cfg|settings|os|sys|env|environ|process|torch|np|np|tf|jax|hf"
    r"|request|req|response|resp|session|user|userdata|st|app|flags|params|hparams|ctx|context|module|model|tokenizer)"
    r"(?:[.\[(].*|->.*)"
    r"|[A-Za-z_]\w*(?:\.\w+)+[(\[].*|[A-Za-z_]+\[(?:[\d:\"'-]|\w*\]?$).*|[A-Za-z_]{3,}\(.*|await|lambda|not|[fbr]"
    r"|[\[(].*|-?\d*\.\d+(?:e-?\d+)?"
)
# The right side of an assignment in code: other.token, some_name.
_OTHER_NAME = re.compile(r"[A-Za-z_]+(?:\.[A-Za-z_]+)+|_*[a-z]+(?:_[a-z]+)+|_[A-Za-z]+")
_WRAPPER = re.compile(
    r"(?:(?:[\w.]{1,30}\.)?(?:str|bytes|bytearray|repr|Field|field|Some|Secret\w{0,20}|Password|Token"
    r"|[A-Z]\w{0,30}(?:Secret|Key|Token|Password|Credential|Auth))\([ ]?){1,2}"
    r"(?:(?:default|value|key|token|password)[ ]?=[ ]?)?(?=[bruf]{0,2}[\"'])"
)
# What stands for a value: None, a type, <token>, [MASK], ***, $TOKEN, ${TOKEN}, %TOKEN%, {token}.
_LITERAL = re.compile(
    r"(?i)(?:none|true|false|null|nil|undefined|nan|yes|no|str|string|bytes|bool|boolean|int|integer|float|number|any"
    r"|object|dict|list|tuple|typing\..*|(?:optional|union|list|dict|literal|tuple|callable)\[.*)"
    r"|<[^<>\n]{1,60}>|&lt;.{1,60}&gt;|\[[A-Z_]{1,20}\]|[*.…•xX_-]+|redacted|\[redacted\]|masked|<secret>.*"
    r"|\$(?:env:)?[A-Za-z_]\w*|\$\{[^{}]*\}\}?|\$\([^()]*\)|\$\{\{.*|%\w+%|%[sr]|%\(\w+\)s"
    r"|\{[A-Za-z_][\w.!:\[\]'\"()]*\}|\{\{.*\}\}|\{\d?\}"
)
_PLAIN = re.compile(r"[A-Z]?[a-z]{0,15}|-?\d{1,7}|0x[0-9a-fA-F]{1,8}")
# Names of other things, which weak names have as values.
_PLAIN_NAME = re.compile(r"_*[A-Za-z]+(?:[_.]+[A-Za-z]+)+_*|_+[A-Za-z]+_*|\*{1,2}[a-z]+|(?:[A-Z][a-z]+){2,4}")
_PLAIN_OR_NAME = re.compile(rf"[A-Z]{{1,10}}|{_PLAIN.pattern}|{_PLAIN_NAME.pattern}")
_CLASS = re.compile(r"(?:[A-Z][a-z]+){2,4}")
# A digit, or cases that change more often than in a word.
_RANDOM = re.compile(r"\d|(?:[A-Za-z]*[a-z][A-Z]){2}")
_END_OF_LINE = re.compile(r"[ \t]*(?:\r?\n|$)")
# The names of other things, in a list of names.
_IDENTIFIER = re.compile(
    r"[a-z]+(?:[_.-][a-z]+)*:?|[A-Z]+(?:_[A-Z]+)+|[A-Z][a-z]+(?: [a-z]+)*[:?]? ?|[a-zA-Z]+ [a-zA-Z ]*"
)
_TOKEN_LIKE = re.compile(r"(?=(?:\D*\d){2})(?=(?:[^A-Za-z]*[A-Za-z]){3})[\w-]{10,}")
# What is said of a secret instead of it.
_STATES = read_words(
    "accepted bad basic bearer changed correct deprecated disabled empty enabled error expired failed"
    " found hidden ignored incorrect invalid loaded masked mismatch missing needed none not null ok"
    " optional present refused rejected removed required secret set string text token type unchanged"
    " undefined unknown unset unused used valid value wrong yes"
)
_WORDS_OF_A_SENTENCE = read_words(
    "a after an and argument arguments as at before because by can cannot does flag for from has have if"
    " in instead is it may must not of on option options or parameter requires should so that the then to"
    " was when which will with without"
)
_SCHEME = re.compile(
    r"(?i)(?P<long>digest|aws4-hmac-sha256|oauth)[ ]+|(?:bearer|basic|token|api-?key|key)[ ]+(?=\S)"
)
_PATH = re.compile(r"[/~.\\]|[A-Za-z]:[\\/]?|$")

_OPENED = re.compile(
    r"(?i)(?:[bruf]{1,2}(?=\\{0,7}[\"']))?"
    r"(?P<quote>(?P<slashes>\\{0,7})(?P<sign>\"\"\"|'''|[\"'`])|&quot;|&\#34;|&apos;|“)"
)
_SLASHES_AND_QUOTE = {sign: re.compile(rf"(\\*)({sign})|[\r\n]") for sign in "\"'`"}
_BARE = re.compile(
    r"""(?x)(?:
        <(?:secret|user|host|email|domain|company)>
      | [^\s"'`)\]}>,;&<\\|%\[]
      | ["'`](?!$|[\s,;:)\]}>|"'`]) | ""(?=\w)
      | [)\]}](?!$|[\s,;:.)\]}"'`>|\\&])
      | [,;](?!$|[\s"'`)\]}])(?![ ]?[\w.-]{1,40}[ ]?[=:])
      | &(?!$|[\s&]|[\w.-]{1,40}=|quot;|amp;|lt;|gt;|\#34;)
      | %(?!26[\w.-]{1,40}(?:=|%3[dD])|22)
      | <(?!/|br|$)
      | >(?!$|[\s<])
      | [|](?!$|\s)
      | \\(?!\\*["'`](?:$|[\s,;:)\]}>|"'`])|[nrt][A-Za-z_]\w{0,40}[ ]?[=:]|[nrt](?:$|["']))
      | \[(?![\d;]{0,8}m)
    )+"""
)
_OPEN_ARGUMENT = re.compile(
    r"(?:set[ ](?=[\"']$)|(?:[\s,\[(]|^)(?=[\"'](?:--?|set[ ])$))([\"'])(?:--?|set[ ])?$"
)
_ARGUMENTS = {
    quote: re.compile(rf"(?:(?![ ]-)[^{quote}\\\n]){{1,200}}(?={quote}(?:[\s,;:)\]]|$))") for quote in "\"'"
}
# A list, but not {abc}def, which is one value.
_BRACKET = re.compile(r"(?!\{\w{1,40}\}\w|\(\w{1,40}\)\w|\[\w{1,40}\]\w)[\[({]")
_WORDS_IN_BRACKETS = re.compile(r"[A-Za-z_.]+,?|secret>.*|[\d.,:-]+")
_INNER = re.compile(r"[^\s\"'<>\[\](){}]{6,}(?=[\])}>])")


_AFTER_A_SAID_NAME = tuple(" `\"'*)")


class _Joint(NamedTuple):
    kind: str
    end: int
    is_compared: bool = False


def find_values(text: str, name: Name) -> Iterator[tuple[int, int]]:
    """Yield where the values of a name stand."""
    for joint in _find_joints(text, name):
        spans = list(_read_values(text, joint, name))
        if spans:
            yield from spans
            return


def _find_joints(text: str, name: Name) -> Iterator[_Joint]:
    before = text[max(0, name.start - 40) : name.start]
    if _OPEN_TAG.search(before) and (match := _ELEMENT.match(text, name.end)):
        yield _Joint("element", match.start("value"))
        return
    follower = text[name.end : name.end + 1]
    if _NAME_OF_A_PAIR.search(before) and (match := _PAIRED.match(text, name.end)):
        yield _Joint("paired", match.end())
        return
    if match := _ASSIGNED.match(text, name.end):
        yield _Joint(
            "arrow" if match["arrow"] else "assigned", match.end(), "==" in match[0] or "!=" in match[0]
        )
        return
    if name.text.lower() in ("sig", "signature"):
        return
    if match := _LABELLED.match(text, name.end):
        yield _Joint("labelled", match.end())
        return
    if follower == "(" and (match := _CALLED.match(text, name.end)):
        if not names_an_action(name.text):
            yield _Joint("called", match.end())
        return
    if match := _LISTED.match(text, name.end):
        yield _Joint("listed", match.end())
    is_set = name.is_option or _SETTER.search(before)
    if is_set and (match := _SPACED.match(text, name.end)):
        yield _Joint("spaced", match.end())
    if not name.is_option and (match := _IN_A_TABLE.match(text, name.end)):
        yield _Joint("table", match.end())
    if (
        follower in _AFTER_A_SAID_NAME
        and name.text.lower() != "pass"
        and (match := _SAID.match(text, name.end))
    ):
        yield _Joint("said", match.end())


def _read_values(text: str, joint: _Joint, name: Name) -> Iterator[tuple[int, int]]:
    position = joint.end
    if joint.kind == "element":
        end = text.index("<", position)
        if _is_hidden(text[position:end], "quoted", joint, name, text, end):
            yield (position, end)
        return
    wrapper = _WRAPPER.match(text, position)
    position = wrapper.end() if wrapper else position
    if joint.kind in ("assigned", "labelled", "listed") and _BRACKET.match(text, position):
        yield from _read_brackets(text, position, joint, name)
        return
    opened = _OPENED.match(text, position)
    if opened:
        end, is_closed = _find_closing(text, opened)
        start = opened.end()
        if scheme := _find_scheme(text, start, name):
            start = scheme.end()
        if start < end and (is_closed or not text[start].isspace()):
            value = text[start:end]
            if "f" in text[position : opened.start("quote")].lower():
                # What stands in the braces is code.
                value = re.sub(r"\{[^{}]*\}", "", value)
                value = value if re.search(r"\d", value) else ""
            if _is_hidden(value, "quoted", joint, name, text, end):
                yield (start, end)
            if joint.kind == "called":
                yield from _read_more_arguments(text, end, joint, name)
        return
    start = position
    if scheme := _find_scheme(text, start, name):
        start = scheme.end()
        if scheme["long"]:
            line = re.compile(r"[^\r\n]*").match(text, start)
            assert line is not None
            yield (start, line.end())
            return
    end = _find_end_of_bare(text, start, joint, name)
    if end > start and _is_hidden(text[start:end], "bare", joint, name, text, end):
        yield (start, end)


def _find_end_of_bare(text: str, start: int, joint: _Joint, name: Name) -> int:
    """Return where a value without quotes ends: at white space, or with its argument: '--token=a b'."""
    before = text[max(0, name.start - 8) : name.start]
    if joint.kind == "assigned" and (quote := _OPEN_ARGUMENT.search(before)):
        argument = _ARGUMENTS[quote[1]].match(text, start)
        if argument:
            return argument.end()
    bare = _BARE.match(text, start)
    return start if bare is None else start + len(bare[0].rstrip(".,;:"))


def _find_scheme(text: str, start: int, name: Name) -> re.Match[str] | None:
    return _SCHEME.match(text, start) if "auth" in name.text.lower() else None


_LONGEST_IN_SUCH_QUOTES = 4000


def _find_closing(text: str, opened: re.Match[str]) -> tuple[int, bool]:
    """Return where the value in a quote ends, and whether the quote is closed."""
    start = opened.end()
    sign = opened["sign"]
    if sign is None or len(sign) == 3:
        closing = {"“": "”"}.get(opened["quote"], opened["quote"])
        end = text.find(closing, start, start + _LONGEST_IN_SUCH_QUOTES)
        if end >= 0 and (sign or "\n" not in text[start:end]):
            return end, True
        return _find_end_of_line(text, start), False
    level = len(opened["slashes"])
    for match in _SLASHES_AND_QUOTE[sign].finditer(text, start):
        if match[2] is None:
            return match.start(), False
        slashes = len(match[1])
        if slashes < level:
            return match.start(), True
        if slashes % (2 * (level + 1)) == level and not _is_inner_quote(text, match, start):
            return match.end() - 1 - level, True
    return len(text), False


def _is_inner_quote(text: str, match: re.Match[str], start: int) -> bool:
    """Return whether a quote is one of a value: `it's`, and `a""b` in CSV, PowerShell and INI files."""
    sign = match[2]
    before, after = text[match.start() - 1], text[match.end() : match.end() + 1]
    is_first_of_two = after == sign and text[match.end() + 1 : match.end() + 2].isalnum()
    return match.start() > start and (
        is_first_of_two or (after.isalnum() and (before.isalnum() or before == sign))
    )


def _find_end_of_line(text: str, start: int) -> int:
    ends = [end for end in (text.find("\n", start), text.find("\r", start)) if end >= 0]
    return min(ends, default=len(text))


def _read_more_arguments(text: str, end: int, joint: _Joint, name: Name) -> Iterator[tuple[int, int]]:
    """Yield the strings that follow the first argument of a call: Auth("bob", "x")."""
    following = re.compile(r"\\{0,7}[\"'][ ]?,[ ]?(?=[bruf]{0,2}\\{0,7}[\"'])")
    for _ in range(4):
        comma = following.match(text, end)
        opened = _OPENED.match(text, comma.end()) if comma else None
        if opened is None:
            return
        end, _ = _find_closing(text, opened)
        if _is_hidden(text[opened.end() : end], "quoted", joint, name, text, end):
            yield (opened.end(), end)


_BRACKETS_AND_QUOTES = re.compile(r"[\[\](){}]|[bruf]{0,2}(?=\\{0,7}[\"'])|\n")
_MOST_IN_BRACKETS = 2000
_MOST_NESTED = 6


def _read_brackets(text: str, position: int, joint: _Joint, name: Name) -> Iterator[tuple[int, int]]:
    """Yield the strings in brackets, but not the keys of a mapping; without strings, what is in them."""
    depth = 0
    has_strings = False
    start, limit = position, position + _MOST_IN_BRACKETS
    while match := _BRACKETS_AND_QUOTES.search(text, position, limit):
        position = match.end()
        if match[0] in ("[", "(", "{"):
            depth += 1
            if depth > _MOST_NESTED:
                break
        elif match[0] in ("]", ")", "}"):
            depth -= 1
            if depth <= 0:
                break
        elif opened := _OPENED.match(text, match.start()):
            end, _ = _find_closing(text, opened)
            has_strings = True
            position = min(end + len(opened["quote"]), len(text))
            is_key = re.compile(r"[ ]?:").match(text, position)
            if not is_key and _is_hidden(text[opened.end() : end], "element", joint, name, text, end):
                yield (opened.end(), end)
        elif match[0] == "\n" and not has_strings and depth > 1:
            break
    if (
        not has_strings
        and (inner := _INNER.match(text, start + 1))
        and not _WORDS_IN_BRACKETS.fullmatch(inner[0])
    ):
        yield inner.span()


_LONGEST_WORD = 500
_SIGN_OF_A_WORD = re.compile(r"[^\W_]")


def _is_hidden(value: str, form: str, joint: _Joint, name: Name, text: str, end: int) -> bool:
    """Return whether a value is one that nobody may see; `end` is where it ends in the text."""
    value = value.strip()
    if not _SIGN_OF_A_WORD.search(value) or value.startswith(MASK):
        return False
    if len(value) < _LONGEST_WORD and (_LITERAL.fullmatch(value) or _names_something(value, form, name)):
        return False
    lowered_name = name.text.lower()
    if lowered_name in ("pwd", "oldpwd") and _PATH.match(value):
        return False
    if name.strength is Strength.FAINT:
        return _TOKEN_LIKE.fullmatch(value) is not None
    is_strong = name.strength is Strength.STRONG
    if len(value) > _LONGEST_WORD:
        return is_strong or " " not in value
    is_plain = (_PLAIN if is_strong else _PLAIN_OR_NAME).fullmatch(value) is not None
    if joint.kind == "spaced":
        return value.lower() not in _WORDS_OF_A_SENTENCE and (is_strong or not is_plain or value.isalpha())
    if form == "bare":
        if _CODE.fullmatch(value):
            return False
        if joint.kind == "arrow" or joint.is_compared:
            return re.search(r"\d", value) is not None and (is_strong or len(value) > 15)
        if joint.kind in ("said", "table"):
            is_setting = re.fullmatch(r"\w+=\w*", value)
            return _RANDOM.search(value) is not None and not is_setting and (is_strong or len(value) > 15)
        if joint.kind in ("labelled", "paired"):
            is_plain = is_plain or _CLASS.fullmatch(value) is not None
            return not is_plain or (
                is_strong and _stands_alone(text, name, end) and value.lower() not in _STATES
            )
        is_code = lowered_name.startswith(("self.", "cls.")) or text[name.start - 1 : name.start] == "["
        if is_code or text[joint.end - 1] == " ":
            is_plain = is_plain or _OTHER_NAME.fullmatch(value) is not None
            return not is_plain or (is_strong and not is_code and value.islower() and value.isalpha())
    if joint.kind == "listed" and value.startswith("-"):
        return False
    is_in_a_list = joint.kind == "listed" and not name.is_option and not _is_set_by_a_call(text, name)
    if is_in_a_list and _IDENTIFIER.fullmatch(value):
        return name.text.isupper() and not value.isupper() and is_plain
    if form == "element":
        is_told = "auth" in lowered_name and text[joint.end : joint.end + 1] == "("
        return is_strong or not is_plain or is_told
    return is_strong or (not is_plain and " " not in value)


def _is_set_by_a_call(text: str, name: Name) -> bool:
    before = text[max(0, name.start - 40) : name.start]
    return name.strength is Strength.STRONG and _SETTING_CALL.search(before) is not None


def _names_something(value: str, form: str, name: Name) -> bool:
    """Return whether a value is a name: --token TOKEN, token=hf_token, "password": "PASSWORD"."""
    letters = re.sub(r"[\W\d_]", "", value.lower())
    if letters == re.sub(r"[\W\d_]", "", name.text.lower()) and not re.search(r"\d", value):
        return True
    is_name = value.isupper() or (form == "bare" and "_" in value)
    return (
        is_name and re.fullmatch(r"[A-Za-z_]+", value) is not None and rate_name(value) is not Strength.NONE
    )


def _stands_alone(text: str, name: Name, end: int) -> bool:
    """Return whether a line has only a name and its value, as YAML and the answers to questions have."""
    before = text[max(0, name.start - 40) : name.start].rpartition("\n")[2]
    return not before.strip(" \t-*\"'`") and _END_OF_LINE.match(text, end) is not None
