"""The environments that a text describes: what was stated of each, and what two lines state differently."""

from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record
from torchdoctor.readers.markdown_tables import drop_columns, find_comparisons, find_own_rows
from torchdoctor.readers.prefixes import strip_prefix
from torchdoctor.readers.proposals import clear_proposals
from torchdoctor.readers.quotations import clear_quotations
from torchdoctor.readers.repairs import CHANGED, find_repair
from torchdoctor.readers.run_on import split_run_on
from torchdoctor.readers.statements import NAMED_TOPICS, Lines, Statement, Topic, agree, keep_public
from torchdoctor.readers.table import FORMATS, FormatLike
from torchdoctor.readers.values import is_nvidia, spell_tags
from torchdoctor.readers.wishes import clear_example, clear_expected, find_desired, find_wishes
from torchdoctor.readers.wsl import choose_linux, mentions_wsl, read_wsl

Key = tuple[Topic, str]
# If a format states another value of one of these again, it describes another environment from there on.
_IDENTITY = frozenset({Topic.TORCH, Topic.PYTHON, Topic.PYTHON_EXECUTABLE, Topic.DRIVER})
# These follow a machine in time, or name several places in one text.
_SEQUENTIAL = frozenset(
    {"pip-output", "paths", "prose", "one-liners", "inventories", "told-installs", "mentions"}
)
# Of a version, these formats know only the beginning, or another one than that of the program.
_LAST_RESORT = frozenset({"paths", "prose", "inventories", "told-installs", "mentions"})
# What two formats may state differently without a contradiction.
_UNCOMPARED = frozenset(
    {
        Topic.GPU,
        Topic.GPU_MEMORY,
        Topic.GPU_MODEL,
        Topic.SYSTEM_VERSION,
        # An older Python knows it from a file that updates do not change.
        Topic.WINDOWS_BUILD,
        Topic.SITE_PACKAGES,
        Topic.MEMORY,
        Topic.CONDA_PREFIX,
        Topic.PYTHON_ORIGIN,
        Topic.TOOLKIT,
        Topic.TOOLKIT_FOLDER,
        Topic.COMPLETE_LIST,
        Topic.DRIVER_STATE,
        Topic.ARCHITECTURES,
        Topic.CONDA_PACKAGE,
    }
)


_VALUES = (
    ("torch_version", Topic.TORCH, ""),
    ("cuda_version", Topic.TORCH_CUDA, ""),
    ("python_version", Topic.PYTHON, ""),
    ("driver_cuda", Topic.DRIVER_CUDA, ""),
    ("driver_version", Topic.DRIVER, ""),
    ("sm", Topic.GPU_CAPABILITY, "0"),
)
# Without one of these, no check can be decided.
_DECIDING = frozenset(
    {
        Topic.TORCH,
        Topic.TORCH_CUDA,
        Topic.GPU,
        Topic.DRIVER,
        Topic.PACKAGE,
        Topic.CONDA_PACKAGE,
        Topic.PYTHON_BITS,
    }
)


# A line of another one's text.
_QUOTED = r"\s{0,3}> ?(?!>|\s{0,4}(?:pip|python|conda|cd|nvidia-smi)\b)"
# The head of a comment in a thread, as trackers and mails show it.
_COMMENT = (
    r"\W{0,4}[\w.-]{1,40}\W{0,4} (?:· comment · \d{4}-\d\d-\d\d"
    r"|commented\W{1,3}(?:on [A-Z][a-z]{2,8} \d|(?:\w{1,6} )?\d{0,3} ?\w{3,8} ago|yesterday|last |\d{4}-))"
    r"|\s{0,3}On [^\n]{6,60}\d{4}[^\n]{0,60} wrote:\s*$"
)
# Whoever states others of these in a comment tells of another machine.
_OF_MACHINE = frozenset({Topic.SYSTEM, Topic.PYTHON, Topic.DRIVER, Topic.PYTHON_EXECUTABLE})
_OF_CARDS = frozenset({Topic.GPU, Topic.GPU_MEMORY})
# A line of one's own beside what is quoted.
_SHORTEST_OF_OWN = 12
# Each is examined by all checks.
_MOST_ENVIRONMENTS = 6


