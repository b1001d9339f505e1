"""Find the names that the frames of a text, its console and its error define: those of a person's code."""

from collections.abc import Iterator, Mapping, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.text.split import Unit, join_units
from torchdoctor.redaction.shown_values import find_pieces

_NAME = r"[A-Za-z_\u00aa-\uffff][\w\u00aa-\uffff]{1,60}"
# What a line of code defines, imports, calls or asks an object for; a text in quotes is none of it.
_OF_CODE = (
    rf"\b(?:import|from|def|class|as)[ ]+({_NAME}(?:\.{_NAME}){{0,8}})|({_NAME})(?=\()|\.({_NAME})"
    rf"|[(,][ ]?({_NAME})(?==)"
)
_IN_QUOTES = r"\"[^\"\n]*\"?|'[^'\n]*'?"
# The environment that a console shows in front of its folder, and its folder.
_ENVIRONMENT = r"(?:^|[\s`])\(([\w.-]{1,40})\) ?(?:PS )?[A-Za-z]:\\|[\\/]envs[\\/]([\w.-]{1,40})[\\/]"
# Folders whose folders are named after people.
_HOMES = frozenset({"users", "home", "documents", "desktop", "benutzer", "utilisateurs", "usuarios"})
_COMMIT = r"\b(?:commit|checkout|revision)\b[^\n]{0,20}?\b(?=[0-9a-f]*\d)([0-9a-f]{7,40})\b"
# Frames of what was typed have no file, and a word alone in them can be a password.
_TYPED = r"<(?:stdin|input|console)"
# What a person has to find, install, rename or start again: a step without the name of it is of little use.
_NAMED_IN_STEPS = frozenset((
    "attribute", "base_tool", "below", "built_module", "built_package", "caller_package", "conda_environment",
    "conda_name", "custom_node", "dependent", "environment", "failed_package", "file", "frame_file",
    "frozen_script", "global", "global_class", "holder", "hubert", "inner", "loader", "local_wheel",
    "missing_class", "module", "needed_module", "node", "object", "own_file", "own_module", "package",
    "path", "project_folder", "python_folder", "run_command", "script", "signal_handler", "tool",
    "uv_tool", "wheel_file",
))  # fmt: skip


def find_own_names(units: Sequence[Unit]) -> frozenset[str]:
    """Return the names of files, functions, classes and modules in the frames of a text, in small letters."""
    return frozenset(name.lower() for name in _find_names(units))


def find_names_for_steps(values: Mapping[str, str]) -> frozenset[str]:
    """Return the words of the values that a step names, in small letters; whoever has the text may see them.

    What looks generated or like an account is left out even where a text defines it.
    """
    return find_pieces(" ".join(value for name, value in values.items() if name in _NAMED_IN_STEPS))


def _find_names(units: Sequence[Unit]) -> Iterator[str]:
    for unit in units:
        if unit.frame is not None and not pattern(_TYPED).match(unit.frame.path):
            yield from _find_names_of_file(unit.frame.path)
            yield from pattern(_NAME).findall(unit.frame.function)
            for line in unit.lines[1:]:
                yield from _find_names_of_code(line.text)
    text = join_units(units)
    for commit in pattern(_COMMIT).finditer(text):
        yield commit[1]
    if ":\\" in text or "envs" in text:
        for match in pattern(_ENVIRONMENT).finditer(text):
            yield match[1] or match[2]


def _find_names_of_file(path: str) -> Iterator[str]:
    """Yield the name of a file, and that of its folder, unless that one is named after a person."""
    *folders, file = pattern(r"[\\/]+").split(path)
    yield file.rpartition(".")[0] or file
    if folders and not any(each.lower() in _HOMES for each in folders[-2:]):
        yield folders[-1]


def _find_names_of_code(line: str) -> Iterator[str]:
    for match in pattern(_OF_CODE).finditer(pattern(_IN_QUOTES).sub('""', line)):
        name = next(filter(None, match.groups()))
        yield from name.split(".")
