"""Read, validate and look up the entries of the knowledge base."""

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from torchdoctor.core.record import record
from torchdoctor.domain.versions import VersionError, VersionRange, parse_range
from torchdoctor.knowledge.bodies import Body, EntryError, Step, read_body
from torchdoctor.knowledge.builds import ask_for_build, ask_once
from torchdoctor.knowledge.cases import Case, choose_steps, find_case, read_cases
from torchdoctor.knowledge.commands import SUBJECTS, CommandError, read_commands
from torchdoctor.knowledge.cuda_choice import write_choices
from torchdoctor.knowledge.fitting import keep_fitting
from torchdoctor.knowledge.heads import HeadError, read_head
from torchdoctor.knowledge.mending import Mending, read_mendings
from torchdoctor.knowledge.programs import Program, index_programs
from torchdoctor.knowledge.told import FACTS

if TYPE_CHECKING:
    from torchdoctor.check import Severity

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
SEVERITIES = ("note", "warning", "error")

# The parts of an environment that a person can be asked for.
DECIDING_PARTS = frozenset({"system", "python", "torch", "gpu", "packages"})
_TITLE = re.compile(r"\s*# ([^\n]+)(?=\n)")
_SYMPTOM_KEYS = frozenset(
    {"text", "pattern", "after", "beside", "claims", "context", "notice", "weight", "without"}
)
_TOLD_KEYS = frozenset({"told", "not_told", "weight", "without"})
_HEAD_KEYS = frozenset(
    {
        "family",
        "severity",
        "symptoms",
        "heard",
        "packages",
        "codes",
        "unless",
        "echo_of",
        "mended_by",
        "affects",
        "cases",
        "steps_of",
        "borrows_from",
        "decided_by",
        "references",
    }
)
_CODE = re.compile(r"```(?s:.*?)```|`[^`\n]{1,500}`")
_FIELD = re.compile(r"\{(\w+)\|([^{}\n]*)\}")
# Words that stand for a name that a text does not have.
_WORDS_FOR_NAME = re.compile(
    r"(?:[Tt]he|[Aa]n?|[Tt]h(?:is|at)|[Oo]ne|[Aa]nother|[Ss]uch|of|in|part|named|often"
    r"|(?:Python|torchvision)'s) "
)


@record
class Symptom:
    """Evidence in a pasted text: a literal (white space and case folded), optionally refined by a pattern.

    The pattern (case ignored) is searched only in a message that holds `text`; its named groups are
    values. It is not compiled here, because most commands never need one.
    `after` is a literal that must occur earlier in the same traceback.
    `beside` is a pattern that must match anywhere in the text: sentences of a person are evidence only
    together. `without` is one that must match nowhere. `{path}` in them stands for the value of that group of
    `pattern`.
    `packages`, if any, are the distributions of which one must be what failed. The symptom then claims the
    failure for its entry, and other entries are at most possible for it.
    `weight` is the strength of the evidence: 1 is decisive alone, less needs other evidence.
    `told`, if any, stands for the literal: sets of facts of `knowledge/told/`, of which a person tells all
    facts of one set, and none of `not_told`; `without` counts there as well.
    `context` is whether the text has to be about a program that computes: what people say of a black screen
    they say of games as well.
    `notice` is whether a program that prints the line goes on: where the text has another error, or is about
    another problem, the line is not the answer.
    """

    text: str
    pattern: str | None = None
    weight: float = 1.0
    after: str | None = None
    beside: str | None = None
    packages: tuple[str, ...] = ()
    without: str | None = None
    told: tuple[tuple[str, ...], ...] = ()
    not_told: tuple[str, ...] = ()
    context: bool = False
    notice: bool = False


@record
class Affected:
    """Where the problem can occur; None means everywhere."""

    torch: VersionRange | None = None
    python: VersionRange | None = None
    os: str | None = None
    # Whose cards it is about: "nvidia", "amd" or "intel".
    maker: str | None = None


