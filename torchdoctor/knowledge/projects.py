"""Fit a step to the program that made the environment: Poetry, PDM or micromamba.

Poetry and PDM install what their lock file names, so the change of pip does not last by itself. micromamba
has no command `conda`, no prompt of Anaconda, and keeps no revisions.
"""

import re
from collections.abc import Iterable

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


def write_for_micromamba(markdown: str) -> str:
    """Return a step whose commands of conda are those of micromamba, which takes the same arguments."""
    written = _CONDA.sub("micromamba ", _REVISIONS.sub("", markdown))
    return written.replace("the Anaconda Prompt", "the console in which micromamba works")
