"""A configuration sets more loader workers than a Windows machine usually has memory for."""

import re
from collections.abc import Iterator
from pathlib import PurePath

from torchdoctor.check import Finding, check
from torchdoctor.source import ConfigFile, ConfigSetting
from torchdoctor.source.places import locate_setting

# Each worker commits memory for its own Python and torch, so only a small number suits any machine.
MOST_WORKERS = 4
# One more is not worth a change, and no machine has processors for so many more.
_LEAST_REPORTED, _MOST_REPORTED = 6, 256
_WORKERS_KEY = re.compile(
    r"^(?:max_data_?loader_)?(?:(?:n|num|nb|nr|number|of|torch|batch|image|prefetch|cpu|data|loader|dl|train|val|valid|test|eval|dataset|preprocess(?:ing)?|io)_?)*"
    r"n?workers?(?:_?(?:per_gpu|per_device|per_dataset|data_?loader|loader|train|val|test|eval|num|count))?$",
    re.IGNORECASE,
)
# Parts of a key that belongs to servers or other processes, not to loaders.
_OTHER_SECTIONS = re.compile(
    r"server|uvicorn|gunicorn|celery|api|web|http|actor|rollout|ray|env|deploy|job|cluster|service"
    r"|slurm|executor|multi_?process|pool|thread|tokeni[sz]|launcher",
    re.IGNORECASE,
)
# Names of files that configure servers and clusters.
_OTHER_FILES = re.compile(r"gunicorn|uvicorn|celery|docker|compose|deploy|serving|slurm", re.IGNORECASE)
# What a comment or a help says of a number that is not one of a loader.
_OTHER_WORK = re.compile(
    r"slurm|pre-?process|tokeni[sz]|convert|download|\bpool\b|(?:web|http) ?server|gunicorn"
    r"|rollout|actors?\b",
    re.IGNORECASE,
)
_LOADING = re.compile(r"load|batch|fetch", re.IGNORECASE)
# A model of latent diffusion, of which inference reads only the part that describes the model.
_MODEL_TARGET, _INFERENCE_FILE = "ldm.", re.compile(r"inference", re.IGNORECASE)
# A file with this many settings, nearly all of them numbers, is a table such as a vocabulary.
_TABLE_LENGTH = 300
# Words of Python files that hold configuration: an option whose default is not small or a key, and a number
# that a name is set to.
_QUOTED = re.compile(
    rb"[oO](?:rker|RKER)[sS]?[\w\-]*[\"']\s*"
    rb"(?:[,)](?![^()\"']{0,400}?\bdefault\s*=\s*[0-5]\s*[,)])|:\s*\+?0*(?:[6-9]|[1-9]\d))"
)
_SET = re.compile(
    rb"[oO](?:rker|RKER)[sS]?\w*\s*(?::[^\n=]{0,60})?=\s*(?:0*[6-9]|0*[1-9]\d|[\w.]*(?:[fF]ield|Option|attrib?)\()"
)
_WORDS = ((b"worker", (_QUOTED, _SET)), (b"WORKER", (_QUOTED, _SET)))


@check(words=_WORDS)
def workers_in_config(configuration: ConfigFile) -> Iterator[Finding]:
    """Find settings with far more than MOST_WORKERS loader workers."""
    if _OTHER_FILES.search(PurePath(configuration.path).name) or _is_table(configuration):
        return
    for setting in configuration.settings:
        value = setting.value
        if isinstance(value, bool) or not isinstance(value, int):
            continue
        is_reported = _LEAST_REPORTED <= value <= _MOST_REPORTED
        if is_reported and _is_of_loader(setting) and not _describes_model(configuration):
            place = locate_setting(configuration, setting)
            shown = setting.shown or setting.key
            evidence = {"setting": shown, "most_workers": MOST_WORKERS}
            yield Finding(f"{shown} is {setting.written or value}", place, evidence)


def _is_of_loader(setting: ConfigSetting) -> bool:
    """Return whether a setting is a number of workers, and nothing says that they are no loader's."""
    *sections, key = re.split(r"[./]", setting.key)
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).replace("-", "_").lstrip("_")
    if not _WORKERS_KEY.match(name) or any(_OTHER_SECTIONS.search(section) for section in sections):
        return False
    return not _OTHER_WORK.search(setting.remark) or _LOADING.search(setting.remark) is not None


def _describes_model(configuration: ConfigFile) -> bool:
    """Return whether a file is only read for the model that it describes."""
    targets = (each.value for each in configuration.settings if each.key == "model.target")
    is_model = any(str(each).startswith(_MODEL_TARGET) for each in targets)
    return is_model and _INFERENCE_FILE.search(PurePath(configuration.path).name) is not None


def _is_table(configuration: ConfigFile) -> bool:
    if len(configuration.settings) < _TABLE_LENGTH:
        return False
    numbers = sum(isinstance(setting.value, int) for setting in configuration.settings)
    return numbers > 0.9 * len(configuration.settings)
