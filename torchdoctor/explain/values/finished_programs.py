"""Read what a text shows of a finished program, which has torch and its own Python in its folder."""

import sys
from collections.abc import Mapping, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.text.split import Unit
from torchdoctor.knowledge.programs import REACHED

# The path of a frame in such a program is relative, or leads into the folder of the program.
_FOLDER = r"(?:[a-z]:[\\/][^\n]{0,300}[\\/](?:_internal|_MEI\w{3,10})[\\/])?"
# A frame of a package in it.
_FRAME = rf"{_FOLDER}(?:(?:lib[\\/])?site-packages[\\/])?(\w{{2,60}})[\\/][^\n:]{{1,300}}\.pyc?"
_NOT_FROZEN = frozenset({"torch", "lib", "pyinstaller"})
# A file of one.
_FILE = rf"{_FOLDER}((?!lib[\\/]|PyInstaller)\w{{2,60}})[\\/][^\n:]{{1,300}}"
# A frame or a file of torch in a finished program: without a folder in front, or below that of the program.
_SEALED = (
    r"^[ \t]*File \"torch\\[^\n]{1,200}\.py\", line \d|[\\/]_MEI\d{3,10}[\\/]{1,2}\w|[\\/]_internal[\\/]{1,2}"
    r"(?:torch|ctranslate2|onnxruntime|transformers|whisper)\b"
)
# Who makes such a program has a Python for it, and the lines of its loader stand in everybody's text.
_OF_ITS_LOADER = r"PyInstaller[\\/]loader|\[PYI-\d"
_ITS_MAKER = (
    r"pyinstaller|pyi-makespec|nuitka|cx_?freeze|py2exe|py-to-exe|\.spec\b|hidden-?import|[\\/]dist[\\/]|\bfreez"
    r"|\bpackag(?:e|ed|ing)\b|\b(?:built|building|build|made|make|compiled|bundled?) (?:it |an? |my |the )?"
    r"(?:own )?(?:\.?exe|executable|app)\b|import torch|打包|собрал"
)


def read_frozen_package(units: Sequence[Unit]) -> str | None:
    """Return the package in a finished program whose code called torch last, None if it is torch's own."""
    for unit in reversed(units):
        match = pattern(_FRAME, True).fullmatch(unit.frame.path) if unit.frame is not None else None
        if match is not None and match[1].lower() not in _NOT_FROZEN | sys.stdlib_module_names:
            return match[1]
    return None


def read_frozen_file(values: Mapping[str, str]) -> dict[str, str]:
    """Return the package of a frozen program's file, or its own module, which is in no folder."""
    file = values.get("file", "")
    if package := pattern(_FILE, True).fullmatch(file):
        return {"file_package": package[1]}
    module = pattern(r"([A-Za-z_]\w{0,60})\.py").fullmatch(file)
    scripts = values.get("script"), f"{values.get('frozen_script')}.py"
    return {"own_module": module[1]} if module and "frozen_script" in values and file not in scripts else {}


def is_sealed(text: str, values: Mapping[str, str]) -> bool:
    """Return whether a text is of a finished program of somebody else, whose packages no pip reaches."""
    if "torch\\" not in text and "_MEI" not in text and "_internal" not in text:
        return False
    if values.keys() & REACHED:
        return False
    if "site-packages" in text or not pattern(f"(?m){_SEALED}").search(text):
        return False
    own = pattern(_OF_ITS_LOADER).sub(" ", text)
    return pattern(_ITS_MAKER, True).search(own) is None
