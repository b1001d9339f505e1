"""Find the lines in which a person quotes somebody else: advice, or an error of another computer."""

from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.clean import Line

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
# An error, and not only its word.
_ERROR = r"\w(?:Error|Exception)\b ?[:(]|\[WinError \d|\bCUDA error\b|\b(?:ERROR|fatal): \w"
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
# What somebody else says, quoted in the line itself behind a colon.
_TOLD = (
    r"\W{0,3}(?:from|in|see) (?:the )?(?:github )?(?:issue|thread|pull request|discussion|pr|comment)"
    r" ?#?\d{0,6}[^\n:]{0,40}:"
    r"|\W{0,3}(?:chat ?gpt|copilot|gemini|deepseek|an? (?:answer|friend|colleague)|somebody|someone)\b"
    r"[^\n:]{0,40}"
    r"\b(?:told|tells|said|says|suggest\w*|wrote|meant|thinks|mentions?)\b[^\n:]{0,60}:"
)
# The line above a block or indented lines that are another person's.
_ABOVE = (
    r"\b(?:answer|advice|reply|comment|post|guide|instructions?|tutorial)"
    r" (?:from|on|of|by|at) [^\n:]{2,40}:\s*$"
    rf"|\b{_WROTE}\s?[:：]\s*$"
)
# Who introduces a quotation as the own error: "I get:"
_INTRODUCED = (
    r"(?:\b(?:i|my|mine|me|we|our|this|following|below|error|output|log|traceback|ich|mein\w*|je|mon|ma|mi|eu"
    r"|meu|mio|mój|я|у меня|мой)\b|我|错误|报错|エラー|오류)[^\n]{0,200}[:：]\s*$"
)
_DRIVE = r"(?<![A-Za-z])[A-Za-z]:(?=[\\/]{1,2}[^\\/\s])"
_LONGEST_QUOTATION = 40
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
    if not runs:
        return frozenset()
    marked = {index for run in runs for index in run}
    own = [index for index, line in enumerate(lines) if index not in marked and _has_words(line.text)]
    if not own:
        return frozenset()
    has_error = _has_own_error(lines, marked)
    return frozenset(
        index for run in runs if _is_of_others(run, lines, own, has_error=has_error) for index in run
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
        pattern(_ERROR).search(line.text) is not None
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
    if pattern(_TOLD, True).match(texts[0]) or _is_unmarked(run, lines):
        return True
    if pattern(_WRITTEN_BY, True).match(texts[0]) or pattern(_ANNOUNCED, True).search(introduction[-120:]):
        return True
    # A command of pip with what it printed was typed by the writer.
    if pattern(_INTRODUCED, True).search(introduction) or any(map(pattern(_COMMAND).search, texts)):
        return False
    return not place or has_error


def _has_words(text: str) -> bool:
    return pattern(_WORDS).search(text) is not None


def _is_unmarked(run: Sequence[int], lines: Sequence[Line]) -> bool:
    """Return whether lines are those below a line that announces another person's."""
    above = lines[run[0] - 1].text if run[0] else ""
    is_marked = pattern(_MARK).match(lines[run[0]].text) is not None
    return not is_marked and pattern(_ABOVE, True).search(above[-160:]) is not None


def _find_below(lines: Sequence[Line], index: int) -> list[int]:
    """Return the indices of the indented lines, or of the block, below a line that announces them."""
    below = list(range(index + 1, min(index + 1 + _LONGEST_QUOTATION, len(lines))))
    if below and lines[below[0]].text.lstrip().startswith("```"):
        ends = [each for each in below[1:] if lines[each].text.lstrip().startswith("```")]
        return list(range(below[0], ends[0] + 1)) if ends else []
    run = []
    for each in below:
        if not lines[each].text.startswith(("  ", "\t")):
            break
        run.append(each)
    return run


def _find_runs(lines: Sequence[Line]) -> Iterator[list[int]]:
    """Yield the indices of lines that quote, and follow each other: marked, or announced as another's."""
    run: list[int] = []
    for index, line in enumerate(lines):
        if ":" in line.text and pattern(_TOLD, True).match(line.text) and pattern(_ERROR).search(line.text):
            yield [index]
        elif line.text.rstrip().endswith((":", "：")) and pattern(_ABOVE, True).search(line.text[-160:]):
            below = _find_below(lines, index)
            if below:
                yield below
        if ">" in line.text[:4] and pattern(_MARK).match(line.text):
            run.append(index)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _is_advice(run: Sequence[str]) -> bool:
    texts = [pattern(_MARK).sub("", text, count=1) for text in run]
    return (
        any(pattern(_COMMAND).search(text) for text in texts)
        and any(pattern(_SENTENCE).match(text) for text in texts)
        and not any(pattern(_PRINTED).search(text) for text in texts)
    )
