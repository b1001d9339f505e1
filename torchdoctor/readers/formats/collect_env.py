"""What `python -m torch.utils.collect_env` lists besides its labelled lines: GPUs and packages."""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.statements import Lines, Statement, Topic

_GPU = (
    r"\s*(?:GPU models and configuration:\s*)?GPU (?P<number>\d{1,2}):"
    r" (?P<name>[^(\n]{3,80}?)\s*(?:\(UUID.{0,60})?$"
)
_PIP = r"\s*\[pip3?\] (?P<name>[\w.-]{1,60})(?:==| \()(?P<version>[\w.+!]{1,60})\)?\s*$"
# The same list in the JSON of a web UI.
_JSON_HEAD, _JSON_PIP = (
    r"\s*\"pip_packages\": \[",
    r"\s*\"(?P<name>[\w.-]{1,60})==(?P<version>[\w.+!]{1,60})\",?\s*$",
)
_CONDA = (
    r"\s*\[conda\] (?P<name>[\w.-]{1,60})\s{1,40}(?P<version>[\w.!+]{1,60})(?:\s{1,40}"
    r"(?P<build>[\w.]{1,60}))?(?:\s{1,40}(?P<channel>\S{1,60}))?\s*$"
)


def read(lines: Lines) -> Iterator[Statement]:
    """Yield the GPUs, and the packages of pip and conda that matter to torch."""
    is_json = False
    for number, line in lines:
        is_json = bool(pattern(_JSON_HEAD).match(line) or (is_json and "]" not in line))
        gpu = pattern(_GPU).match(line)
        if gpu and values.is_nvidia(gpu["name"]):
            yield Statement(Topic.GPU, gpu["name"].strip(), number, "collect-env", subject=gpu["number"])
        pip = pattern(_JSON_PIP if is_json else _PIP).match(line)
        if pip:
            yield from _read_pip(pip["name"], pip["version"], number)
        conda = pattern(_CONDA).match(line)
        if conda and conda["version"][0].isdecimal():
            name, build = conda["name"], conda["build"] or ""
            # What pip installed into the environment is in the list of conda, too.
            if build == "pypi" or build.startswith("pypi_") or conda["channel"] == "pypi":
                yield Statement(Topic.PACKAGE, conda["version"], number, "collect-env", subject=name)
            else:
                yield Statement(
                    Topic.CONDA_PACKAGE,
                    f"{conda['version']} {build}".strip(),
                    number,
                    "collect-env",
                    subject=name,
                )
                yield from read_conda_torch(name, conda["version"], build, number, "collect-env")


def _read_pip(name: str, version: str, number: int) -> Iterator[Statement]:
    for topic, value, subject in values.read_installed(name, version):
        yield Statement(topic, value, number, "collect-env", subject=subject)


def read_conda_torch(name: str, version: str, build: str, number: int, reader: str) -> Iterator[Statement]:
    """Yield the version of torch, and its CUDA, that a package of conda named pytorch states."""
    if name != "pytorch":
        return
    yield Statement(Topic.TORCH, version, number, reader)
    cuda = pattern(r"cuda(\d{1,2})\.(\d)|cuda(\d{2})(\d)").search(build)
    if cuda:
        major, minor = cuda[1] or cuda[3], cuda[2] or cuda[4]
        yield Statement(Topic.TORCH_CUDA, f"{major}.{minor}", number, reader)
    elif "cpu" in build:
        yield Statement(Topic.TORCH_CUDA, "none", number, reader)