@record
class Entry:
    """One problem: how it is recognised, why it occurs, and the fix that works.

    `markdown` is the entry without its head. The body is read from it on demand: `explain` matches a
    hundred heads and shows three bodies. `steps_of` is the name of an entry whose cases come before its own,
    and whose tagged steps it has as well; `shared` is that entry. `borrows_from` is the name of one of whose
    steps it has only those that its own cases name; `lender` is that entry. `decided_by` are the parts of an
    environment, of DECIDING_PARTS, that tell whether a text is about this problem. `mended_by` is what the
    step for another problem has to install to mend this one as well. `heard` are facts that people tell of
    the problem in their own words: for each sentence that a fact needs, the things that are in it.
    """

    name: str
    title: str
    family: str
    level: str
    symptoms: tuple[Symptom, ...]
    codes: Mapping[str, tuple[int, ...]]
    unless: tuple[str, ...]
    echo_of: tuple[str, ...]
    affects: Affected
    cases: tuple[Case, ...]
    references: tuple[str, ...]
    markdown: str
    steps_of: str = ""
    shared: "Entry | None" = None
    borrows_from: str = ""
    lender: "Entry | None" = None
    decided_by: tuple[str, ...] = ()
    mended_by: tuple[Mending, ...] = ()
    heard: tuple[tuple[tuple[str, ...], ...], ...] = ()

    @property
    def body(self) -> Body:
        """The sections; the steps are followed by those that other entries share or lend.

        Raises:
            EntryError: a section is missing or unknown.
        """
        own = read_body(self.name, self.markdown)
        tags = {step.tag for step in own.steps} | {""}
        shared = self.shared.body.steps if self.shared else ()
        lent = self.lender.body.steps if self.lender else ()
        named = {tag for case in self.cases for tag in case.steps}
        more = [step for step in shared if step.tag not in tags]
        more += [step for step in lent if step.tag in named - tags]
        return replace(own, steps=(*own.steps, *more)) if more else own

    @property
    def lead(self) -> str:
        """The first paragraph: what you see, and the short answer."""
        return self.body.lead

    @property
    def fix(self) -> tuple[str, ...]:
        """The steps in Markdown for a text of which nothing is known, least drastic first."""
        return self.choose_fix({})[1]

    def choose_title(self, values: Mapping[str, str]) -> str:
        """Return the title for the values of a text."""
        case = find_case(self.cases, values)
        return (case.title if case else "") or self.title

    def choose_verify(self, values: Mapping[str, str]) -> str:
        """Return how to verify that the problem is gone, for the values of a text, in Markdown."""
        case = find_case(self.cases, values)
        return (case.verify if case else "") or self.body.verify

    def choose_fix(
        self, values: Mapping[str, str], shown: Mapping[str, str] | None = None
    ) -> tuple[str, tuple[str, ...]]:
        """Return the short answer and the steps for the values of a text: those that cure its case first.

        `shown` are the values that a step may have, if these are not all.
        """
        case = find_case(self.cases, values)
        steps = keep_fitting(choose_steps(self.body.steps, case), values)
        lead = (case.says if case else "") or self.lead
        return lead, tuple(ask_once([step.text for step in steps], values if shown is None else shown))

    def find_step(self, tag: str | None, values: Mapping[str, str]) -> Step:
        """Return the fix step with this tag, or the first step if there is none."""
        steps = self.body.steps
        step = next((step for step in steps if tag and step.tag == tag), steps[0])
        return replace(step, text=ask_for_build(step.text, values))

    @property
    def reads_code(self) -> bool:
        """Whether the check of this entry reads training code; its samples are then code."""
        return "\n## Bad\n" in self.markdown

    @property
    def severity(self) -> "Severity":
        """The severity of a finding of this problem."""
        # Imported here: `explain` needs no severity, and the module imports all facts.
        from torchdoctor.check import Severity

        return Severity(self.level)

    def fill(self, text: str, values: Mapping[str, str], code_values: Mapping[str, str] | None = None) -> str:
        """Return a text with its fields filled; `{dll|the DLL}` becomes "the DLL" without a value `dll`.

        `code_values`, if given, are the values for fields in code, which people copy and run. Words that
        stand for a missing name are not marked as code.
        """
        text = _put_words_for_names(text, values if code_values is None else code_values)
        if code_values is None:
            return _FIELD.sub(lambda match: values.get(match[1]) or match[2], text)
        # A field may contain code, as in {version|see `torch.version.cuda`}, and is not in code for that.
        without_fields = _FIELD.sub(lambda match: "." * len(match[0]), text)
        spans = [match.span() for match in _CODE.finditer(without_fields)]

        def find_value(match: re.Match[str]) -> str:
            is_code = any(start <= match.start() < end for start, end in spans)
            return (code_values if is_code else values).get(match[1]) or match[2]

        return _FIELD.sub(find_value, text)


def _put_words_for_names(text: str, values: Mapping[str, str]) -> str:
    """Return a text in which words stand in place of code that would have a name which is not known."""
    without_fields = _FIELD.sub(lambda match: "." * len(match[0]), text)
    for code in reversed(list(_CODE.finditer(without_fields))):
        fields = () if code[0].startswith("```") else _FIELD.finditer(text, *code.span())
        missing = (field[2] for field in fields if not values.get(field[1]))
        words = next(filter(_WORDS_FOR_NAME.match, missing), None)
        if words is not None:
            text = text[: code.start()] + words + text[code.end() :]
    return text


