"""Fit a step to the program that made the environment: Poetry, PDM, pixi or micromamba.

Poetry, PDM and pixi install what their lock file names, so the change of pip does not last by itself.
micromamba has no command `conda`, no prompt of Anaconda, and keeps no revisions.
"""

import re
from collections.abc import Callable, Iterable

from torchdoctor.knowledge.interpreter import BLOCK, enters_environment
from torchdoctor.knowledge.uv import COMMAND, INDEX, list_packages

# https://python-poetry.org/docs/repositories/#explicit-package-sources
_POETRY = """{before}

   Poetry made this environment, and `poetry install` puts back what `poetry.lock` names. So that the change
   lasts, in the folder of the project:

   ```powershell
   poetry source add --priority=explicit pytorch-{name} {url}
   poetry add --source pytorch-{name} {packages}
   ```"""
# https://pdm-project.org/latest/usage/config/#specify-index-for-individual-packages
_PDM = """{before}

   PDM made this environment, and `pdm sync` puts back what `pdm.lock` names. So that the change lasts, add
   this to `pyproject.toml`, and type `pdm update {names}` in its folder:

   ```toml
   [[tool.pdm.source]]
   name = "pytorch-{name}"
   url = "{url}"
   include_packages = [{quoted}]
   ```"""
# What starts the Python of a project, in its folder: https://python-poetry.org/docs/cli/#run
PYTHON_OF_POETRY = "poetry run python"
# Where Poetry puts environments, without a setting, and where one puts them into the folder of the project.
_OF_POETRY = re.compile(r"\\pypoetry\\|\\\.venv\\", re.IGNORECASE)
_BY_POETRY = (
    "Poetry made this environment, and `poetry install` puts back what `pyproject.toml` and `poetry.lock`"
    " name. So change these, with Poetry 1.5 or newer, in the folder of the project:"
)
# Commands that look first which torch is there, and then call pip.
_CHOOSING = re.compile(r"\bpip\b[^\n]*'install'")
_PERHAPS_LOCKED = (
    "`poetry install` puts the old packages back, until `pyproject.toml` names the index and the releases"
    " that pip printed: https://python-poetry.org/docs/repositories/#explicit-package-sources"
)
# A package that the project has already needs a version here: https://python-poetry.org/docs/cli/#add
_ON_THE_INDEX = re.compile(r"\"?(?P<name>torch(?:vision|audio)?|xformers)(?P<version>[=<>~!][^\"]*)?\"?")
_CONDA = re.compile(r"(?<![\w.-])conda (?=(?:install|create|update|list|activate|run|remove) )")
_REVISIONS = re.compile(
    r"To undo,[^.`]{0,40}`conda list --revisions`[^.`]{0,20}`conda install --revision N`[^.]{0,20}\."
)
# https://pixi.prefix.dev/latest/python/pytorch, and `pixi add --help`.
_BY_PIXI = (
    "pixi made this environment, without pip, and puts back what `pixi.toml` and `pixi.lock` name. So change"
    " these, in the folder of the project:"
)
_PIXI_CUDA = """Write this into `pixi.toml`, in the tables of these names, take a line `pytorch` or
   `pytorch-cpu` out, and type `pixi install`. Without the first table, pixi takes a CPU build:

   ```text
   [system-requirements]
   cuda = "{major}"

   [dependencies]
   pytorch-gpu = "*"
   ```

   Where torch stands below `[pypi-dependencies]`, give it the index there instead:
   `torch = {{ version = "*", index = "{url}" }}`."""
# https://pdm-project.org/latest/usage/venv: an environment of PDM has no pip, unless one asks for it.
_BY_PDM = (
    "PDM made this environment, without pip, and `pdm sync` puts back what `pdm.lock` names. So change that,"
    " in the folder of the project:"
)
_PDM_INDEX = """Add this to `pyproject.toml`:

   ```text
   [[tool.pdm.source]]
   name = "pytorch-{name}"
   url = "{url}"
   include_packages = [{quoted}]
   ```

   Then let PDM take the build from there:"""
