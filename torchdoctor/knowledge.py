"""The knowledge base: entries in Markdown with a TOML head, read, validated and looked up."""

import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from torchdoctor.check import Severity
from torchdoctor.versions import VersionError, VersionRange, parse_range

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FAMILIES = (
    "install",
    "dll",
    "gpu",
    "memory",
    "settings",
    "multiprocessing",
    "source",
    "build",
    "distributed",
)
CODE_KINDS = ("winerror", "exit", "cuda", "errno", "os")
SECTIONS = ("Why", "Fix", "Verify", "Avoid", "Bad", "Good")

_HEAD = re.compile(r"\A```toml\n(?P<toml>.*?)\n```\n\s*# (?P<title>[^\n]+)\n(?P<body>.*)\Z", re.DOTALL)
_FENCED = re.compile(r"^```[^\n]*\n.*?^```[ ]*$", re.DOTALL | re.MULTILINE)
_STEP = re.compile(r"^(\d+)\. ", re.MULTILINE)
_FIELD = re.compile(r"\{(\w+)\|([^{}\n]*)\}")


class EntryError(ValueError):
    """An entry is not usable; the message is one line that names the entry and what is wrong."""


@dataclass(frozen=True, slots=True)
class Symptom:
    """Evidence in a pasted text: a literal (whitespace and case folded), perhaps refined by a pattern.

    The pattern (case ignored) is searched only in a message that holds `text`; its named groups are
    values. It stays text until `explain` needs it, because most commands never compile one.
    `weight` is how strongly it speaks for the entry: 1 is decisive alone, below 1 it needs company.
    """

    text: str
    pattern: str | None = None
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Affected:
    """Where the problem can occur; None stands for everywhere."""

    torch: VersionRange | None = None
    python: VersionRange | None = None
    os: str | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """A fenced block below `## Bad` or `## Good`, with the language of its fence."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One problem: how it is recognised, why it occurs, and the fix that works."""

    name: str
    title: str
    lead: str
    family: str
    severity: Severity
    symptoms: tuple[Symptom, ...]
    codes: Mapping[str, tuple[int, ...]]
    unless: tuple[str, ...]
    echo_of: tuple[str, ...]
    affects: Affected
    references: tuple[str, ...]
    why: str
    fix: tuple[str, ...]
    verify: str
    avoid: str
    bad: tuple[Sample, ...]
    good: tuple[Sample, ...]
    markdown: str

    def fill(self, text: str, values: Mapping[str, str]) -> str:
        """Put values into the fields of a text of this entry: `{dll|the DLL named in the message}`."""
        return _FIELD.sub(lambda match: values.get(match[1]) or match[2], text)


def parse_entry(name: str, text: str) -> Entry:
    """Read one entry from its Markdown.

    Raises:
        EntryError: the head, the title or a section is missing or malformed.
    """
    match = _HEAD.match(text.replace("\r\n", "\n"))
    if match is None:
        raise EntryError(f"{name}: an entry begins with a fenced toml head and a # title")
    try:
        head = tomllib.loads(match["toml"])
    except tomllib.TOMLDecodeError as error:
        raise EntryError(f"{name}: head: {error}") from error
    try:
        return _build(name, head, match["title"].strip(), match["body"])
    except (KeyError, TypeError, ValueError, AttributeError, re.error, VersionError) as error:
        if isinstance(error, EntryError):
            raise
        raise EntryError(f"{name}: head: {type(error).__name__}: {error}") from error


