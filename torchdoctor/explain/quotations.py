"""Find the lines in which a person quotes what somebody else advised."""

from collections.abc import Iterator, Sequence

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


def _is_advice(run: Sequence[str]) -> bool:
    texts = [pattern(_MARK).sub("", text, count=1) for text in run]
    return (
        any(pattern(_COMMAND).search(text) for text in texts)
        and any(pattern(_SENTENCE).match(text) for text in texts)
        and not any(pattern(_PRINTED).search(text) for text in texts)
    )