_READS = re.compile(r"\bpython -m pip (?P<verb>list|show)\b")
# What only pip does.
_SPECIAL = re.compile(r"--no-build-isolation| -[re] |\.whl\b|git\+")
_ADDITIONS = {"poetry": _POETRY, "pdm": _PDM}


def add_project_lines(markdown: str, installer: str) -> str:
    """Return a step with what makes its installation last, for the installer that a package records.

    That is "Poetry 1.8.2" or "pdm"; for another one, and a step that takes nothing from an index, the step
    stays as it is.
    """
    addition = _ADDITIONS.get(installer.split(" ")[0].lower())
    commands = [each["arguments"] for each in COMMAND.finditer(markdown) if each["verb"] == "install"]
    index = INDEX.search(commands[-1]) if commands else None
    if addition is None or index is None or enters_environment(markdown):
        return markdown
    packages = list_packages(INDEX.sub("", commands[-1]).split())
    names = [package.partition("=")[0] for package in packages]
    return addition.format(
        before=markdown.rstrip(),
        name=index["name"],
        url=index["url"],
        packages=" ".join(packages),
        names=" ".join(names),
        quoted=", ".join(f'"{name}"' for name in names),
    )


def is_python_of_poetry(python: str) -> bool:
    """Return whether Poetry may have made the environment of a Python; of an unknown one it may."""
    return not python or _OF_POETRY.search(python) is not None


def write_steps_for_poetry(steps: Iterable[str]) -> tuple[str, ...]:
    """Return steps whose installation of torch is that of a Poetry project, which the lock file then names.

    The first one says why. Steps up to one that makes another environment are written so.
    """
    written: list[str] = []
    note, is_same_environment = _BY_POETRY, True
    for step in steps:
        is_same_environment = is_same_environment and not enters_environment(step)
        text = _write_for_poetry(step, note) if is_same_environment else step
        if note and text == step and is_same_environment and _CHOOSING.search(step):
            text = f"{step.rstrip()}\n\n   {_PERHAPS_LOCKED}"
        note = note if text == step else ""
        written.append(text)
    return tuple(written)


def _write_for_poetry(markdown: str, note: str) -> str:
    """Return a step with the source and packages of a project in place of what pip takes from an index."""
    for block in BLOCK.finditer(markdown):
        commands = list(COMMAND.finditer(block["code"]))
        index = INDEX.search(commands[-1]["arguments"]) if commands else None
        is_of_pip_alone = len(commands) == len(block["code"].strip().splitlines())
        if index is None or commands[-1]["verb"] != "install" or not is_of_pip_alone:
            continue
        packages = list_packages(INDEX.sub("", commands[-1]["arguments"]).split())
        added = [_name_for_poetry(package) for package in packages if _ON_THE_INDEX.fullmatch(package)]
        others = [package for package in packages if not _ON_THE_INDEX.fullmatch(package)]
        indent = block["indent"]
        lines = [
            f"poetry source add --priority=explicit pytorch-{index['name']} {index['url']}",
            f"poetry add --source pytorch-{index['name']} {' '.join(added)}",
            *([f"poetry add {' '.join(others)}"] if others else []),
        ]
        code = "".join(f"{indent}{line}\n" for line in lines)
        before = markdown[: block.start()].rstrip()
        before = f"{before.rstrip(':.')}.\n\n{indent}{note}" if note else before
        return f"{before}\n\n{indent}```powershell\n{code}{indent}```{markdown[block.end() :]}"
    return markdown


def _name_for_poetry(package: str) -> str:
    match = _ON_THE_INDEX.fullmatch(package)
    return package if match is None or match["version"] else f"{package}@latest"