def _build(name: str, head: Mapping[str, object], title: str, body: str) -> Entry:
    unknown = set(head) - {
        "family", "severity", "symptoms", "codes", "unless", "echo_of", "affects", "references"
    }  # fmt: skip
    if unknown:
        raise EntryError(f"{name}: head: unknown key {sorted(unknown)[0]!r}")
    if head.get("family") not in FAMILIES:
        raise EntryError(f"{name}: head: family must be one of {', '.join(FAMILIES)}")
    lead, sections = _split_sections(name, body)
    steps = _split_steps(sections.get("Fix", ""))
    if not (lead and sections.get("Why") and steps):
        raise EntryError(f"{name}: an entry has a first paragraph, ## Why and a numbered ## Fix")
    return Entry(
        name=name,
        title=title,
        lead=lead,
        family=str(head["family"]),
        severity=Severity(head.get("severity", "error")),
        symptoms=tuple(_read_symptom(name, item) for item in _list(head, "symptoms")),
        codes=_read_codes(name, head.get("codes", {})),
        unless=tuple(str(item) for item in _list(head, "unless")),
        echo_of=tuple(str(item) for item in _list(head, "echo_of")),
        affects=_read_affected(name, head.get("affects", {})),
        references=tuple(str(item) for item in _list(head, "references")),
        why=sections["Why"],
        fix=steps,
        verify=sections.get("Verify", ""),
        avoid=sections.get("Avoid", ""),
        bad=_read_samples(sections.get("Bad", "")),
        good=_read_samples(sections.get("Good", "")),
        markdown=f"# {title}\n{body}".rstrip() + "\n",
    )


def _list(head: Mapping[str, object], key: str) -> list[object]:
    value = head.get(key, [])
    if not isinstance(value, list):
        raise TypeError(f"{key} is not a list")
    return value


def _read_symptom(name: str, item: object) -> Symptom:
    if not isinstance(item, dict) or not str(item.get("text", "")).strip():
        raise EntryError(f"{name}: head: a symptom has a text, also where it has a pattern")
    if set(item) - {"text", "pattern", "weight"}:
        raise EntryError(f"{name}: head: a symptom has text, pattern and weight only")
    pattern = str(item["pattern"]) if "pattern" in item else None
    return Symptom(" ".join(str(item["text"]).lower().split()), pattern, float(item.get("weight", 1.0)))


def _read_codes(name: str, codes: object) -> Mapping[str, tuple[int, ...]]:
    if not isinstance(codes, dict) or set(codes) - set(CODE_KINDS):
        raise EntryError(f"{name}: head: codes are lists under {', '.join(CODE_KINDS)}")
    return {kind: tuple(int(number) for number in numbers) for kind, numbers in codes.items()}


def _read_affected(name: str, affects: object) -> Affected:
    if not isinstance(affects, dict) or set(affects) - {"torch", "python", "os"}:
        raise EntryError(f"{name}: head: affects has torch, python and os only")
    ranges = {key: parse_range(str(affects[key])) for key in ("torch", "python") if key in affects}
    return Affected(ranges.get("torch"), ranges.get("python"), affects.get("os"))


def _split_sections(name: str, body: str) -> tuple[str, dict[str, str]]:
    fences = [match.span() for match in _FENCED.finditer(body)]
    headings = [
        match
        for match in re.finditer(r"^## ([^\n]+)$", body, re.MULTILINE)
        if not any(start <= match.start() < end for start, end in fences)
    ]
    sections: dict[str, str] = {}
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        title = heading[1].strip()
        if title not in SECTIONS or title in sections:
            raise EntryError(f"{name}: unexpected section {title!r}")
        sections[title] = body[heading.end() : following.start() if following else None].strip()
    lead = body[: headings[0].start()] if headings else body
    return " ".join(lead.split()), sections


def _split_steps(fix: str) -> tuple[str, ...]:
    fences = [match.span() for match in _FENCED.finditer(fix)]
    starts = [
        match
        for match in _STEP.finditer(fix)
        if not any(start <= match.start() < end for start, end in fences)
    ]
    ends = [match.start() for match in starts[1:]] + [len(fix)]
    return tuple(fix[match.end() : end].strip() for match, end in zip(starts, ends, strict=True))


def _read_samples(section: str) -> tuple[Sample, ...]:
    blocks = re.finditer(r"^```(\w*)\n(.*?)^```[ ]*$", section, re.DOTALL | re.MULTILINE)
    return tuple(Sample(match[1], match[2]) for match in blocks)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All entries by name."""

    entries: Mapping[str, Entry]

    def find(self, name: str) -> Entry | None:
        """Give the entry of this name; spaces, underscores and case do not matter."""
        return self.entries.get(re.sub(r"[\s_]+", "-", name.strip().lower()))


def index_entries(entries: Iterable[Entry]) -> Knowledge:
    """Hold entries by name, sorted."""
    return Knowledge({entry.name: entry for entry in sorted(entries, key=lambda entry: entry.name)})