def parse_entry(name: str, text: str) -> Entry:
    """Parse an entry from its Markdown, and validate both head and body.

    Raises:
        EntryError: the head, the title or a section is missing or malformed.
    """
    entry = parse_head(name, text)
    for step in entry.body.steps:
        _verify_commands(entry, step)
    tags = {step.tag for step in entry.body.steps}
    # The tags of shared steps are known only where all entries are.
    for case in () if entry.steps_of or entry.borrows_from else entry.cases:
        if not tags.issuperset(case.steps):
            raise EntryError(f"{name}: head: a case names a step that is not there: {case.steps}")
    return entry


def _verify_commands(entry: Entry, step: Step) -> None:
    """Verify that a step which can be run has such commands, with the examples in place of values."""
    if not step.subject:
        return
    try:
        if step.subject not in SUBJECTS:
            raise CommandError(f"a step changes one of {', '.join(SUBJECTS)}, not {step.subject}")
        read_commands(entry.fill(step.text, {}), step.subject)
    except CommandError as error:
        raise EntryError(f"{entry.name}: step {step.tag}: {error}") from error


@functools.cache
def parse_head(name: str, text: str) -> Entry:
    """Parse the head and title of an entry, once a process; its body is read on demand.

    Raises:
        EntryError: the head or the title is missing or malformed.
    """
    head, fence, rest = text.replace("\r\n", "\n").removeprefix("```toml\n").partition("\n```\n")
    title = _TITLE.match(rest)
    if not (text.startswith("```toml") and fence and title):
        raise EntryError(f"{name}: an entry begins with a fenced toml head and a # title")
    try:
        return _make_entry(name, read_head(head), title[1].strip(), write_choices(rest.lstrip()))
    except HeadError as error:
        raise EntryError(f"{name}: head: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, VersionError) as error:
        if isinstance(error, EntryError):
            raise
        raise EntryError(f"{name}: head: {type(error).__name__}: {error}") from error


def _make_entry(name: str, head: Mapping[str, object], title: str, markdown: str) -> Entry:
    if not head.keys() <= _HEAD_KEYS:
        raise EntryError(f"{name}: head: unknown key {sorted(head.keys() - _HEAD_KEYS)[0]!r}")
    if head.get("family") not in FAMILIES:
        raise EntryError(f"{name}: head: family must be one of {', '.join(FAMILIES)}")
    if head.get("severity", "error") not in SEVERITIES:
        raise EntryError(f"{name}: head: severity must be one of {', '.join(SEVERITIES)}")
    return Entry(
        name=name,
        title=title,
        family=str(head["family"]),
        level=str(head.get("severity", "error")),
        symptoms=_read_symptoms(name, head),
        heard=_read_heard(head),
        codes=_read_codes(name, head.get("codes", {})),
        unless=tuple(str(item) for item in _read_list(head, "unless")),
        echo_of=tuple(str(item) for item in _read_list(head, "echo_of")),
        affects=_read_affected(name, head.get("affects", {})),
        cases=read_cases(_read_list(head, "cases")),
        steps_of=str(head.get("steps_of", "")),
        borrows_from=str(head.get("borrows_from", "")),
        decided_by=_read_parts(name, head),
        mended_by=read_mendings(_read_list(head, "mended_by")),
        references=tuple(str(item) for item in _read_list(head, "references")),
        markdown=markdown,
    )


def _read_parts(name: str, head: Mapping[str, object]) -> tuple[str, ...]:
    parts = tuple(str(item) for item in _read_list(head, "decided_by"))
    if not set(parts) <= DECIDING_PARTS:
        raise EntryError(f"{name}: head: decided_by has only {', '.join(sorted(DECIDING_PARTS))}")
    return parts


def _read_heard(head: Mapping[str, object]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Read facts such as "cpu + full-use; gpu + low-use", in which each sentence has its things."""
    return tuple(
        tuple(tuple(thing.strip() for thing in sentence.split("+")) for sentence in str(fact).split(";"))
        for fact in _read_list(head, "heard")
    )


def _read_list(head: Mapping[str, object], key: str) -> list[object]:
    value = head.get(key, [])
    if not isinstance(value, list):
        raise TypeError(f"{key} is not a list")
    return value


def _read_symptoms(name: str, head: Mapping[str, object]) -> tuple[Symptom, ...]:
    packages = tuple(str(package) for package in _read_list(head, "packages"))
    items = _read_list(head, "symptoms")
    return tuple(symptom for item in items for symptom in _read_symptom(name, item, packages))


def _read_symptom(name: str, item: object, packages: tuple[str, ...]) -> list[Symptom]:
    """Return a symptom for each text of an item, which are alike but for it."""
    if isinstance(item, dict) and "told" in item:
        return [_read_told(name, item)]
    texts = _read_texts(item) if isinstance(item, dict) else []
    if not isinstance(item, dict) or not texts or not all(texts):
        raise EntryError(f"{name}: head: a symptom has a text, also where it has a pattern")
    if not item.keys() <= _SYMPTOM_KEYS:
        raise EntryError(f"{name}: head: a symptom has only {', '.join(sorted(_SYMPTOM_KEYS))}")
    pattern = str(item["pattern"]) if "pattern" in item else None
    after = str(item["after"]) if "after" in item else None
    beside = str(item["beside"]) if "beside" in item else None
    without = str(item["without"]) if "without" in item else None
    if item.get("claims") and not packages:
        raise EntryError(f"{name}: head: a symptom claims packages, and the head names none")
    claimed = packages if item.get("claims") else ()
    weight = float(item.get("weight", 1.0))
    context, notice = item.get("context") is True, item.get("notice") is True
    return [
        Symptom(text, pattern, weight, after, beside, claimed, without, context=context, notice=notice)
        for text in texts
    ]


def _read_texts(item: Mapping[str, object]) -> list[str]:
    """Return the literal texts of a symptom, which has one or a list of them."""
    texts = item.get("text", "")
    return [" ".join(str(text).lower().split()) for text in (texts if isinstance(texts, list) else [texts])]


def _read_told(name: str, item: Mapping[str, object]) -> Symptom:
    """Return a symptom of what a person tells; the facts of a set are joined by "and"."""
    if not item.keys() <= _TOLD_KEYS:
        raise EntryError(f"{name}: head: a symptom with told has only {', '.join(sorted(_TOLD_KEYS))}")
    told = tuple(tuple(str(facts).split(" and ")) for facts in _read_list(item, "told"))
    not_told = tuple(str(fact) for fact in _read_list(item, "not_told"))
    unknown = {*sum(told, ()), *not_told} - FACTS.keys()
    if unknown:
        raise EntryError(f"{name}: head: told: no fact {min(unknown)}")
    weight = item.get("weight")
    if not told or not isinstance(weight, float):
        raise EntryError(f"{name}: head: a symptom with told has sets of facts and a weight below 1")
    without = str(item["without"]) if "without" in item else None
    return Symptom("", weight=weight, without=without, told=told, not_told=not_told)


def _read_codes(name: str, codes: object) -> Mapping[str, tuple[int, ...]]:
    if not isinstance(codes, dict) or set(codes) - set(CODE_KINDS):
        raise EntryError(f"{name}: head: codes are lists under {', '.join(CODE_KINDS)}")
    return {kind: tuple(int(number) for number in numbers) for kind, numbers in codes.items()}


def _read_affected(name: str, affects: object) -> Affected:
    if not isinstance(affects, dict) or set(affects) - {"torch", "python", "os", "maker"}:
        raise EntryError(f"{name}: head: affects has torch, python, os and maker only")
    if affects.get("maker") not in (None, "nvidia", "amd", "intel"):
        raise EntryError(f"{name}: head: affects: maker is nvidia, amd or intel")
    ranges = {key: parse_range(str(affects[key])) for key in ("torch", "python") if key in affects}
    return Affected(ranges.get("torch"), ranges.get("python"), affects.get("os"), affects.get("maker"))


@record
class Knowledge:
    """All entries by name, and the programs that they have settings for."""

    entries: Mapping[str, Entry]
    programs: tuple[Program, ...] = ()

    def __hash__(self) -> int:
        return hash(tuple(self.entries))

    def find(self, name: str) -> Entry | None:
        """Return the entry of this name, or None; spaces, underscores and case do not matter."""
        return self.entries.get(re.sub(r"[\s_]+", "-", name.strip().lower()))


def index_entries(entries: Iterable[Entry], programs: Iterable[Program] = ()) -> Knowledge:
    """Return the entries by name, sorted, each with the steps and cases that others share with it or lend."""
    by_name = {entry.name: entry for entry in sorted(entries, key=lambda entry: entry.name)}
    shared = {name: share_entry(entry, by_name.get) for name, entry in by_name.items()}
    return Knowledge(shared, index_programs(programs))


def share_entry(entry: Entry, find: Callable[[str], Entry | None]) -> Entry:
    """Return an entry with the steps and cases that others, which `find` returns, share with it or lend."""
    shared, lender = find(entry.steps_of), find(entry.borrows_from)
    if shared is None:
        return entry if lender is None else replace(entry, lender=lender)
    # What fits all texts about the other one would hide the cases of this one.
    cases = tuple(case for case in shared.cases if case.conditions)
    return replace(entry, shared=shared, lender=lender, cases=(*cases, *entry.cases))
