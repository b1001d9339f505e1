"""A configuration sets more loader workers than a Windows machine usually has memory for."""

import re
from collections.abc import Iterator
from pathlib import PurePath

from torchdoctor.check import Finding, Location, check
from torchdoctor.source import ConfigFile

# Each worker commits memory for its own Python and torch, so only a small number suits any machine.
MOST_WORKERS = 4
_WORKERS_KEY = re.compile(
    r"^(?:max_data_?loader_)?(?:(?:n|num|nb|nr|number|of|torch|batch|image|prefetch|cpu|data|loader|dl|train|val|valid|test|eval|dataset|preprocess(?:ing)?|io)_?)*"
    r"n?workers?(?:_?(?:per_gpu|per_device|per_dataset|data_?loader|loader|train|val|test|eval|num|count))?$",
    re.IGNORECASE,
)
# Parts of a key that belongs to servers or other processes, not to loaders.
_OTHER_SECTIONS = re.compile(
    r"server|uvicorn|gunicorn|celery|api|web|http|actor|rollout|ray|env|deploy|job|cluster|service",
    re.IGNORECASE,
)
# Names of files that configure servers.
_OTHER_FILES = re.compile(r"gunicorn|uvicorn|celery|docker|compose|deploy|serving", re.IGNORECASE)
# A file with this many settings, nearly all of them numbers, is a table such as a vocabulary.
_TABLE_LENGTH = 300
# Words of Python files that hold configuration.
_WORDS = (
    (b"WORKERS", ()),
    (b"workers", (b'workers"', b"workers'", b"_per_gpu", b"WORKERS")),
)


@check(words=_WORDS)
def workers_in_config(configuration: ConfigFile) -> Iterator[Finding]:
    """Find settings with more than MOST_WORKERS loader workers."""
    if _OTHER_FILES.search(PurePath(configuration.path).name) or _is_table(configuration):
        return
    for setting in configuration.settings:
        value = setting.value
        if isinstance(value, bool) or not isinstance(value, int) or value <= MOST_WORKERS:
            continue
        *sections, key = re.split(r"[./]", setting.key)
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).replace("-", "_").lstrip("_")
        if _WORKERS_KEY.match(name) and not any(_OTHER_SECTIONS.search(section) for section in sections):
            place = Location(configuration.path, setting.line, setting.column)
            evidence = {"setting": setting.key, "most_workers": MOST_WORKERS}
            yield Finding(f"{setting.key} is {setting.written or value}", place, evidence)


def _is_table(configuration: ConfigFile) -> bool:
    if len(configuration.settings) < _TABLE_LENGTH:
        return False
    numbers = sum(isinstance(setting.value, int) for setting in configuration.settings)
    return numbers > 0.9 * len(configuration.settings)
