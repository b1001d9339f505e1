"""What people write of their own machine in a sentence or a form; weaker than what a program prints.

A sentence that wants, advises or compares something states nothing of the machine. So only short sentences
are read, and none with a word for a wish.
"""

from collections.abc import Iterator
from itertools import islice

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.card_claims import names_new_card
from torchdoctor.readers.claims import read_claims
from torchdoctor.readers.own_clauses import INTRODUCED, OTHER, TOO_LONG_WRAPPED, find_own_clauses
from torchdoctor.readers.sentence_values import SYSTEM, cut_former_answer, read_sentence, read_software
from torchdoctor.readers.sentences import (
    BETWEEN_SCRIPTS,
    clear_emphasis,
    clear_lead,
    is_of_program,
    list_sentences,
)
from torchdoctor.readers.statements import Lines, Statement, Topic
from torchdoctor.readers.voices import is_former

_NAME = "prose"
# What a list of versions is introduced with if none of them need be installed.
_WISHED_LIST = (
    r"requir|minimum|\bpins?\b|must|install|recommend|support|\bneed|upgrad|bump|would it be|\bideally\b"
)
_NO_PROSE = (
    r"^\s*(?:File |at |[A-Za-z]:\\|/|[\w.]{1,60}(?:Error|Warning|Exception)\b)"
    r"|site-packages|\bTraceback|[{}|]{2}|={2}(?! ?(?:True|False))"
)
_TOO_LONG = 160
# Such a wish is one until the end of its sentence, over the commas.
_WISHED_CLAUSES = r"需要|推荐|推薦|建议|要求|最低|请安装"
# Beside a machine that is called local, another one.
_OTHER_MACHINE = r"服务器|云端|集群|公司的"
_CLAUSES = r",\s|\s(?:and|but|or|so|because)\s|; "
# What an interpreter or an environment has, in brackets behind it.
_BESIDE_PYTHON = (
    r"(?:python(?:3(?:\.\d{1,2})?)?(?:\.exe)|\.?venv|\benv(?:ironment)?)[`'\"*]{0,2} ?[(（]"
    r"(?P<inside>(?:python|(?:py)?torch)[^()（）\n]{5,80})[)）]"
)
# The same of a machine: "on my PC (Windows 11, RTX 3060)".
_BESIDE_OWN = (
    r"\b(?:my|our) (?:own )?(?:pc|machine|laptop|computer|system|setup|rig|desktop|workstation"
    r"|env\w{0,9})[\w ]{0,12} ?\("
    r"(?P<inside>[^()\n]{5,120})\)"
)
_RELEASE = (
    r"(?<![\w.])(?:py)?torch\b\W{0,3}[^+.,\n]{0,24}?"
    r"([12]\.\d{1,2}\.\d{1,2}(?:\.?dev\d{1,8})?\+(?:cu\d{2,3}|cpu))\b"
)
# A pin with the tag of a build is seldom a wish.
_TAGGED_PIN = r"(?<=torch)==(?=[12]\.\d{1,2}\.\d{1,2}\+(?:cu\d{2,3}|cpu)\b)"
_INDEX = r"/whl/(?:\w{1,12}/)?(cu\d{2,3}|cpu)\b"
_LINK = r"\[([^\[\]\n]{1,120})\]\([^()\s]{0,300}(?:\([^()\s]{0,60}\)[^()\s]{0,60})?\)"
# Nobody says more: what goes on is a log or a table.
_MOST_STATEMENTS = 2000


def read(lines: Lines) -> Iterator[Statement]:
    """Yield what short lines of a person say."""
    yield from islice(_read_sentences(lines), _MOST_STATEMENTS)
    yield from read_claims(lines)


