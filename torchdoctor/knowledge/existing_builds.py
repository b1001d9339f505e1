"""Let commands name only builds of torch that exist, that the driver runs and that the Python can have."""

import re
from collections.abc import Mapping, Sequence

from torchdoctor.knowledge.interpreter import BLOCK

# A line that installs a release of torch from the index of a CUDA build.
_LINE = re.compile(
    r"^(?P<start>[^\n]*\btorch==)(?P<release>\d+\.\d+\.\d+)(?P<rest>[^\n]*/whl/(?P<variant>cu\d{2,3})\b[^\n]*)$",
    re.MULTILINE,
)
_ANY_RELEASE = re.compile(r"\btorch==(\d+\.\d+\.\d+)(?![.\d])")
# Commands that make, or name, an environment with a Python of its own.
_OWN_PYTHON = re.compile(r"-m venv\b|\buv venv\b|\bconda create\b|\benvs\\|\bpy -3")
# What a step that installs the torch of the text, or one of today, has in its commands.
_CHOSEN = re.compile(r"\{(?:cuda|card)_set\|")
_NEW_PYTHON = "3.12"
_ANEW = """No CUDA build of torch for this card is known that has a wheel for Python {python}: take {needed}
   Python. Install Python {new} (64-bit) from https://www.python.org/downloads/windows/ beside it, make an
   environment, and install torch there. To undo, delete the folder:

   ```powershell
   py -{new} -m venv C:\\envs\\torch
   C:\\envs\\torch\\Scripts\\python.exe -m pip install {{new_set|torch torchvision torchaudio}}
   ```

   Then install the program's other packages in this environment, and start it with its `python.exe`."""


def put_new_environment(steps: Sequence[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the steps, with a new environment where no build for the card has a wheel for the Python."""
    python = values.get("python_too_old") or (values.get("sm") and values.get("python_too_new"))
    if not python or "new_set" not in values or values.get("maker", "nvidia") != "nvidia":
        return tuple(steps)
    needed = "a newer" if "python_too_old" in values else "an older"
    anew = _ANEW.format(python=python, needed=needed, new=_NEW_PYTHON)
    has_own = any("{new_set|" in step for step in steps)
    changed: list[str] = []
    for step in steps:
        if not _CHOSEN.search(step):
            changed.append(step)
        elif not has_own:
            changed.append(anew)
            has_own = True
    return tuple(changed)


def name_existing_builds(steps: Sequence[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the steps with the nearest build in the place of one that is not there.

    A step for a release that the Python of the text cannot have is left out, if another one remains.
    """
    named = [BLOCK.sub(lambda block: _name_in_block(block[0], values), step) for step in steps]
    possible = [step for step in named if not _is_for_other_python(step, values)]
    return tuple(possible or named)


def _name_in_block(block: str, values: Mapping[str, str]) -> str:
    return _LINE.sub(lambda line: _name_in_line(line, values), block) if "/whl/cu" in block else block


def _name_in_line(line: re.Match[str], values: Mapping[str, str]) -> str:
    variant, release = line["variant"], line["release"]
    new = _find_other(release, variant, values)
    return line[0].replace(variant, new) if new else line[0]


def _find_other(release: str, variant: str, values: Mapping[str, str]) -> str | None:
    """Return the build that stands in for one that is not there, or that the driver does not run."""
    # Imported here: few steps name a build, and the tables of releases take long to import.
    from torchdoctor.domain.cuda_builds import find_cuda_of_driver
    from torchdoctor.domain.cuda_variants import find_variant_like, find_variants_for_card, lacks_variant

    digits = values.get("sm", "").removeprefix("sm_")
    is_known = digits.isdecimal() and len(digits) > 1
    capability = (int(digits[:-1]), int(digits[-1])) if is_known else None
    if lacks_variant(release, variant):
        return find_variant_like(release, variant, capability)
    if variant == values.get("build_index"):
        return None
    newest = find_cuda_of_driver(values.get("driver_version", ""))
    if newest is None or int(variant[2:]) // 10 <= newest:
        return None
    covering = find_variants_for_card(release, capability)
    fitting = [each for each in covering if int(each[2:]) // 10 <= newest]
    return fitting[-1] if fitting else None


def _is_for_other_python(step: str, values: Mapping[str, str]) -> bool:
    python = re.match(r"(\d+)\.(\d+)", values.get("python_version", ""))
    code = "\n".join(block[0] for block in BLOCK.finditer(step))
    releases = set(_ANY_RELEASE.findall(code)) - {values.get("torch_release")}
    if python is None or not releases or _OWN_PYTHON.search(code):
        return False
    # Imported here, as above.
    from torchdoctor.domain.releases import find_pythons

    numbers = (int(python[1]), int(python[2]))
    return all(find_pythons(each) and numbers not in find_pythons(each) for each in releases)