@record
class Conflict:
    """Two lines that state different values of the same thing."""

    first: Statement
    second: Statement

    def describe(self) -> str:
        """Return a clause that names both values and lines."""
        return (
            f"{self.first.label} is {self.first.value} in line {self.first.line}"
            f" and {self.second.value} in line {self.second.line}"
        )


@record
class Environment:
    """What a text states of one environment.

    `statements` has the best statement of each topic and subject, in the order of the text; what is in
    `conflicts` is not among them.
    """

    statements: tuple[Statement, ...]
    conflicts: tuple[Conflict, ...] = ()

    def find(self, topic: Topic, subject: str = "") -> Statement | None:
        """Return the statement about a topic, or None."""
        return next(
            (each for each in self.statements if each.topic is topic and each.subject == subject), None
        )

    def find_all(self, topic: Topic) -> tuple[Statement, ...]:
        """Return the statements about a topic with several subjects."""
        return tuple(each for each in self.statements if each.topic is topic)

    @property
    def is_decisive(self) -> bool:
        """Whether some check of an environment can be decided by what is stated."""
        return any(statement.topic in _DECIDING for statement in self.statements)

    def list_values(self) -> Mapping[str, str]:
        """Return what is stated under the names of the values that fixes have fields for."""
        found = ((name, self.find(topic, subject)) for name, topic, subject in _VALUES)
        values = {name: statement.value for name, statement in found if statement is not None}
        if values.get("torch_version") == "missing":
            del values["torch_version"]
        if values.get("cuda_version") == "none":
            del values["cuda_version"]
            values["cpu_build"] = "yes"
        origin = self.find(Topic.PYTHON_ORIGIN)
        if origin is not None and origin.value == "conda":
            values["conda_python"] = "yes"
        if "sm" in values:
            values["sm"] = f"sm_{values['sm'].replace('.', '')}"
        else:
            values.update(self._list_architecture())
        return values

    def _list_architecture(self) -> Mapping[str, str]:
        """Return the architecture of the only card that is stated, if its name tells it."""
        cards = self.find_all(Topic.GPU)
        if len(cards) != 1:
            return {}
        # Imported here: most texts name no card.
        from torchdoctor.domain.gpu_names import find_capability

        capability = find_capability(cards[0].value)
        return {"sm": f"sm_{capability[0]}{capability[1]}"} if capability else {}

    def keep_printed(self) -> "Environment":
        """Return the environment without what people wrote by hand, but for the name of the system.

        Which system it is decides what a check is about, and nothing that it finds.
        """
        kept = (each for each in self.statements if each.is_printed or each.topic is Topic.SYSTEM)
        return Environment(tuple(kept), self.conflicts)


def read_environments(lines: Lines, more: Iterable[FormatLike] = ()) -> tuple[Environment, ...]:
    """Return the environments that a text describes, in its order; () if it describes none.

    Of a text with very many, the first ones are returned. `more` are formats of third parties.
    """
    found = keep_public(_read_statements(lines, more))
    statements = sorted(found, key=lambda statement: statement.line)
    heads = [number for number, line in lines if pattern(_COMMENT).match(line)]
    machines = _split_thread(statements, heads) if heads else [statements]
    groups = (group for machine in machines for group in _split(machine) if group)
    if any("wsl" in line.lower() or "microsoft-" in line for _, line in lines):
        is_named = mentions_wsl(lines)
        groups = (choose_linux(group, is_named=is_named) for group in groups)
    return tuple(_settle(group) for group in islice(groups, _MOST_ENVIRONMENTS))


def _end_name(statement: Statement) -> Statement:
    """End the name of a card where something else begins on its line, behind a bar."""
    if statement.topic is not Topic.GPU or "|" not in statement.value:
        return statement
    return replace(statement, value=statement.value.partition("|")[0].strip())


