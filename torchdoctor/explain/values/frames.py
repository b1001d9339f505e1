"""Read from a text the frames of its tracebacks: where an error was raised, and by whose code."""

import ntpath
import sys
from collections.abc import Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.text.split import Unit, join_units
from torchdoctor.explain.values.packages import name_distribution

# Frames in these paths are not the user's own code.
_LIBRARY = (
    r"site-packages|dist-packages|^<|python3\d+\.zip|[\\/]scripts[\\/]|\.exe[\\/]__main__\.py$"
    r"|[\\/](?:torch|torchvision|torchaudio|numpy|transformers)[\\/]|^(?:torch|multiprocessing)[\\/]"
)
# Frames in torch, and in an installed package.
_OF_TORCH = r"[\\/]torch[\\/](?!hub[\\/])|^torch[\\/]"
_IN_PACKAGE = r"[\\/](?:site|dist)-packages[\\/](\w{1,60})"
# A command at a prompt that starts a script.
_STARTED = (
    r">\s?(?:torchrun|accelerate launch|python(?:\.exe)?)\s"
    r"(?:[^\n>]{0,200}?[\s\\/])?([\w-]{1,60}\.py)(?=\s|$)"
)
# What a person says of it. These files are no programs of a person.
_SAID = (
    r"(?:\b(?:execut(?:e|ing)|runn?(?:ing)?|launching) (?:the (?:script|file) )?|运行 ?|実行 ?)`?"
    r"(?!(?:setup|collect_env|get-pip)\.py)([\w-]{1,60}\.py)\b"
)
# Packages of the standard library until Python 3.12 and 3.13; the text may be of an older Python.
_FORMER_MODULES = frozenset({"distutils", "lib2to3"})
# The module of a path that may be one of the standard library.
_MODULE = r"(?:^|[\\/]lib[\\/])(?:python3\.\d+[\\/])?(\w+)(?:\.py$|[\\/])"


def read_own_frame(units: Sequence[Unit]) -> dict[str, str]:
    """Return the last frame of the user's own code: the deepest one of the last traceback that has any."""
    for unit in reversed(units):
        frame = unit.frame
        if frame is not None and _is_own_code(frame.path):
            function = frame.function.split("(")[0].strip()
            return {"file": frame.path, "line": frame.line, "function": function}
    return {}


def read_frame_of(function: str, units: Sequence[Unit]) -> dict[str, str]:
    """Return the last frame in a function of this name, of whosever code: what it defines stands there."""
    for unit in reversed(units):
        frame = unit.frame
        if frame is not None and frame.function.split("(")[0].strip() == function:
            return {"file": frame.path, "line": frame.line, "function": function}
    return {}


def read_last_frame(units: Sequence[Unit]) -> dict[str, str]:
    """Return the file and the line in which an error was raised, of whosever code."""
    frame = next((unit.frame for unit in reversed(units) if unit.frame is not None), None)
    return {"frame_file": frame.path, "frame_line": frame.line} if frame is not None else {}


def read_caller(units: Sequence[Unit]) -> dict[str, str]:
    """Return the file and the line that called torch: the deepest frame that is not torch's own.

    `caller_package` is the installed package that the file belongs to, `own_caller` the file without one.
    """
    frames = [unit.frame for unit in units if unit.frame is not None]
    caller = next((each for each in reversed(frames) if not pattern(_OF_TORCH, True).search(each.path)), None)
    if caller is None or not caller.path.lower().endswith((".py", ".pyw")):
        return {}
    package = pattern(_IN_PACKAGE, True).search(caller.path)
    owner = {"caller_package": name_distribution(package[1])} if package else {"own_caller": caller.path}
    return {"caller_file": caller.path, "caller_line": caller.line, **owner}


def read_script(units: Sequence[Unit]) -> str | None:
    """Return the file name of the program that was started: the first frame of the user's own code.

    None where it was imported, or where a shell could misread the name.
    """
    for unit in units:
        frame = unit.frame
        if frame is not None and frame.function.strip() == "<module>" and _is_own_code(frame.path):
            name = ntpath.basename(frame.path)
            return name if pattern(r"[\w-]{1,60}\.py").fullmatch(name) else None
    text = join_units(units)
    started = pattern(_STARTED, True).search(text) or pattern(_SAID, True).search(text)
    return started[1] if started is not None else None


def read_project_folder(units: Sequence[Unit]) -> str | None:
    """Return the folder of the program that was started, if its first frame names it as a whole path."""
    for unit in units:
        frame = unit.frame
        if frame is not None and frame.function.strip() == "<module>" and _is_own_code(frame.path):
            folder = ntpath.dirname(ntpath.normpath(frame.path))
            return folder if pattern(r"[a-z]:\\[\w .\\()+-]{1,200}", True).fullmatch(folder) else None
    return None


def _is_own_code(path: str) -> bool:
    if not path.lower().endswith((".py", ".ipynb", ".pyw")) or pattern(_LIBRARY, True).search(path):
        return False
    module = pattern(_MODULE, True).search(path)
    return module is None or module[1] not in sys.stdlib_module_names | _FORMER_MODULES
