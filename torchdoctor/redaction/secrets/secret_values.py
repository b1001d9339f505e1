"""Recognise values that are secrets, not code or words, by their form and the name before them."""

import re
from enum import Enum, auto
from typing import NamedTuple

from torchdoctor.redaction.people.hosts import read_own_words
from torchdoctor.redaction.secrets.secret_names import MASK, Name, Strength, rate_name, read_words
from torchdoctor.redaction.secrets.setting_joints import Joint, JointKind

_SETTING_CALL = re.compile(
    r"(?i)(?:set_?environment_?variable|set_?default|put_?env|set_?env|get_?env|environ\.get|set_key|setitem|add_header)"
    r"\(\s?[\"'\\]{1,4}$"
)

# What is code, and no value: os.environ["TOKEN"], args.token, get_token(), tokens[0].
_CODE = re.compile(
    r"(?:self|cls|args?|kwargs|opts?|options?|config|conf|cfg|settings|os|sys|env|environ|process|torch|np|tf|jax|hf"
    r"|request|req|response|resp|session|user|userdata|st|app|flags|params|hparams|ctx|context|module|model|tokenizer)"
    r"(?:[.\[(].*|->.*)"
    r"|[A-Za-z_]\w*(?:\.\w+)+[(\[].*|[A-Za-z_]+\[(?:[\d:\"'-]|\w*\]?$).*|[A-Za-z_]{3,}\(.*|[A-Za-z_]\w{2,}\([brf]?[\"'].*|await|lambda|not|[fbr]"
    r"|[\[(].*|-?\d*\.\d+(?:e-?\d+)?"
)
# The right side of an assignment in code: other.token, some_name.
_OTHER_NAME = re.compile(r"[A-Za-z_]+(?:\.[A-Za-z_]+)+|_*[a-z]+(?:_[a-z]+)+|_[A-Za-z]+")
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
_END_OF_LINE = re.compile(r"[ \t]*(?:\r?\n|$|(?<=[ \t])#)")
# The names of other things, in a list of names.
_IDENTIFIER = re.compile(
    r"[a-z]+(?:[_.-][a-z]+)*:?|[A-Z]+(?:_[A-Z]+)+|[A-Z][a-z]+(?: [a-z]+)*[:?]? ?|[a-zA-Z]+ [a-zA-Z ]*"
)
_TOKEN_LIKE = re.compile(r"(?=(?:\D*\d){2})(?=(?:[^A-Za-z]*[A-Za-z]){3})[\w-]{10,}")
# What is said of a secret instead of it.
_STATES = read_words(
    "absent accepted authentication available bad basic bearer changed configured correct deprecated"
    " detected disabled empty enabled error exists expected expired failed found generated given hidden"
    " ignored incorrect invalid length loaded masked mismatch missing needed none not null ok optional"
    " present provided refused rejected removed required secret set string supplied text token type"
    " unavailable unchanged undefined unknown unset unused used valid value wrong yes"
)
_WORDS_OF_A_SENTENCE = read_words(
    "a after an and argument arguments as at before because by can cannot does flag for from has have if"
    " in instead is it may must not of on option options or parameter requires should so that the then to"
    " was when which will with without"
)
# What a name of a secret is listed with: ("password", "username").
_FIELDS = read_words(
    "address age bool card city code comment confirm country creator csv date default desc description"
    " digest dob email endpoint field first gender group hash hidden hostname id input int ip json key"
    " keys label last login mail nickname owner pass password passwords phone phrase pin plain port"
    " profile random reset role salt secrets sha size time timestamp title tokens ts url user userid"
    " username users uuid var variable zip"
)
# What ends a value that is no word of a sentence, and what a name of one follows in a line.
_END_OF_VALUE = re.compile(r"[ \t]*(?:[,;}\])\"'|]|\r?\n|$)|[ \t]+\#")
_END_OF_FLOW = re.compile(r"[ ]?[,}]")
_FLOW = re.compile(r"\{(?:[^{}\n]*,)?[ ]?[\"']?$")
_HEADER = re.compile(r"(?i)(?:x-[\w-]+|[\w-]+-(?:key|token|secret)|(?:proxy-)?authorization)")
_OPEN_QUOTE = re.compile(r"(?:(?:-H|--header)[ =]|[\[(,][ ]?|^)[\"']$")
_END_OF_A_PART = re.compile(r"(?:[:\]|>;][ \t]+|\b(?:INFO|DEBUG|WARNING|WARN|ERROR)[ ])(?:-[ ])?$")
_PAIR = re.compile(r"(?<![\w\])])\([ ]?[bruf]{0,2}\\{0,7}[\"'`]$")
_END_OF_A_PAIR = re.compile(r"\\{0,7}[\"'`][ ]?\)")
_PATH = re.compile(r"[/~.\\]|[A-Za-z]:[\\/]?|$")
_IN_BRACES = re.compile(r"\{[^{}]*\}")
_LONGEST_WORD = 500
_SHORTEST_OF_A_WEAK_NAME = 4
_SIGN_OF_A_WORD = re.compile(r"[^\W_]")