def _read_statements(lines: Lines, more: Iterable[FormatLike]) -> Iterator[Statement]:
    quoted = {number for number, line in lines if pattern(_QUOTED).match(line)}
    lines = [
        (number, spell_tags(clear_proposals(clear_example(strip_prefix(part)))))
        for number, line in lines
        for part in split_run_on(line)
    ]
    lines = clear_expected(clear_quotations(lines))
    own = set(find_own_rows(lines))
    lines = list(drop_columns(lines))
    wished = {*find_wishes(lines), *find_comparisons(lines)} - own
    desired = set(find_desired(lines))
    repair = find_repair(lines)
    text = "\n".join(line for _, line in lines).lower()
    if "wsl" in text or "microsoft" in text:
        yield from read_wsl(lines)
    printed: set[tuple[int, Topic, str]] = set()
    written: set[tuple[int, Topic, str]] = set()
    by_series: set[tuple[int, Topic, str]] = set()
    by_hand: list[Statement] = []
    for each in (*FORMATS, *more):
        if any(word in text for word in each.words):
            # Where two formats read the same of a line, the first one knows it better.
            found = [
                statement
                for statement in map(_end_name, each.load()(lines))
                if _locate(statement) not in printed
                and (statement.is_printed or _locate(statement) not in written)
                and (statement.line >= repair or statement.topic not in CHANGED)
                and not (statement.line in desired and statement.topic is Topic.CUDA_AVAILABLE)
            ]
            printed.update(_locate(statement) for statement in found if statement.is_printed)
            by_series.update(_locate(each) for each in found if each.is_printed and _names_series(each))
            written.update(_locate(statement) for statement in found if not statement.is_printed)
            by_hand += (statement for statement in found if not statement.is_printed)
            yield from (statement for statement in found if statement.is_printed)
    # What a program prints is no wish.
    kept = [
        each
        for each in by_hand
        if each.line not in wished and each.line not in desired and _locate(each) not in printed
    ]
    unquoted = any(number not in quoted and len(line) > _SHORTEST_OF_OWN for number, line in lines)
    yield from _choose_by_hand(kept, printed, by_series, quoted, unquoted=unquoted)


def _choose_by_hand(
    kept: Sequence[Statement],
    printed: Iterable[tuple[int, Topic, str]],
    by_series: Container[tuple[int, Topic, str]],
    quoted: Container[int],
    *,
    unquoted: bool,
) -> Iterator[Statement]:
    """Yield what people write: what they answer to a quotation, and mentions of what nothing else says."""
    # Of a Python, somebody may write the release as well.
    stated = {_name(place) for place in printed if place not in by_series}
    stated.update(_name(_locate(each)) for each in kept if each.reader != "mentions")
    dropped = [each for each in kept if each.reader == "mentions" and _name(_locate(each)) in stated]
    # The build of a release that is not the one that is there.
    others = {each.line for each in dropped if each.topic is Topic.TORCH}
    dropped += (each for each in kept if each.topic is Topic.TORCH_CUDA and each.line in others)
    kept = [each for each in kept if each.reader != "mentions" or each not in dropped]
    if unquoted:
        # A card that another one's words name is none of the writer's machine.
        kept = [each for each in kept if each.line not in quoted or each.topic not in _OF_CARDS]
    # What somebody answers to a quotation is more than the quotation.
    answered = {each.topic for each in kept if each.line not in quoted}
    yield from (each for each in kept if each.line not in quoted or each.topic not in answered)


def _locate(statement: Statement) -> tuple[int, Topic, str]:
    return statement.line, statement.topic, statement.subject


def _name(place: tuple[int, Topic, str]) -> tuple[Topic, str]:
    """Return what a statement is about; of cards, it does not matter which one it is."""
    _, topic, subject = place
    return topic, "" if topic in (Topic.GPU, Topic.GPU_MEMORY) else subject.lower()


def _split_thread(statements: Iterable[Statement], heads: Sequence[int]) -> Iterator[list[Statement]]:
    """Yield the statements of one machine after the other: a comment that differs is of another one."""
    posts: list[list[Statement]] = [[] for _ in range(len(heads) + 1)]
    for statement in statements:
        posts[bisect_right(heads, statement.line)].append(statement)
    machine: list[Statement] = []
    known: dict[Topic, Statement] = {}
    for post in posts:
        if any(each.topic in known and not agree(known[each.topic], each) for each in post):
            yield machine
            machine, known = [], {}
        machine += post
        known.update((each.topic, each) for each in post if each.topic in _OF_MACHINE)
    yield machine


