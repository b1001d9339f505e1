"""A configuration asks for more loader workers than a Windows machine usually has room for."""

import re
from collections.abc import Iterator
from pathlib import PurePath

from torchdoctor.check import Finding, Location, check
from torchdoctor.source import ConfigFile

# Each worker commits memory for its own Python and torch, so a default that suits any machine is small.
MOST_WORKERS = 4
_WORKERS = re.compile(
    r"^(?:max_data_?loader_)?(?:(?:n|num|nb|nr|number|of|torch|batch|image|prefetch|cpu|data|loader|dl|train|val|valid|test|eval|dataset|preprocess(?:ing)?|io)_?)*"
    r"n?workers?(?:_?(?:per_gpu|per_device|per_dataset|data_?loader|loader|train|val|test|eval|num|count))?$",
    re.IGNORECASE,
)
# Parts of a key that tell of servers and other processes, not of loaders.
_OTHERS = re.compile(
    r"server|uvicorn|gunicorn|celery|api|web|http|actor|rollout|ray|env|deploy|job|cluster|service",
    re.IGNORECASE,
)
# Files that are about servers as a whole.
_OTHER_FILES = re.compile(r"gunicorn|uvicorn|celery|docker|compose|deploy|serving", re.IGNORECASE)
# A file of so many numbers is a table, a vocabulary for instance, and no configuration.
_LONGEST = 300
# What Python files that hold configuration contain.
_WORDS = (
    (b"WORKERS", ()),
    (b"workers", (b'workers"', b"workers'", b"_per_gpu", b"WORKERS")),
)


@check(words=_WORDS)
def workers_in_config(configuration: ConfigFile) -> Iterator[Finding]:
    """Find numbers of loader workers above what fits anywhere."""
    if _OTHER_FILES.search(PurePath(configuration.path).name) or _is_table(configuration):
        return
    for setting in configuration.settings:
        *above, key = re.split(r"[./]", setting.key)
        value = setting.value
        if isinstance(value, bool) or not isinstance(value, int) or value <= MOST_WORKERS:
            continue
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).replace("-", "_").lstrip("_")
        if _WORKERS.match(name) and not any(_OTHERS.search(each) for each in above):
            place = Location(configuration.path, setting.line, setting.column)
            yield Finding(f"{setting.key} is {value}", place)


def _is_table(configuration: ConfigFile) -> bool:
    if len(configuration.settings) < _LONGEST:
        return False
    numbers = sum(isinstance(each.value, int) for each in configuration.settings)
    return numbers > 0.9 * len(configuration.settings)