class Form(Enum):
    """How a value is written."""

    BARE = auto()
    QUOTED = auto()
    # f"..."
    FORMATTED = auto()
    # A string that is added to the one before.
    ADDED = auto()
    # One of the strings in brackets.
    ITEM = auto()
    # What stands here is a secret whatever it is.
    CERTAIN = auto()


class Value(NamedTuple):
    """A value of a setting: where it stands in a text, and how it is written."""

    text: str
    name: Name
    joint: Joint
    start: int
    end: int
    form: Form


def is_secret(value: Value) -> bool:
    """Return whether a value is one that nobody may see."""
    content = value.text[value.start : value.end].strip()
    if value.form is Form.CERTAIN:
        return not content.startswith(MASK)
    if value.form is Form.FORMATTED:
        # What stands in the braces is code.
        content = _IN_BRACES.sub("", content)
        if not re.search(r"\d", content):
            return False
    if not _SIGN_OF_A_WORD.search(content) or content.startswith(MASK):
        return False
    if len(content) < _LONGEST_WORD and (_LITERAL.fullmatch(content) or _names_something(content, value)):
        return False
    if value.name.text.lower() in ("pwd", "oldpwd") and _PATH.match(content):
        return False
    # The credentials of an address are hidden by themselves.
    if value.name.text.lower().endswith("dsn") and "://" in content:
        return False
    if value.name.strength is Strength.FAINT:
        return _TOKEN_LIKE.fullmatch(content) is not None
    is_strong = value.name.strength is Strength.STRONG
    if not is_strong and len(content) < _SHORTEST_OF_A_WEAK_NAME:
        return False
    if len(content) > _LONGEST_WORD:
        return is_strong or " " not in content
    is_plain = (_PLAIN if is_strong else _PLAIN_OR_NAME).fullmatch(content) is not None
    if value.joint.kind is JointKind.SPACED:
        return content.lower() not in _WORDS_OF_A_SENTENCE and (
            is_strong or not is_plain or content.isalpha()
        )
    if value.form is Form.BARE:
        return _is_secret_without_quotes(content, value, is_strong, is_plain)
    return _is_secret_in_quotes(content, value, is_strong, is_plain)


def _is_secret_without_quotes(content: str, value: Value, is_strong: bool, is_plain: bool) -> bool:
    """Return whether a value that can also be code or a word of a sentence is a secret."""
    text, name, joint = value.text, value.name, value.joint
    if _CODE.fullmatch(content):
        return False
    if joint.kind is JointKind.ARROW or joint.is_compared:
        return re.search(r"\d", content) is not None and (is_strong or len(content) > 15)
    if joint.kind in (JointKind.SAID, JointKind.TABLE):
        is_setting = re.fullmatch(r"[\w-]+=\w*", content)
        return _RANDOM.search(content) is not None and not is_setting and (is_strong or len(content) > 15)
    if joint.kind in (JointKind.LABELLED, JointKind.PAIRED):
        if not is_plain and not _CLASS.fullmatch(content):
            return True
        is_said = content.lower() in _STATES
        return is_strong and not is_said and (_stands_alone(value) or _is_no_sentence(content, value))
    is_code = name.text.lower().startswith(("self.", "cls.")) or text[name.start - 1 : name.start] == "["
    if is_code or text[joint.end - 1] == " ":
        if not is_plain and not _OTHER_NAME.fullmatch(content):
            return True
        return is_strong and not is_code and content.islower() and content.isalpha()
    return is_strong or (not is_plain and " " not in content)


