"""Read from what pip prints of a conflict which two requirements exclude each other."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record
from torchdoctor.domain.versions import VersionError, parse_range

_BLOCK = "The conflict is caused by"
# pip joins the last two clauses of a requirement with "and".
_CLAUSES = r"[=<>~!]{1,3} ?[\w.*+!-]{1,40}(?:(?:, ?| and )[=<>~!]{1,3} ?[\w.*+!-]{1,40}){0,5}"
_ITEM = (
    r"(?:The user requested(?: \(constraint\))?"
    r"|(?P<package>[A-Za-z][\w.-]{1,50}) (?P<version>\d[\w.+!-]{0,40}) depends on)"
    rf" (?P<library>[A-Za-z][\w.-]{{1,50}})(?:\[[\w,. -]{{1,60}}\])?(?P<clauses>{_CLAUSES})"
)
# What uv concludes.
_CONCLUSION = (
    r"Because (?P<package>[A-Za-z][\w.-]{1,50})==(?P<version>[\w.+]{1,40}) depends on"
    rf" (?P<library>[A-Za-z][\w.-]{{1,50}})(?P<needed>{_CLAUSES})[^\n]{{0,40}} you require"
    rf" (?P=library)(?P<wanted>{_CLAUSES})"
)
# What pip could not install together.
_REFUSED = r"Cannot install ((?:[\w.,=+*-]{1,60}\s{1,40}){2,60})because these package versions have"
_PINNED = r"(?P<package>[A-Za-z][\w.-]{1,50})==(?P<version>\d[\w.+-]{0,40})"
# More items than these are releases of one package that pip tried one after the other.
_MOST_ITEMS = 60
_LIBRARIES = ("torch", "torchvision", "torchaudio", "numpy")
_COMPANIONS = ("torchvision", "torchaudio", "xformers")
# Above all releases, and between two of them.
_HIGH = 9999


@record
class _Item:
    """A requirement, and the package and its version that have it; "" where the user asked for it."""

    package: str
    version: str
    library: str
    clauses: str


def read_conflict(text: str) -> Mapping[str, str]:
    """Return the two requirements that exclude each other, if pip's list of a conflict shows them.

    `dependent` with its `dependent_version` `needs` one version of a library, and `wanted` is asked for, by
    `wanted_by`, if that is a package. `companion_pin` is the release of `dependent` for the torch that is
    wanted. `only_dependent` is the one package whose releases pip tried beside the torch `only_torch`.
    """
    place = text.find(_BLOCK)
    if place < 0:
        return _read_conclusion(text) or _read_refused(text)
    pair = next(_find_pairs(_read_items(text[place:])), None)
    if pair is None:
        return {}
    wanted, needed = pair if pair[1].package else pair[::-1]
    if not needed.package:
        return {}
    values = {
        "dependent": needed.package,
        "dependent_version": needed.version,
        "needs": needed.library + needed.clauses,
        "wanted": wanted.library + wanted.clauses,
        "wanted_by": f"{wanted.package} {wanted.version}" if wanted.package else "",
        "companion_pin": _name_companion(needed, wanted),
    }
    return {name: value for name, value in values.items() if value}


def _read_conclusion(text: str) -> Mapping[str, str]:
    """Return what uv says of two requirements that exclude each other."""
    match = pattern(_CONCLUSION).search(text)
    if match is None:
        return {}
    needed = _Item(match["package"], match["version"], match["library"], match["needed"])
    pin = _name_companion(needed, _Item("", "", match["library"], match["wanted"].rstrip(",.")))
    return {"companion_pin": pin} if pin else {}


def _read_refused(text: str) -> Mapping[str, str]:
    """Return the one package that pip tried in releases beside one torch, with that torch."""
    match = pattern(_REFUSED).search(text)
    if match is None:
        return {}
    found: dict[str, list[str]] = {}
    for requirement in pattern(_PINNED).finditer(match[1]):
        found.setdefault(requirement["package"].lower(), []).append(requirement["version"])
    torch = found.pop("torch", [])
    if len(torch) != 1 or len(found) != 1:
        return {}
    dependent = next(iter(found))
    values = {"only_dependent": dependent, "only_torch": torch[0].partition("+")[0]}
    return {**values, "dependent": dependent, "torch_release": values["only_torch"]}


def _read_items(text: str) -> list[_Item]:
    found = (
        _Item(
            match["package"] or "",
            match["version"] or "",
            match["library"].lower(),
            match["clauses"].replace(" and ", ",").replace(" ", "").rstrip(".,"),
        )
        for match in pattern(_ITEM).finditer(text)
    )
    return list(dict.fromkeys(found))[:_MOST_ITEMS]


def _find_pairs(items: list[_Item]) -> Iterator[tuple[_Item, _Item]]:
    """Yield pairs of requirements for one library that cannot be met together, torch first.

    Releases of one package are tried one after the other; two of them are no conflict.
    """
    order = {name: place for place, name in enumerate(_LIBRARIES)}
    pairs = [
        pair
        for pair in combinations(items, 2)
        if pair[0].library == pair[1].library
        and (pair[0].package != pair[1].package or not pair[0].package)
        and _exclude(pair[0].clauses, pair[1].clauses)
    ]
    yield from sorted(pairs, key=lambda pair: order.get(pair[0].library, len(order)))


def _exclude(one: str, other: str) -> bool:
    """Return whether no version fits both requirements; False where that is not known."""
    builds = [clauses.partition("+")[2] for clauses in (one, other)]
    if all(builds) and builds[0] != builds[1]:
        return True
    try:
        ranges = [parse_range(_drop_build(clauses)) for clauses in (one, other)]
    except VersionError:
        return False
    bounds = [bound for each in ranges for _, bound, _ in each.clauses]
    candidates = [candidate for bound in bounds for candidate in _list_near(bound)]
    return not any(all(_name(candidate) in each for each in ranges) for candidate in candidates)


def _drop_build(clauses: str) -> str:
    return ",".join(clause.partition("+")[0] for clause in clauses.replace("===", "==").split(","))


def _list_near(bound: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield a version, one a little above it, and those a little below it, if there are any."""
    yield bound
    yield (*bound, 1)
    for place, number in enumerate(bound):
        if number > 0:
            yield (*bound[:place], number - 1, _HIGH)


def _name(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _name_companion(needed: _Item, wanted: _Item) -> str:
    """Return the release of a companion for the one torch that is wanted, "" if there is none."""
    exact = pattern(r"={2,3}(\d[\d.]*)(?:\+\w+)?").fullmatch(wanted.clauses)
    if needed.package not in _COMPANIONS or needed.library != "torch" or exact is None:
        return ""
    # Imported here: few conflicts are of these, and the tables of releases take long to import.
    from torchdoctor.domain.releases import find_companion

    release = find_companion(needed.package, exact[1])
    return f"{needed.package}=={release}" if release else ""