def write_steps_for_pixi(steps: Iterable[str]) -> tuple[str, ...]:
    """Return steps that change what pixi installs, in place of commands of pip; the first one says why."""
    return _write_steps(steps, _BY_PIXI, "pixi list", _write_for_pixi)


def write_steps_for_pdm(steps: Iterable[str]) -> tuple[str, ...]:
    """Return steps that change what PDM installs, in place of commands of pip; the first one says why."""
    return _write_steps(steps, _BY_PDM, "pdm list", _write_for_pdm)


def _write_steps(
    steps: Iterable[str], note: str, reading: str, write: Callable[[list[str], re.Match[str] | None], str]
) -> tuple[str, ...]:
    """Return steps whose blocks of pip's commands are written anew from the packages and their index."""
    written: list[str] = []
    is_same_environment = True
    for step in steps:
        is_same_environment = is_same_environment and not enters_environment(step)
        text = _READS.sub(reading, step) if is_same_environment else step
        if is_same_environment and _find_installation(text) is not None:
            text, note = _write_installations(text, note, write), ""
        elif is_same_environment and _CHOOSING.search(step):
            # What reads the builds first calls pip, which is not there.
            text, note = _name_missing_pip(text, note), ""
        written.append(text)
    return tuple(written)


def _write_installations(
    step: str, note: str, write: Callable[[list[str], re.Match[str] | None], str]
) -> str:
    while (block := _find_installation(step)) is not None:
        arguments = list(COMMAND.finditer(block["code"]))[-1]["arguments"]
        packages = list_packages(INDEX.sub("", arguments).split())
        before = step[: block.start()].rstrip().rstrip(":.")
        lead = f"{before}.\n\n   {note}" if note else f"{before}:"
        step, note = f"{lead}\n\n   {write(packages, INDEX.search(arguments))}{step[block.end() :]}", ""
    return step


def _find_installation(step: str) -> re.Match[str] | None:
    """Return the first block of commands of pip alone, of which the last one installs, or None."""
    for block in BLOCK.finditer(step):
        commands = list(COMMAND.finditer(block["code"]))
        is_of_pip_alone = bool(commands) and len(commands) == len(block["code"].strip().splitlines())
        if is_of_pip_alone and commands[-1]["verb"] == "install" and not _SPECIAL.search(block["code"]):
            return block
    return None


def _name_missing_pip(step: str, note: str) -> str:
    words = note.rstrip(":") or "This environment has no pip"
    return f"{words}. The command below calls pip, which is added first by `python -m ensurepip`. {step}"


def _write_for_pixi(packages: list[str], index: re.Match[str] | None) -> str:
    cuda = re.fullmatch(r"cu(\d{2})\d", index["name"]) if index is not None else None
    if index is not None and cuda is not None:
        return _PIXI_CUDA.format(major=cuda[1], url=index["url"])
    added = f"pixi add --pypi {' '.join(packages)}"
    after = (
        f'\n\n   with `index = "{index["url"]}"` in their lines of `pixi.toml`.' if index is not None else ""
    )
    return f"```powershell\n   {added}\n   ```{after}"


def _write_for_pdm(packages: list[str], index: re.Match[str] | None) -> str:
    if index is None:
        return f"```powershell\n   pdm add {' '.join(packages)}\n   ```"
    names = [re.split("[=<>~!]", package.strip('"'))[0] for package in packages]
    lead = _PDM_INDEX.format(
        name=index["name"], url=index["url"], quoted=", ".join(f'"{name}"' for name in names)
    )
    built = [f"{each}+{index['name']}" if "==" in each and "+" not in each else each for each in packages]
    return f"{lead}\n\n   ```powershell\n   pdm add {' '.join(built)}\n   ```"


def write_for_micromamba(markdown: str) -> str:
    """Return a step whose commands of conda are those of micromamba, which takes the same arguments."""
    written = _CONDA.sub("micromamba ", _REVISIONS.sub("", markdown))
    return written.replace("the Anaconda Prompt", "the console in which micromamba works")