def _is_secret_in_quotes(content: str, value: Value, is_strong: bool, is_plain: bool) -> bool:
    text, name, joint = value.text, value.name, value.joint
    if joint.kind is JointKind.LISTED:
        if content.startswith("-"):
            return False
        is_set = name.is_option or (is_strong and _is_argument_of_a_setter(value))
        if not is_set and _IDENTIFIER.fullmatch(content):
            is_variable = name.text.isupper() and not content.isupper() and is_plain
            return is_variable or (is_strong and content.isalpha() and _is_pair(content, value))
    if value.form is Form.ITEM:
        # ("user", "password") of HTTP.
        is_login = "auth" in name.text.lower() and text[joint.end : joint.end + 1] == "("
        return is_strong or not is_plain or is_login
    return is_strong or (not is_plain and " " not in content)


def _is_argument_of_a_setter(value: Value) -> bool:
    before = value.text[max(0, value.name.start - 40) : value.name.start]
    return _SETTING_CALL.search(before) is not None


def _names_something(content: str, value: Value) -> bool:
    """Return whether a value is a name: --token TOKEN, token=hf_token, "password": "PASSWORD"."""
    letters = re.sub(r"[\W\d_]", "", content.lower())
    if letters == re.sub(r"[\W\d_]", "", value.name.text.lower()) and not re.search(r"\d", content):
        return True
    is_bare = value.form is Form.BARE
    is_name = content.isupper() or (is_bare and ("_" in content or content in ("pw", "pwd", "token")))
    return (
        is_name
        and re.fullmatch(r"[A-Za-z_]+", content) is not None
        and rate_name(content) is not Strength.NONE
    )


def _is_pair(content: str, value: Value) -> bool:
    """Return whether a tuple is a name and a word that is no other field: ("password", "x")."""
    text, start = value.text, value.name.start
    return (
        _PAIR.search(text, max(0, start - 12), start) is not None
        and _END_OF_A_PAIR.match(text, value.end) is not None
        and not _is_ordinary(content)
    )


def _is_ordinary(word: str) -> bool:
    """Return whether a word is one of states, of fields, or of this program's own texts."""
    if rate_name(word) is not Strength.NONE:
        return True
    word = word.lower()
    return word in _STATES or word in _FIELDS or word in _WORDS_OF_A_SENTENCE or word in read_own_words()


def _is_no_sentence(content: str, value: Value) -> bool:
    """Return whether the form of a line says that a word behind a colon is a value.

    It is a header or a mapping of YAML in braces, the name is that of a variable, or both are all that
    follows a colon: `{user: x, password: x}`, `HF_TOKEN: x`, `Authorization: Bearer x`, `INFO: password: x`.
    """
    text, name = value.text, value.name
    if not _END_OF_VALUE.match(text, value.end) or _is_ordinary(content):
        return False
    before = text[max(0, name.start - 200) : name.start].rpartition("\n")[2]
    # /password:x and -password:x
    is_option = text[value.joint.end - 1] == ":" and (name.is_option or before.endswith(" /"))
    if is_option or name.text.isupper() or text[value.joint.end : value.start].strip():
        return True
    if _FLOW.search(before) and _END_OF_FLOW.match(text, value.end):
        return True
    if _HEADER.fullmatch(name.text) and _OPEN_QUOTE.search(before):
        return True
    return len(content) > 5 and _END_OF_A_PART.search(before) is not None


def _stands_alone(value: Value) -> bool:
    """Return whether a line has only a name and its value, as YAML and the answers to questions have."""
    start = value.name.start
    before = value.text[max(0, start - 40) : start].rpartition("\n")[2]
    return not before.strip(" \t-*\"'`") and _END_OF_LINE.match(value.text, value.end) is not None
