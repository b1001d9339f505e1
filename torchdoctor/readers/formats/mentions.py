"""What sentences, titles and fragments name of the writer's machine, where no other format says it.

Read last: a topic that another format states is left to that one, and of two different values none is taken.
"""

from collections.abc import Iterable, Iterator, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.readers.elsewhere import is_elsewhere
from torchdoctor.readers.mention_grammar import Mention, find_mentions
from torchdoctor.readers.sentences import (
    BETWEEN_SCRIPTS,
    clear_emphasis,
    clear_lead,
    is_of_program,
    list_sentences,
    show_pin,
)
from torchdoctor.readers.statements import Lines, Statement, Topic, agree
from torchdoctor.readers.voices import Clause, Voice, is_possessed, is_request, list_clauses

NAME = "mentions"
_FENCE = r"\s{0,8}(?:```|~~~)"
_NO_PROSE = (
    r"^\s*(?:File |at |[A-Za-z]:\\|/|[\w.]{1,60}(?:Error|Warning|Exception)\b|\$ |pip3? "
    r"|conda (?=[a-z])(?!python 3\.)"
    r"|python[\d.]* (?:-|\S+\.py)"
    r"|[-*] \[ \]|\||#include|import |from \w+ import|WARNING|ERROR|INFO|\[|\d{4}-\d\d-\d\d"
    r"|-?\s{0,2}[\w.-]{2,30}=\d"
    r"|(?:Found existing|Uninstalling|Collecting|Downloading|Using cached|Attempting|Successfully"
    r"|Requirement)\b)"
    r"|site-packages|\bTraceback|[{}|]{2}|={2}(?! ?(?:True|False))|https?:|-cp3\d|\.whl"
)
_LONGEST, _LONGEST_PART = 700, 40
# Spaces that somebody puts around each word.
_SPACES = r"(?<=[a-z]) {2,8}(?=[\w,])|(?<=\w) {2}(?=[\w,`])"
# What is told of the one thing of a line.
_ASIDE = r"[`*.]{0,3} {1,2}(?:[-–—(]|which\b)|, which\b"
# Nobody names more in so many sentences: what has them is a log or a table.
_MOST_SENTENCES = 1000
# So many lines are between the items of a list.
_NEAR_ITEM = 3
_HARDWARE = frozenset({Topic.SYSTEM, Topic.GPU, Topic.MEMORY, Topic.GPU_MEMORY, Topic.DRIVER})
_CARDS = frozenset({Topic.GPU, Topic.GPU_MEMORY})
# Words in front of what a failure happens with.
_ADJUNCT = (
    r"\b(?:on|with|in|under|using|for|of|and|my|by)(?: (?:an?|my|the|nvidia|pytorch|latest))?[\s`*'\"(]{1,3}$"
)
# What stands between two things that are said in the same way.
_CHAIN = r"[\s,+&/()`'\"-]{0,4}(?:(?:and|with|on|in|plus|using|under|also|the|an?|my) ?){0,3}[\s(`'\"]{0,2}"
_MARK = r"\s{0,3}(?:#{1,6} |\*\*|title: )?\s{0,2}"
_FRAGMENT_WORDS = (
    r"\b(?:and|with|on|using|under|version|installed|running|from|via|pip|conda|gpu|card|driver|drivers"
    r"|ram|vram"
    r"|cuda|cudnn|x64|64[- ]?bit|home|pro|nvidia|geforce|laptop|the|an?|in|env\w*|local|windows|desktop"
    r"|latest|cpu|intel|amd)\b"
)


def read(lines: Lines) -> Iterator[Statement]:
    """Yield the values of each topic on which all that is said of the writer's machine agrees."""
    found: dict[tuple[Topic, str], list[Statement]] = {}
    for statement in _read_all(lines):
        found.setdefault((statement.topic, statement.subject), []).append(statement)
    for statements in found.values():
        best = max(statements, key=lambda each: len(each.value))
        if all(agree(best, each) for each in statements):
            yield best


