"""Find the Pythons that have torch, in a text in which another one finds none."""

import ntpath
import re
from collections.abc import Iterator

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.values.interpreter import EXECUTABLE, read_interpreter, split_torch_python

# The file of torch as Python prints it; in a traceback it stands in quotation marks.
_PRINTED_FILE = (
    r"(?<![\w\\/:\"'])([a-z]:(?:[\\/]{1,2}[\w\u00c0-\uffff .+-]{1,80}){1,12})[\\/]{1,2}Lib"
    r"[\\/]{1,2}site-packages[\\/]{1,2}torch[\\/]{1,2}__init__\.py(?!['\"]?, line)"
)
# Behind the path of a Python: a command that asks it for its torch, and the answer.
_ASKED = (
    r"[\"']?\s(?:-c ([\"'])[^\n]{0,200}?\btorch\b[^\n]{0,200}?\1|-m pip show torch\b)\s{1,4}"
    r"(?:[^\n>$]{0,60}?\s)?[12]\.\d{1,2}\.\d{1,2}(?:\+\w{2,12})?(?![\w.])"
)
# What `py -0p` lists is only installed.
_LISTED = r"(?<!\S)-(?:V:)?[23]\.\d{1,2}(?:-\d\d)?\s(?:\*\s)?\s{0,20}[A-Za-z]:\\[^\n]{0,100}?python\.exe"


def separate_torch_python(text: str) -> tuple[str, str | None]:
    """Return a text without the Python that has torch, and its path; None where that is not known.

    The Python that finds no torch is another one. Where several have torch, none is returned.
    """
    rest, python = split_torch_python(text)
    found = {path.lower(): path for path in _find_shown(rest)}
    if python is not None:
        found.setdefault(python.lower(), python)
    if len(found) != 1:
        return rest, python
    python = next(iter(found.values()))
    return _leave_out(pattern(_LISTED, True).sub("", rest), python), python


def _find_shown(text: str) -> Iterator[str]:
    for match in pattern(_PRINTED_FILE, True).finditer(text):
        folder = ntpath.normpath(match[1])
        python = read_interpreter(f"{folder}\\Lib\\site-packages\\torch\\")
        if python is not None:
            yield python
    for match in pattern(EXECUTABLE, True).finditer(text):
        if pattern(_ASKED, True).match(text, match.end()):
            yield ntpath.normpath(match[1])


def _leave_out(text: str, python: str) -> str:
    """Return a text without the paths of the folder in which a Python lies."""
    folder = ntpath.dirname(python)
    if ntpath.basename(folder).lower() == "scripts":
        folder = ntpath.dirname(folder)
    spelled = r"[\\/]{1,2}".join(map(re.escape, folder.split("\\")))
    below = r"[\\/]{1,2}(?:Lib|Scripts|python\.exe)[\w.\\/+-]{0,300}"
    return re.compile(spelled + below, re.IGNORECASE).sub("", text)