def _split(statements: Iterable[Statement]) -> Iterator[list[Statement]]:
    """Yield the statements of one environment after the other."""
    group: list[Statement] = []
    seen: dict[tuple[str, Topic], Statement] = {}
    for statement in statements:
        place = (statement.reader, statement.topic)
        earlier = seen.get(place)
        is_other = (
            earlier is not None
            and statement.topic in _IDENTITY
            and statement.is_printed
            and statement.reader not in _SEQUENTIAL
            and earlier.line != statement.line
            and not agree(earlier, statement)
        )
        if is_other:
            yield group
            group, seen = [], {}
        seen[place] = statement
        group.append(statement)
    yield group


def _settle(statements: Iterable[Statement]) -> Environment:
    """Choose the best statement of each topic and subject, and keep what contradicts it."""
    by_key: dict[Key, list[Statement]] = {}
    for statement in statements:
        subject = statement.subject if statement.topic in NAMED_TOPICS else ""
        if statement.topic in (Topic.PACKAGE, Topic.CONDA_PACKAGE, Topic.REQUIRED_TORCH):
            subject = subject.lower().replace("_", "-")
        by_key.setdefault((statement.topic, subject), []).append(statement)
    chosen: list[Statement] = []
    conflicts: list[Conflict] = []
    for (topic, _), candidates in by_key.items():
        candidates = _keep_last_of_sequence(candidates)
        if topic in (Topic.TORCH, Topic.TORCH_CUDA, Topic.PYTHON, Topic.PACKAGE):
            # Whoever names the torch that is there knows more than whoever tells how it came there.
            candidates = [each for each in candidates if each.reader != "told-installs"] or candidates
        if topic is Topic.TORCH:
            # What one Python lacks, another one has.
            candidates = [each for each in candidates if each.value != "missing"] or candidates
        best = max(candidates, key=_rate)
        if topic is Topic.GPU and best.value.endswith("..."):
            best = max((each for each in candidates if _completes(best, each)), key=_rate, default=best)
        best = _complete_version(best, candidates)
        other = max((each for each in candidates if not agree(best, each)), key=_rate, default=None)
        if other is None or topic in _UNCOMPARED:
            chosen.append(best)
            continue
        first, second = sorted((best, other), key=lambda each: each.line)
        conflicts.append(Conflict(first, second))
        if best.is_printed and (not other.is_printed or other.reader in _LAST_RESORT):
            chosen.append(best)
    # Two versions of torch with their builds are one contradiction.
    lines = {(each.first.line, each.second.line) for each in conflicts if each.first.topic is Topic.TORCH}
    conflicts = [
        each
        for each in conflicts
        if each.first.topic is not Topic.TORCH_CUDA or (each.first.line, each.second.line) not in lines
    ]
    ordered = sorted(chosen, key=lambda each: (each.line, list(Topic).index(each.topic)))
    return Environment(tuple(ordered), tuple(conflicts))


def _names_series(statement: Statement) -> bool:
    """Return whether a statement names only the series of a Python, as a folder and a wheel do."""
    return statement.topic is Topic.PYTHON and statement.value.count(".") == 1


def _complete_version(best: Statement, candidates: Iterable[Statement]) -> Statement:
    """Return the statement of a Python of which only the series is printed, with the release written."""
    if not _names_series(best):
        return best
    written = [each for each in candidates if each.value.startswith(f"{best.value}.")]
    if len({each.value for each in written}) != 1:
        return best
    return replace(written[0], is_printed=best.is_printed)


def _completes(cut: Statement, other: Statement) -> bool:
    """Return whether a statement has all of a card's name that a table has cut off."""
    names = [
        pattern(r"nvidia|geforce|[\W_]").sub("", each.value.lower().removesuffix("..."))
        for each in (cut, other)
    ]
    return len(names[1]) > len(names[0]) and names[1].startswith(names[0]) and is_nvidia(other.value)


def _keep_last_of_sequence(candidates: list[Statement]) -> list[Statement]:
    """Return the statements without those that the same format replaces later, as pip does by installing."""
    last = {each.reader: each for each in candidates if each.reader == "pip-output"}
    return [each for each in candidates if each.reader not in last or last[each.reader] is each]


def _rate(statement: Statement) -> tuple[bool, bool, int, int]:
    is_sure = statement.reader not in _LAST_RESORT
    # torch prints the range of what it has code for in front of the list.
    is_detailed = statement.topic not in _UNCOMPARED or statement.topic is Topic.ARCHITECTURES
    detail = len(statement.value) if is_detailed else 0
    return (statement.is_printed, is_sure, detail, -statement.line)