def _read_sentences(lines: Lines) -> Iterator[Statement]:
    is_listed_wish = False
    has_one_build = _has_one_build("\n".join(line for _, line in lines))
    is_wish = False
    has_local = any("本地" in line or "本机" in line for _, line in lines)
    has_new_card = names_new_card(lines)
    kept: list[tuple[int, str]] = []
    for number, line in lines:
        is_item = pattern(r"\s*[-*+•] ").match(line) is not None
        if line.strip() and not is_item:
            is_lead = line.rstrip("*_ ").endswith((":", "：")) or line.startswith("#") or len(line) < 60
            is_listed_wish = is_lead and pattern(_WISHED_LIST, True).search(line) is not None
        if (is_item and is_listed_wish) or is_of_program(line):
            kept.append((number, ""))
            continue
        # "-Python 3.10": a list without a space.
        line = line[1:] if line[:1] == "-" and line[1:2].isalpha() else line
        kept.append((number, _show(line)))
    for sentence in list_sentences(kept):
        was_wish = is_wish
        is_other = has_local and pattern(_OTHER_MACHINE).search(sentence.text) is not None
        is_wish = sentence.text.endswith("，") and (
            was_wish or is_other or pattern(_WISHED_CLAUSES).search(sentence.text) is not None
        )
        if was_wish:
            continue
        text = clear_lead(sentence.text.rstrip("，。"))
        if "==" in text and "install" not in text.lower():
            text = pattern(_TAGGED_PIN).sub(" ", text)
        if text.count(", ") > 1 and pattern(SYSTEM, True).search(text) and "install" not in text.lower():
            # A pin in a list of what a machine has is a version.
            text = pattern(r"(?<=\w)==(?=\d)").sub("  ", text)
        no_prose = pattern(_NO_PROSE).search(text)
        if no_prose and pattern(INTRODUCED, True).match(text):
            text, no_prose = text[: no_prose.start()].rpartition(", ")[0], None
        if no_prose or is_former(text):
            continue
        is_long = len(text) > (_TOO_LONG if len(sentence.starts) == 1 else TOO_LONG_WRAPPED)
        if is_long and ("available" in text or "+cu" in text or "+cpu" in text):
            for clause in pattern(_CLAUSES).split(cut_former_answer(text)):
                for topic, value, subject in read_software(
                    clause, clause.lower(), is_of_machine=False, has_one_build=has_one_build
                ):
                    number = sentence.find_line(_find_value(text, value, 0))
                    yield Statement(topic, value, number, _NAME, is_printed=False, subject=subject)
        for start, part in _list_parts(text, is_long=is_long):
            for topic, value, subject in read_sentence(part, has_one_build=has_one_build):
                if has_new_card and topic in (Topic.GPU, Topic.GPU_MEMORY):
                    continue
                number = sentence.find_line(_find_value(text, value, start))
                yield Statement(topic, value, number, _NAME, is_printed=False, subject=subject)


def _list_parts(text: str, *, is_long: bool) -> Iterator[tuple[int, str]]:
    """Yield what is read of a sentence, with its place: all of it, or what it says of the own machine."""
    if not is_long:
        yield 0, text
    if is_long or pattern(OTHER, True).search(text):
        yield from find_own_clauses(text)
        for regex in (_BESIDE_PYTHON, _BESIDE_OWN):
            for match in pattern(regex, True).finditer(text):
                yield match.start("inside"), match["inside"]
    spaced = pattern(BETWEEN_SCRIPTS).sub(" ", text)
    if spaced != text and not is_long:
        yield 0, spaced


def _show(line: str) -> str:
    """Return a line as a reader sees it: links by their text, without underscores and stars for emphasis."""
    if "](" in line:
        line = pattern(_LINK).sub(r"\1", line)
    return clear_emphasis(line)


def _find_value(text: str, value: str, start: int) -> int:
    """Return where a sentence names a value, by its words, its tag or its size; else where it begins."""
    words = [value, f"cu{value.replace('.', '')}"]
    if len(value) > 9 and value.isdecimal():
        words = [str(int(value) >> 30), str(int(value) >> 20)]
    places = (text.find(word, start) for word in words)
    return max(start, next((place for place in places if place >= 0), start))


def _has_one_build(text: str) -> bool:
    """Return whether a text with a release of torch and its build names no other, nor installs one."""
    releases = {match.lower() for match in pattern(_RELEASE, True).findall(text)}
    indexes = set(pattern(_INDEX).findall(text))
    return len(releases) == 1 and indexes <= {next(iter(releases)).partition("+")[2]}
