"""Read the Markdown body of an entry into its sections."""

import functools
import re
from itertools import zip_longest

from torchdoctor.core.record import record

SECTIONS = ("Why", "Fix", "Verify", "Avoid", "Bad", "Good")

_MOST_CHARACTERS = 500
# The fence of a code block in a step is indented.
_HEADING = re.compile(r"\n(?:(?P<fence>[ ]{0,8}```)|## (?P<title>[^\n]+))")
_STEP = re.compile(r"\n(?:(?P<fence>[ ]{0,8}```)|\d+\. )")
_TAG = re.compile(r"<!-- (\w[\w-]*)(?:: (\w+))?(?: if (\w+))?(?: unless (\w+(?: \w+)*))? -->\s*")


class EntryError(ValueError):
    """An error in an entry; the message is one line that names the entry and the problem.

    What it quotes of the entry may be long and hold any character: it is cut, and shows those by number.
    """

    def __init__(self, message: str) -> None:
        shown = message if len(message) <= _MOST_CHARACTERS else f"{message[:_MOST_CHARACTERS]} ..."
        super().__init__("".join(each if each.isprintable() else repr(each)[1:-1] for each in shown))


@record
class Sample:
    """A fenced block below `## Bad` or `## Good`, with the language of its fence."""

    language: str
    text: str


@record
class Step:
    """A fix step: its Markdown, and the tag by which checks and cases name it, or "".

    `subject` is what its commands change, of `commands.SUBJECTS`, if they can be run as they are printed.
    It is for texts that have the value `needs`, and not for those that have a value of `excluded_by`.
    """

    text: str
    tag: str = ""
    subject: str = ""
    needs: str = ""
    excluded_by: tuple[str, ...] = ()


@record
class Body:
    """The sections of an entry."""

    lead: str
    why: str
    steps: tuple[Step, ...]
    verify: str
    avoid: str
    bad: tuple[Sample, ...]
    good: tuple[Sample, ...]


@functools.cache
def read_body(name: str, markdown: str) -> Body:
    """Read the sections of an entry from its Markdown, which begins with the title.

    Raises:
        EntryError: a section is missing or unknown.
    """
    text = markdown[markdown.find("\n") :]
    lead, sections = _split_sections(name, text)
    steps = _split_steps(sections.get("Fix", ""))
    if not (lead and sections.get("Why") and steps):
        raise EntryError(f"{name}: an entry has a first paragraph, ## Why and a numbered ## Fix")
    return Body(
        lead=lead,
        why=sections["Why"],
        steps=steps,
        verify=sections.get("Verify", ""),
        avoid=sections.get("Avoid", ""),
        bad=_read_samples(sections.get("Bad", "")),
        good=_read_samples(sections.get("Good", "")),
    )


def _split_sections(name: str, body: str) -> tuple[str, dict[str, str]]:
    headings = _find_outside_fences(_HEADING, body)
    sections: dict[str, str] = {}
    for heading, following in zip_longest(headings, headings[1:]):
        title = heading["title"].strip()
        if title not in SECTIONS or title in sections:
            raise EntryError(f"{name}: unexpected section {title!r}")
        sections[title] = body[heading.end() : following.start() if following else None].strip()
    lead = body[: headings[0].start()] if headings else body
    return " ".join(lead.split()), sections


def _split_steps(fix: str) -> tuple[Step, ...]:
    fix = "\n" + fix
    starts = _find_outside_fences(_STEP, fix)
    ends = [*(match.start() for match in starts[1:]), len(fix)]
    return tuple(_read_step(fix[start.end() : end].strip()) for start, end in zip(starts, ends, strict=False))


def _read_step(text: str) -> Step:
    """Read a step.

    `1. <!-- torch: packages --> Install torch again.` has the tag "torch", and
    `<!-- code unless application -->` has a condition.
    """
    tag = _TAG.match(text)
    if tag is None:
        return Step(text)
    return Step(text[tag.end() :], tag[1], tag[2] or "", tag[3] or "", tuple((tag[4] or "").split()))


def _find_outside_fences(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """Return the matches outside fenced blocks; the pattern's group `fence` matches the edges of a block."""
    matches, is_inside = [], False
    for match in pattern.finditer(text):
        if match["fence"]:
            is_inside = not is_inside
        elif not is_inside:
            matches.append(match)
    return matches


def _read_samples(section: str) -> tuple[Sample, ...]:
    blocks = re.finditer(r"^```(\w*)\n(.*?)^```[ ]*$", section, re.DOTALL | re.MULTILINE)
    return tuple(Sample(match[1], match[2]) for match in blocks)
