"""Read which installing commands fail in a text, so that no answer begins with one of them."""

from collections.abc import Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record
from torchdoctor.explain.text.split import Unit

# A command at the start of a line, behind a prompt, a number of a list or a quotation mark.
_TYPED = (
    r"^\s{0,8}(?:[^\n]{0,200}[>$%] ?|\d{1,2}[.)] |[-*] )?[`'\"!]?(?:(?:python|py)[\w .-]{0,8}-m )?"
    r"(?P<installer>pip|conda)3? install (?P<words>[\w.+=<>\[\]:/ -]{2,200}?)[`'\"]?[:.]?\s*$"
)
_FAILS = (
    r"\bERROR\b|\b[Ee]rror:|[A-Z]\w{2,40}Error\b|\b(?:failed|fails|unsatisfiable|not available from)\b"
    r"|No matching distribution"
)
_IN_STEP = r"^[ ]*(?:python -m )?(?P<installer>pip|conda) install (?P<words>[^\n]+)$"
_CODE = r"```\w+\n(?P<code>[\s\S]*?)```"
# Words of a sentence that goes on behind a command.
_OF_SENTENCES = (
    r"a|and|but|can|did|does|fails|for|from|gives|I|in|is|it|not|of|on|the|then|this|to|what|when|with"
)
_WITHOUT_EFFECT = ("-y", "--yes", "-v", "--verbose")
# What tells to do it once more on purpose, with something else changed before.
_ON_PURPOSE = r"\b(?:again|repeat\w{0,2}|once more|retry)\b"


@record
class Installation:
    """A command of an installer: its packages, and its options with their values."""

    installer: str
    packages: frozenset[str]
    options: frozenset[str]

    def repeats(self, failed: "Installation") -> bool:
        """Return whether a command asks for all that another one asked for, in the same way."""
        is_alike = (self.installer, self.options) == (failed.installer, failed.options)
        return is_alike and bool(failed.packages) and failed.packages <= self.packages


def read_failed_installations(units: Sequence[Unit]) -> tuple[Installation, ...]:
    """Return the commands of pip and conda that a text shows, each followed by an error."""
    lines = [line.text for unit in units for line in unit.lines]
    failed: list[Installation] = []
    last: Installation | None = None
    for line in lines:
        typed = pattern(_TYPED).match(line)
        if typed is not None:
            read = _read(typed["installer"], typed["words"])
            is_sentence = any(pattern(_OF_SENTENCES, True).fullmatch(word) for word in read.packages)
            last = None if is_sentence else read
        elif last is not None and pattern(_FAILS).search(line):
            failed.append(last)
            last = None
    return tuple(failed)


def put_repeated_later(steps: Sequence[str], failed: Sequence[Installation]) -> tuple[str, ...]:
    """Return steps that do not begin with a command which fails in the text, where there are others."""
    repeated = [step for step in steps if failed and _is_repeated(step, failed)]
    others = [step for step in steps if step not in repeated]
    if not repeated or not others or steps[0] not in repeated:
        return tuple(steps)
    return (others[0], *(step for step in steps if step is not others[0]))


def _is_repeated(step: str, failed: Sequence[Installation]) -> bool:
    if pattern(_ON_PURPOSE, True).search(step):
        return False
    code = "\n".join(match["code"] for match in pattern(_CODE).finditer(step))
    lines = [line for line in code.splitlines() if line.strip()]
    commands = [pattern(_IN_STEP).match(line) for line in lines]
    installations = [_read(each["installer"], each["words"]) for each in commands if each is not None]
    is_nothing_else = bool(lines) and len(installations) == len(lines)
    return is_nothing_else and any(each.repeats(other) for each in installations for other in failed)


def _read(installer: str, words: str) -> Installation:
    options, packages = set[str](), set[str]()
    is_value = False
    for word in words.split():
        if word in _WITHOUT_EFFECT:
            continue
        (options if is_value or word.startswith("-") else packages).add(word)
        is_value = word.startswith("-") and "=" not in word
    return Installation(installer, frozenset(packages), frozenset(options))
