"""Names with versions in a row, as people list what is installed: one in a line, or several in a sentence.

A name is that of a package if packages that everybody knows stand beside it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.known_packages import is_package, name_distribution
from torchdoctor.readers.sentences import Sentence, is_of_program, list_sentences
from torchdoctor.readers.statements import Lines, Statement, Topic

_NAME = "inventories"
_LONGEST_LINE = 700
_VERSION = values.VERSION
# A line of a list: a name, a colon or space, and a version.
_ROW = (
    r"\s{0,12}(?:[-*+•>#|]{1,3}\s{0,3}|\d{1,2}[.)] |[^\w\s`*\"'\[({<]{1,2} ){0,2}[`*]{0,3}"
    r"(?P<name>[A-Za-z][\w.-]{1,40}(?: [A-Za-z][\w-]{1,20})?)(?: version)?[`*]{0,3}"
    r"(?:\s{0,3}[:：|][`*]{0,3}\s{0,30}|(?P<gap>\s{1,40}))[`*]{0,3}v?"
    rf"(?P<version>{_VERSION})(?![\w*]|\.[\dx*]|\+\w)(?P<rest>.{{0,200}})$"
)
# One of several in a sentence.
_ITEM = (
    r"(?:^|[\s(（`*:：,，、;；/+&|])(?P<name>[A-Za-z][\w.-]{1,40})(?:[`*]{0,3} (?:version )?[`*]{0,3}v?)"
    rf"(?P<version>{_VERSION})(?![\w*+]|\.[\dx*])"
    r"(?=[`*]{0,3}(?: ?(?:$|[,，、;；/&|)）(（。—]|and\b|和)| \+ |\.(?:\s|$)))"
)
# A pin in marks of code that is said to be there, or that a limit names ("`numpy<2` (`numpy==1.26.4`)").
_PINNED = (
    r"(?:\b(?:installed|used|have|got|now|running|reinstalled|(?:down|up)graded to|built `[^`\n]{1,30}`"
    r" with) |已安装 ?)"
    r"`(?P<name>[A-Za-z][\w.-]{1,40})==(?P<version>\d[\w.+]{1,30})`"
    r"|`[\w.-]{2,40}[<>~]=?[\d.]{1,12}` \((?:\w{3,12}"
    r" )?`(?P<second>[A-Za-z][\w.-]{1,40})==(?P<exact>\d[\w.+]{1,30})`\)"
    r"|`(?P<third>[A-Za-z][\w.-]{1,40})==(?P<there>\d[\w.+]{1,30})` is installed\b"
)
_NOT_DONE = r"\b(?:to be|should|must|never|not|if|when|can|could|want|need)\b|n't\b"
# What may stand between two of them.
_BETWEEN = 48
# What is no package.
_OTHER_THING = (
    r"python|cuda|cudnn|driver|windows|ubuntu|linux|debian|macos|\bnode|\bnpm\b|\bgit\b|docker|\bgcc|msvc"
    r"|cmake"
    r"|\bjava|version|\bgpu|\bram\b|memory|\bos\b|kernel|\bconda\b|\bvs\b|visual|studio|chrome|ffmpeg|rocm"
    r"|\bhave\b|\bhas\b|\bwith\b|\band\b|\bfor\b|\bfrom\b|\buse\b|\busing\b|\bthe\b|\bin\b|\bis\b|\bof\b"
    r"|\bto\b|\bat\b|\bv$|\bchapter|\bsection|\bfigure|\bstep\b|\bphase|\bepoch|\bloss"
)
# Words that make a list a wish, another's or an earlier one.
_WISH = (
    r"\bpaper\b|\btrained (?:on \d|with)|model card|requir|\bneed|recommend|support|compatib|should|would"
    r"|could|\bmust|\bwant|\btry|tried|instead|minimum"
    r"|at least|or (?:newer|later|higher|above)|\bworks?\b|\bif\b|e\.g\.|example|previous|before|\bold\b"
    r"|\bpin"
    r"|tested|upgrade (?:to)?|downgrade to|\bfriend|colab|kaggle|docker|expect|suggest|\bbreak|\bfail"
    r"|conflict"
    r"|no matching|(?:not|n['’]t) find|from versions|\buninstall|unsatisf|remov|->|→|之前|以前|原来|需要|推荐"
    r"|推薦|建议|支持|要求|如果|应该|换成|пробова|требу|必要|推奨|\bbump"
    r"|\bvs\b|\bused to\b"
)
_INSTALL = r"\b(?:re)?install(?!ed)|安装|安裝|установ|instal(?:ar|lieren|ler)"
_DONE = (
    r"\binstalled\b|\bcomplet|\bsuccess|\bnow\b|装好|装完|已安装|安装完成|安裝結果|安装结果|更新为"
    r"|установлен\b|instalad[oa]s?\b"
    r"|\binstalliert\b|\binstallé"
)


class _Item(NamedTuple):
    """A name with a version, and where it stands."""

    number: int
    name: str
    version: str
    start: int = 0
    end: int = 0

    @property
    def is_known(self) -> bool:
        """Whether it is a package that everybody knows."""
        name = self.name.lower().replace("_", "-")
        return name in ("torch", "pytorch") or is_package(name)


def read(lines: Lines) -> Iterator[Statement]:
    """Yield the packages of lists that people write."""
    yield from _read_columns(lines)
    written = [(number, "" if is_of_program(line) else line) for number, line in lines]
    for sentence in list_sentences(written, are_whole=True):
        if len(sentence.text) <= _LONGEST_LINE:
            yield from _read_sentence(sentence)


def _read_columns(lines: Lines) -> Iterator[Statement]:
    """Yield the packages of lists with one in a line."""
    group: list[_Item] = []
    filled = 0
    last = -9
    for number, line in [*lines, (0, "")]:
        filled += bool(line.strip())
        row = pattern(_ROW).match(line) if len(line) <= _LONGEST_LINE else None
        item = (
            _Item(number, row["name"], row["version"]) if row and _is_row(row["gap"], row["rest"]) else None
        )
        if group and (item is None) and (number == 0 or filled - last > 1 or not line.strip()):
            yield from _read_group(group)
            group = []
        if item:
            group.append(item)
            last = filled


def _is_row(gap: str | None, rest: str) -> bool:
    """Return whether what follows a name and a version in a line is no sentence and no limit."""
    if pattern(r"[><]=?\d[\d.]{0,12}\s*$").match(rest):
        # Ultralytics prints the limit behind the version that is there.
        return gap is not None
    return (
        not values.is_limit(rest)
        and pattern(r"[`*]{0,3}\s{0,3}(?:$|[|(（,;；—✓✅·#-])").match(rest) is not None
    )


def _read_group(group: Sequence[_Item]) -> Iterator[Statement]:
    known = sum(item.is_known for item in group)
    if known > 1 or (known and len(group) > 3):
        yield from _state(group)


def _read_sentence(sentence: Sentence) -> Iterator[Statement]:
    for match in pattern(_PINNED, True).finditer(sentence.text):
        name, version = (each for each in match.groups() if each)
        item = _Item(sentence.find_line(match.start()), name, version)
        if item.is_known and not pattern(_NOT_DONE, True).search(sentence.text[: match.start()][-24:]):
            yield from _state([item])
    items = [
        _Item(
            sentence.find_line(match.start("version")),
            match["name"],
            match["version"],
            match.start(),
            match.end(),
        )
        for match in pattern(_ITEM).finditer(sentence.text)
    ]
    if len(items) < 2 or pattern(_WISH, True).search(sentence.text):
        return
    if pattern(_INSTALL, True).search(sentence.text) and not pattern(_DONE, True).search(sentence.text):
        return
    for group in _split_group(items):
        if len(group) > 1 and any(item.is_known for item in group):
            yield from _state([item for item in group if item.is_known or item.version.count(".") > 1])


def _split_group(items: Sequence[_Item]) -> Iterator[list[_Item]]:
    """Yield those of a sentence that stand near each other."""
    group = [items[0]]
    for before, item in pairwise(items):
        if item.start - before.end > _BETWEEN:
            yield group
            group = []
        group.append(item)
    yield group


def _state(items: Iterable[_Item]) -> Iterator[Statement]:
    items = list(items)
    torches = {item.version for item in items if item.name.lower() in ("torch", "pytorch")}
    for item in items:
        if item.name.lower() in ("torch", "pytorch"):
            for topic, value, _ in values.read_torch(item.version) if len(torches) == 1 else ():
                yield Statement(topic, value, item.number, _NAME, is_printed=False)
        elif item.is_known or not pattern(_OTHER_THING, True).search(item.name):
            name = name_distribution(item.name)
            yield Statement(Topic.PACKAGE, item.version, item.number, _NAME, is_printed=False, subject=name)
