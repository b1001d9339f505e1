"""Fit a step to the program that made the environment: Poetry, PDM or micromamba.

Poetry and PDM install what their lock file names, so the change of pip does not last by itself. micromamba
has no command `conda`, no prompt of Anaconda, and keeps no revisions.
"""

import re

from torchdoctor.knowledge.interpreter import enters_environment
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


def write_for_micromamba(markdown: str) -> str:
    """Return a step whose commands of conda are those of micromamba, which takes the same arguments."""
    written = _CONDA.sub("micromamba ", _REVISIONS.sub("", markdown))
    return written.replace("the Anaconda Prompt", "the console in which micromamba works")
