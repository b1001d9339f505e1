"""Find the lines in which a person quotes somebody else: advice, or an error of another computer."""

from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.text.clean import Line
from torchdoctor.readers.printed_errors import ERROR

# Not the prompt of Python.
_MARK = r"\s{0,3}(?:> ?){1,4}(?!>)"
_COMMAND = (
    r"\b(?:pip3?|conda|mamba|uv|poetry) (?:-\S{1,30} )?"
    r"(?:install|uninstall|add|remove|update|sync|create|pip)\b"
)
# A sentence: it begins with words, and not with a command or a label.
_SENTENCE = (
    r"(?!(?:pip3?|python|py|conda|mamba|uv|poetry|git|cd|set)\b)(?:[*_\"'`-]{0,3}[^\W\d_][\w']{0,20},? ){2}"
    r"|[^\n]{0,40}[\u4e00-\u9fff]{4}"
)
# What programs print, which a person quotes of their own screen.
_PRINTED = (
    r"\w(?:Error|Exception)\b|\bTraceback\b|\b(?:ERROR|error|fatal):"
    r"|\b(?:Successfully|Collecting|Requirement already|Installing collected|Looking in) \w"
)
# A line that only holds a command, behind a prompt, or the place at which a debugger stands.
_TYPED = (
    r"(?:&|\"?[a-z]:[\\/][^\n]{1,200}?(?:\.(?:exe|bat|cmd|ps1)\b|\.py\(\d{1,6}\))|\.{1,2}[\\/]"
    r"|(?:pip3?|python3?|py|conda|mamba|uv|poetry|git|cd|set|call|nvidia-smi|nvcc|where|webui|start|import"
    r"|from|print)\b)(?!.*(?:Error|Exception)\b)|$"
)
# The prompt of Python, and the line of code that pytest points at.
_POINTED = r"\s{0,3}(?:>>>|>\s{4,})|\s*>?\s*$"
# Who wrote what is quoted.
_WROTE = (
    r"(?:wrote|said|says|writes|posted|reported|schrieb|schreibt|a écrit|escribi[oó]|escreveu|ha scritto"
    r"|napisał|yazdı|написала?|пишет|写道|说|さん|님)"
)
_WRITTEN_BY = rf"@[\w-]{{2,40}}\b|[^\n]{{2,100}}\b{_WROTE}\s?[:：]"
_ANNOUNCED = rf"{_WROTE}\s?[:：]?\s*$|^(?!.*\b(?:i|my|we)\b)\W{{0,3}}@[\w-]{{2,40}}\b[^\n]{{0,40}}$"
# Who introduces a quotation as the own error: "I get:"
_INTRODUCED = (
    r"(?:\b(?:i|my|mine|me|we|our|this|following|below|error|output|log|traceback|ich|mein\w*|je|mon|ma|mi|eu"
    r"|meu|mio|mój|я|у меня|мой)\b|我|错误|报错|エラー|오류)[^\n]{0,200}[:：]\s*$"
)
# Who tells in the own words of a text what somebody else has written or has got.
_SOMEBODY = (
    r"(?:chat ?gpt|gpt|claude|copilot|gemini"
    r"|(?:some(?:body|one)|another (?:user|person)|a user|others?|he|she|they)(?: here| there| else)?)"
)
_SAYS = r"(?:told|tells|said|says|wrote|writes|suggest\w*|recommend\w*|had|has|got|gets|posted)"
_SOURCE = r"(?:issue|thread|discussion|forum|stack ?overflow|reddit|answer|advice|post|comment|guide)"
_TELLS = (
    r"(?:^on [^\n]{6,60}\bwrote"
    r"|^(?:am|le|el|em|il|dne|w dniu|op) [^\n]{4,60}\b(?:schrieb|a écrit|escribió|escreveu|ha scritto"
    r"|napisał|schreef)\b[^:\n]{0,40}"
    r"|^[^\n]{0,40}\b20\d\d\b[^\n]{0,40}(?:写道|пишет|написала?|さん(?:が|の)[^:：\n]{0,12}|님이[^:：\n]{0,12})"
    rf"|\b(?:from|in|an?|the|this|that|one|his|her) (?:(?:an?|the|this) )?{_SOURCE}\b[^\n:]{{0,60}}"
    rf"|\b{_SOMEBODY} {_SAYS}\b[^\n:]{{0,60}})\s?[:：](?P<told>[^\n]*)$"
)
# The writer's own words again.
_RESUMES = (
    r"(?:^|(?<=[.!?)\"'] ))\W{0,4}(?:(?:but|and|so|now|here|hi \w+|hello),? ){0,3}"
    r"(?:i(?:['’](?:m|ve))?|we|mine|my|for me|in my|on my)\b"
    r"|(?:^|(?<=[.!?)\"'] )|(?<=, ))\W{0,4}(?:(?:aber|und|mais|et|pero|y|mas|e|ma|но|а|hallo \w+|hi \w+"
    r"|bonjour \w+|hola \w+|olá \w+|ciao \w+),? ){0,2}"
    r"(?:ich|bei mir|meine?r?|mein|chez moi|moi|j['’]ai|je|mon|ma|yo|a mí|en mi|mi|tengo|eu|no meu|meu|minha"
    r"|io|da me|ho|il mio|la mia|у меня|я|мой|моя)(?![\w])|^\W{0,4}(?:但)?(?:我|私|僕|저)"
)
_MOST_TOLD = 40
# The lines of a chat, with who said each; one of them is the writer.
_ME = r"(?:me|myself|op|ich|moi|yo|eu|io|ja|ben|i|я|我|本人|私|自分|나|본인)"
_SPEAKER = (
    rf"\W{{0,3}}(?:(?P<own>{_ME}(?=[ :：([])|[\w.@-]{{1,24}}[ ]?[(（\[]{_ME}[)）\]])"
    r"|(?P<name>@?[^\W\d_][\w.-]{0,23}))"
    r"(?: ?[(\[]\d{1,2}:\d\d(?: ?[ap]m)?[)\]])? ?[:：](?=\s)(?P<said>.{2,})"
)
# What has a colon behind it, and is no name of a person.
_LABEL = (
    r"\w{0,40}(?:error|exception|warning|info|debug|note|version|python|torch\w{0,8}|cuda|gpus?|cards?|driver"
    r"|os|system|windows|platform|cpu|ram|vram|link|nvcc|ninja|file|line|name|location|path|problem|question"
    r"|solution|update|edit|requirements?|minimum|recommended|thread|title|env\w{0,10}|setup|command|output"
    r"|log|traceback|hint|see|from|subject|date|numpy|xformers)"
)
_DRIVE = r"(?<![A-Za-z])[A-Za-z]:(?=[\\/]{1,2}[^\\/\s])"
_WORDS = r"[^\W\d_]{2}"