def _read_all(lines: Lines) -> Iterator[Statement]:
    title = next((number for number, line in lines if line.strip()), 0)
    last_item = -_NEAR_ITEM
    count = 0
    for sentence in list_sentences(list(_keep_prose(lines)), are_whole=True):
        text = pattern(BETWEEN_SCRIPTS).sub(
            " ", clear_lead(show_pin(clear_emphasis(sentence.text.replace("**", "").replace("__", ""))))
        )
        text = pattern(_SPACES).sub(" ", text)
        if len(text) > _LONGEST or pattern(_NO_PROSE).search(text):
            continue
        mentions = find_mentions(text)
        if not mentions:
            continue
        count += 1
        if count > _MOST_SENTENCES:
            return
        first = sentence.starts[0][1]
        is_fragment = _is_fragment(text, mentions)
        if not is_fragment and _is_item(text, mentions):
            # A list that has a line for each thing.
            is_fragment = first - last_item < _NEAR_ITEM
            last_item = first
        elif is_fragment:
            last_item = first
        is_title = first == title or text.startswith("# ")
        for mention in _choose(text, mentions, is_title=is_title, is_fragment=is_fragment):
            # What stands below a sentence about the own machine goes on with it.
            last_item = first
            number = sentence.find_line(mention.start)
            yield Statement(
                mention.topic, mention.value, number, NAME, is_printed=False, subject=mention.subject
            )


def _keep_prose(lines: Lines) -> Iterator[tuple[int, str]]:
    """Yield the lines without those in blocks of code."""
    is_inside = False
    for number, line in lines:
        if pattern(_FENCE).match(line):
            is_inside = not is_inside
            line = ""
        yield number, "" if is_inside or is_of_program(line) else line


def _choose(text: str, mentions: list[Mention], *, is_title: bool, is_fragment: bool) -> Iterator[Mention]:
    """Yield what is of the writer's machine among what a sentence names."""
    clauses = list(list_clauses(text))
    chained = 0
    for mention in mentions:
        clause = [each for each in clauses if each.start <= mention.start][-1]
        before = text[max(0, mention.start - 40) : mention.start]
        if mention.topic in _CARDS and is_elsewhere(clause.text):
            is_own = False
        elif clause.voice is Voice.OWN or is_possessed(before, clause.text):
            is_own = True
        elif clause.voice is Voice.OPEN:
            is_own = (
                is_fragment
                or (chained and pattern(_CHAIN, True).fullmatch(text[chained : mention.start]) is not None)
                or (
                    _is_of_failure(text, clause, mention, is_title=is_title)
                    and _count_values(mentions, mention) == 1
                )
            )
        else:
            is_own = False
        chained = mention.end if is_own else 0
        if is_own:
            yield mention


def _count_values(mentions: Iterable[Mention], mention: Mention) -> int:
    """Return how many values a sentence names of one thing: with several, it compares them."""
    same = (each for each in mentions if (each.topic, each.subject) == (mention.topic, mention.subject))
    return len({each.value.lower() for each in same})


def _is_of_failure(text: str, clause: Clause, mention: Mention, *, is_title: bool) -> bool:
    """Return whether something that fails is said to fail with what is named."""
    if not clause.is_failure or (is_title and is_request(text)):
        return False
    if is_title and pattern(_MARK, True).fullmatch(text[: mention.start]):
        return True
    return pattern(_ADJUNCT, True).search(text[max(0, mention.start - 24) : mention.start]) is not None


def _is_item(text: str, mentions: Sequence[Mention]) -> bool:
    """Return whether a text is the name of one thing and its version, and nothing else."""
    mark = pattern(r"[\s*•+-]{0,4}").match(text)
    start, end = mentions[0].start, max(each.end for each in mentions)
    is_alone = not pattern(r"\w").search(text[end:]) or pattern(_ASIDE, True).match(text[end:]) is not None
    return mark is not None and start <= mark.end() and is_alone


def _is_fragment(text: str, mentions: Sequence[Mention]) -> bool:
    """Return whether a text is a list of what there is, with hardly another word."""
    rest = text
    topics = set()
    for mention in mentions:
        rest = rest.replace(text[mention.start : mention.end], " ")
        topics.add(mention.topic)
    words = pattern(r"[^\W\d_]{3,}").findall(pattern(_FRAGMENT_WORDS, True).sub(" ", rest))
    is_short = len(words) <= len(topics)
    # What has a machine in it lists one.
    parts = [part for part in text.split(", ") if len(part) < _LONGEST_PART]
    is_list = len(parts) > 2 and bool(topics & _HARDWARE) and len(words) <= 2 * len(parts)
    return len(topics) > 1 and (is_short or is_list)
