"""Find the values of settings: where they begin behind a joint, and which quote, bracket or space ends them.

`settings` imports this where a text has the name of a secret, which few have.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from torchdoctor.domain.masks import MASKED
from torchdoctor.redaction.secrets.secret_names import Name
from torchdoctor.redaction.secrets.secret_values import Form, Value, is_secret
from torchdoctor.redaction.secrets.setting_expressions import Part, read_expression, read_operands
from torchdoctor.redaction.secrets.setting_joints import Joint, JointKind, find_joints
from torchdoctor.redaction.secrets.setting_quotes import OPENED, find_closing, find_end_of_line

_WRAPPER = re.compile(
    r"lambda:[ ](?=[bruf]{0,2}[\"'])"
    r"|(?:(?:[\w.]{1,30}\.)?(?:str|bytes|bytearray|repr|Field|field|Some|Secret\w{0,20}|Password|Token"
    r"|[A-Z]\w{0,30}(?:Secret|Key|Token|Password|Credential|Auth))\([ ]?){1,2}"
    r"(?:(?:default|value|key|token|password)[ ]?=[ ]?)?(?=[bruf]{0,2}[\"'])"
)
_SCHEME = re.compile(
    r"(?i)(?P<long>digest|aws4-hmac-sha256|oauth)[ ]+"
    r"|(?:negotiate|ntlm|hawk|splunk|bearer|basic|token|api-?key|key)[ ]+(?=\S)"
)
# Limited, because values that are no secrets are read again from the next name in them.
_BARE = re.compile(
    rf"(?x)(?:<(?:{MASKED})>"
    r"""
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
    ){1,4000}"""
)
_OPEN_ARGUMENT = re.compile(
    r"(?:set[ ](?=[\"']$)|(?:[\s,\[(={:]|^)(?=[\"'](?:--?|set[ ])?$))([\"'])(?:--?|set[ ])?$"
)
_ARGUMENTS = {
    quote: re.compile(rf"(?:(?![ ]-|%[sdr]\b)[^{quote}\\\n]){{1,200}}(?={quote}(?:[\s,;:)\]}}\"']|$))")
    for quote in "\"'"
}
# A list, but not {abc}def, which is one value.
_BRACKET = re.compile(r"(?!\{\w{1,40}\}\w|\(\w{1,40}\)\w|\[\w{1,40}\]\w)[\[({]")
_WORDS_IN_BRACKETS = re.compile(r"[A-Za-z_.]+,?|secret>.*|[\d.,:-]+")
_INNER = re.compile(r"[^\s\"'<>\[\](){}]{6,}(?=[\])}>])")
_BRACKETS_AND_QUOTES = re.compile(r"[\[\](){}]|[bruf]{0,2}(?=\\{0,7}[\"'])|\n")
_SIGN_OF_A_KEY = re.compile(r"[ ]?[:=]")
_NEXT_ARGUMENT = re.compile(r"\\{0,7}[\"'][ ]?,[ ]?(?=[bruf]{0,2}\\{0,7}[\"'])")
_MOST_ARGUMENTS = 8
_MOST_IN_BRACKETS = 2000
_MOST_NESTED = 6
# Their values can have several strings.
_OF_BRACKETS = (JointKind.ASSIGNED, JointKind.LABELLED, JointKind.LISTED)


class _Span(NamedTuple):
    start: int
    end: int
    form: Form


def find_values(text: str, name: Name) -> Iterator[tuple[int, int]]:
    """Yield where the secret values of a name stand."""
    for joint in find_joints(text, name):
        spans: list[tuple[int, int]] = []
        is_hidden = False
        for span in _read_values(text, joint, name):
            # What is added to a secret is a part of it.
            form = Form.CERTAIN if is_hidden and span.form is Form.ADDED else span.form
            is_hidden = is_secret(Value(text, name, joint, span.start, span.end, form))
            if is_hidden:
                spans.append((span.start, _find_whole_end(text, span)))
        if spans:
            yield from spans
            return


def _read_values(text: str, joint: Joint, name: Name) -> Iterator[_Span]:
    """Yield where the values behind a joint stand, whether they are secrets or not."""
    position = joint.end
    if joint.stop is not None:
        yield _Span(position, joint.stop, Form.QUOTED)
        return
    wrapper = _WRAPPER.match(text, position)
    position = wrapper.end() if wrapper else position
    if joint.kind in _OF_BRACKETS and _BRACKET.match(text, position):
        yield from _read_brackets(text, position)
    elif opened := OPENED.match(text, position):
        yield from _read_quoted(text, position, opened, joint, name)
    elif joint.kind in _OF_BRACKETS and (parts := read_expression(text, position)) is not None:
        yield from _read_parts(parts)
    else:
        yield from _read_bare(text, position, joint, name)


def _read_quoted(
    text: str, position: int, opened: re.Match[str], joint: Joint, name: Name
) -> Iterator[_Span]:
    end, is_closed = find_closing(text, opened)
    start = opened.end()
    if scheme := _find_scheme(text, start, name):
        start = scheme.end()
    if start < end and (is_closed or not text[start].isspace()):
        is_formatted = "f" in text[position : opened.start("quote")].lower()
        yield _Span(start, end, Form.FORMATTED if is_formatted else Form.QUOTED)
        if joint.kind is JointKind.CALLED:
            yield from _read_arguments(text, end)
    if is_closed and joint.kind is not JointKind.CALLED:
        yield from _read_parts(read_operands(text, end + len(opened["quote"]), is_behind_string=True))


def _read_parts(parts: Iterable[Part]) -> Iterator[_Span]:
    for part in parts:
        form = Form.FORMATTED if part.is_formatted else Form.ADDED if part.is_added else Form.QUOTED
        if part.end > part.start:
            yield _Span(part.start, part.end, form)


def _read_bare(text: str, start: int, joint: Joint, name: Name) -> Iterator[_Span]:
    if scheme := _find_scheme(text, start, name):
        start = scheme.end()
        if scheme["long"]:
            yield _Span(start, find_end_of_line(text, start), Form.CERTAIN)
            return
    end = _find_end_of_bare(text, start, joint, name)
    if end > start:
        yield _Span(start, end, Form.BARE)


def _find_end_of_bare(text: str, start: int, joint: Joint, name: Name) -> int:
    """Return where a value without quotes ends: at white space, or with its argument: '--token=a b'."""
    before = text[max(0, name.start - 8) : name.start]
    if joint.kind is JointKind.ASSIGNED and (quote := _OPEN_ARGUMENT.search(before)):
        argument = _ARGUMENTS[quote[1]].match(text, start)
        if argument:
            return argument.end()
    bare = _BARE.match(text, start)
    return start if bare is None else _drop_stops(text, start, bare.end())


def _find_whole_end(text: str, span: _Span) -> int:
    """Return where a value ends, also one that is longer than its pattern reads at once."""
    if span.form is not Form.BARE:
        return span.end
    end = span.end
    while more := _BARE.match(text, end):
        end = more.end()
    return _drop_stops(text, span.start, end)


def _drop_stops(text: str, start: int, end: int) -> int:
    """Return the end without the punctuation of a sentence."""
    return start + len(text[start:end].rstrip(".,;:"))


def _find_scheme(text: str, start: int, name: Name) -> re.Match[str] | None:
    return _SCHEME.match(text, start) if "auth" in name.text.lower() else None


def _read_arguments(text: str, end: int) -> Iterator[_Span]:
    """Yield the strings that follow the one that ends here: Auth("bob", "x")."""
    for _ in range(_MOST_ARGUMENTS):
        between = _NEXT_ARGUMENT.match(text, end)
        opened = OPENED.match(text, between.end()) if between else None
        if opened is None:
            return
        end, _ = find_closing(text, opened)
        if _SIGN_OF_A_KEY.match(text, end + len(opened["quote"])):
            return
        yield _Span(opened.end(), end, Form.QUOTED)


def _read_brackets(text: str, position: int) -> Iterator[_Span]:
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
        elif opened := OPENED.match(text, match.start()):
            end, _ = find_closing(text, opened)
            has_strings = True
            position = min(end + len(opened["quote"]), len(text))
            if not _SIGN_OF_A_KEY.match(text, position):
                yield _Span(opened.end(), end, Form.ITEM)
        elif match[0] == "\n" and not has_strings and depth > 1:
            break
    inner = None if has_strings else _INNER.match(text, start + 1)
    if inner and not _WORDS_IN_BRACKETS.fullmatch(inner[0]):
        yield _Span(*inner.span(), Form.CERTAIN)