def drop_advice(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines without those that quote advice: sentences of somebody else with a command.

    A line behind a mark may also be a prompt, or a person's own error or list of versions: these stay.
    """
    quoted = {
        index
        for run in _find_runs(lines)
        if _is_advice([lines[index].text for index in run])
        for index in run
    }
    return [line for index, line in enumerate(lines) if index not in quoted] if quoted else lines


def find_quoted(lines: Sequence[Line]) -> frozenset[int]:
    """Return the indices of the lines that quote an error of another person; none where all is quoted.

    Such lines stand at the start of a text, or name who wrote them, or stand beside the writer's own error.
    What a writer introduces ("I get:") is the own error, and lines with a command are behind a prompt.
    """
    runs = list(_find_runs(lines))
    told = {index for run in (*_find_told(lines), *_find_other_speakers(lines)) for index in run}
    if not runs and not told:
        return frozenset()
    marked = {index for run in runs for index in run} | told
    own = [index for index, line in enumerate(lines) if index not in marked and _has_words(line.text)]
    if not own:
        return frozenset()
    has_error = _has_own_error(lines, marked)
    return frozenset(told).union(
        *(run for run in runs if _is_of_others(run, lines, own, has_error=has_error))
    )


def drop_quoted(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines without the errors of other persons, if the writer shows an own error beside them."""
    quoted = find_quoted(lines)
    if not quoted or not _has_own_error(lines, quoted):
        return lines
    return [line for index, line in enumerate(lines) if index not in quoted]


def clear_quoted_places(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines without the drives of quoted paths: no folder of another person is the writer's."""
    quoted = find_quoted(lines)
    if not any(pattern(_DRIVE).search(lines[index].text) for index in quoted):
        return lines
    return [
        line._replace(text=pattern(_DRIVE).sub("", line.text)) if index in quoted else line
        for index, line in enumerate(lines)
    ]


def _has_own_error(lines: Sequence[Line], quoted: Container[int]) -> bool:
    return any(
        pattern(ERROR).search(line.text) is not None
        for index, line in enumerate(lines)
        if index not in quoted
    )


def _is_of_others(run: Sequence[int], lines: Sequence[Line], own: Sequence[int], *, has_error: bool) -> bool:
    texts = [pattern(_MARK).sub("", lines[index].text, count=1) for index in run]
    if all(pattern(_POINTED).match(lines[index].text) for index in run):
        return False
    if all(pattern(_TYPED, True).match(text.strip()) for text in texts):
        return False
    # The last line of the writer's own in front of the quotation.
    place = bisect_left(own, run[0])
    introduction = lines[own[place - 1]].text if place else ""
    if pattern(_WRITTEN_BY, True).match(texts[0]) or pattern(_ANNOUNCED, True).search(introduction[-120:]):
        return True
    # A command of pip with what it printed was typed by the writer.
    if pattern(_INTRODUCED, True).search(introduction) or any(map(pattern(_COMMAND).search, texts)):
        return False
    return not place or has_error


def _has_words(text: str) -> bool:
    return pattern(_WORDS).search(text) is not None


def _find_runs(lines: Sequence[Line]) -> Iterator[list[int]]:
    """Yield the indices of marked lines that follow each other."""
    run: list[int] = []
    for index, line in enumerate(lines):
        if ">" in line.text[:4] and pattern(_MARK).match(line.text):
            run.append(index)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _find_told(lines: Sequence[Line]) -> Iterator[range]:
    """Yield the indices of the lines that follow an announcement, up to the writer's own words."""
    start = 0
    for index, line in enumerate(lines):
        match = pattern(_TELLS, True).search(line.text) if index >= start and ":" in line.text else None
        if match is None:
            continue
        first = index if match["told"].strip() else index + 1
        following = range(index, min(index + 1 + _MOST_TOLD, len(lines)))
        texts = (match["told"] if each == index else lines[each].text for each in following)
        found = map(_find_resumption, following, texts)
        start = next((each for each in found if each is not None), 0)
        yield range(first, start)


def _find_other_speakers(lines: Sequence[Line]) -> Iterator[range]:
    """Yield the indices of what others say in a chat in which the writer marks the own lines ("Me:")."""
    if not any(pattern(rf"\b{_ME}[)）\]]? ?[:：]", True).search(line.text[:60]) for line in lines):
        return
    found = [(index, pattern(_SPEAKER, True).match(line.text[:400])) for index, line in enumerate(lines)]
    speakers = [
        (index, match["own"] is not None)
        for index, match in found
        if match is not None and not pattern(_LABEL, True).fullmatch(match["name"] or "")
    ]
    if not any(is_own for _, is_own in speakers):
        return
    ends = [*(index for index, _ in speakers[1:]), len(lines)]
    yield from (range(index, end) for (index, is_own), end in zip(speakers, ends, strict=True) if not is_own)


def _find_resumption(index: int, text: str) -> int | None:
    """Return the index of the first line of the writer's own, if it is this one or the next; else None."""
    match = pattern(_RESUMES, True).search(text)
    if match is None:
        return None
    # Where both stand in one line, it counts by its error.
    is_own = match.start() == 0 or pattern(ERROR).search(text[match.start() :]) is not None
    return index if is_own else index + 1


def _is_advice(run: Sequence[str]) -> bool:
    texts = [pattern(_MARK).sub("", text, count=1) for text in run]
    return (
        any(pattern(_COMMAND).search(text) for text in texts)
        and any(pattern(_SENTENCE).match(text) for text in texts)
        and not any(pattern(_PRINTED).search(text) for text in texts)
    )
