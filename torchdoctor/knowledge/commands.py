"""Read the commands of a step that can be run as they are printed: of pip, of variables, and of files."""

import re
from collections.abc import Mapping

from torchdoctor.core.record import record
from torchdoctor.knowledge.builds import reads_build

# What a step changes, as its tag says: `1. <!-- restore: packages -->`.
PACKAGES, VARIABLES, FILES = "packages", "variables", "files"
SUBJECTS = (PACKAGES, VARIABLES, FILES)

_BLOCK = re.compile(r"^[ ]*```(\w*)\n(.*?)^[ ]*```", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"\{(\w+)\|[^{}\n]*\}")
_TOKEN = re.compile(r'"([^"]*)"|(\S+)')
_ADDS_PIP = re.compile(r"\S.{0,400} -m ensurepip")
_PIP = re.compile(r'(?:& )?(?:"[^"]+"|\S+) -m pip (?P<arguments>(?:install|uninstall) .+)')
_VARIABLE = re.compile(
    r'\[Environment\]::SetEnvironmentVariable\("(?P<name>\w+)", (?:\$null|"(?P<value>[^"]*)"), "User"\)'
)
_CONSOLE_VARIABLE = re.compile(r"Remove-Item Env:(?P<name>\w+)(?: -ErrorAction SilentlyContinue)?")
_REMOVED = re.compile(r'Remove-Item -Recurse -Force (?P<paths>"[^"]+"(?:, "[^"]+")*)')
_RENAMED = re.compile(r'Rename-Item "(?P<path>[^"]+)" "(?P<name>[^"\\/:]+)"')
# Options of pip that take a value and say where packages come from.
_SOURCE_OPTIONS = ("--index-url", "--extra-index-url", "-i", "-f", "--find-links")
_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)(?P<versions>.*)", re.DOTALL)


class CommandError(ValueError):
    """A line that is no command which can be run as it is printed; the message is one line."""


@record
class PipCommand:
    """A call of pip in the examined Python; the arguments are those after `-m pip`."""

    arguments: tuple[str, ...]

    subject = PACKAGES

    @property
    def wanted(self) -> Mapping[str, str]:
        """The versions of the named distributions, as in "==2.4.1"; "" is any, "absent" is none."""
        arguments = _drop_sources(self.arguments[1:])
        if self.arguments[0] == "uninstall":
            return {_normalise(name): "absent" for name in arguments if not name.startswith("-")}
        matches = (_REQUIREMENT.fullmatch(each) for each in arguments if not each.startswith("-"))
        return {_normalise(match["name"]): match["versions"] for match in matches if match}

    def from_folder(self, folder: str) -> "PipCommand":
        """Return the command that takes all packages from a folder, and none from the network."""
        if self.arguments[0] != "install":
            return self
        offline = ("--no-index", "--find-links", folder)
        return PipCommand(("install", *offline, *_drop_sources(self.arguments[1:])))


@record
class VariableCommand:
    """A variable of the user that is set, or removed if `value` is None."""

    name: str
    value: str | None

    subject = VARIABLES


@record
class RenameCommand:
    """A file or folder that gets another name in its folder."""

    path: str
    name: str

    subject = FILES


@record
class RemoveCommand:
    """Files and folders that are taken away."""

    paths: tuple[str, ...]

    subject = FILES


Command = PipCommand | VariableCommand | RenameCommand | RemoveCommand


def list_unfilled(step: str, values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the fields in the commands of a step for which there is no value: it needs an answer first."""
    names = (name for block in _BLOCK.finditer(step) for name in _FIELD.findall(block[2]))
    missing = [name for name in names if not values.get(name)]
    return tuple(dict.fromkeys([*missing, *(("build_index",) if reads_build(step) else ())]))


def read_commands(step: str, subject: str) -> tuple[Command, ...]:
    """Return the commands in the first block of a step, whose fields are filled.

    A line that removes a variable of the console stands beside the one that removes it for the user.

    Raises:
        CommandError: there is no block, or a line in it is not a command of this subject.
    """
    block = _find_block(step)
    if block is None:
        raise CommandError("the step has no command")
    commands = [command for line in block.splitlines() if (command := _read_line(line.strip()))]
    if not commands or any(command.subject != subject for command in commands):
        raise CommandError(f"the commands of the step do not change {subject} only")
    return tuple(commands)


def _find_block(step: str) -> str | None:
    """Return the first block that does not add pip: whoever runs the commands looks for it before."""
    blocks = (block for block in _BLOCK.finditer(step) if not _ADDS_PIP.fullmatch(block[2].strip()))
    block = next(blocks, None)
    return block[2] if block and block[1] == "powershell" else None


def _read_line(line: str) -> Command | None:
    if line.startswith("uv "):
        raise CommandError("uv manages this environment, and only commands of pip are run")
    if match := _PIP.fullmatch(line):
        tokens = (quoted or plain for quoted, plain in _TOKEN.findall(match["arguments"]))
        return PipCommand(_answer(tuple(tokens)))
    if match := _VARIABLE.fullmatch(line):
        return VariableCommand(match["name"], match["value"])
    if match := _RENAMED.fullmatch(line):
        return RenameCommand(match["path"], match["name"])
    if match := _REMOVED.fullmatch(line):
        return RemoveCommand(tuple(quoted for quoted, _ in _TOKEN.findall(match["paths"]) if quoted))
    if _CONSOLE_VARIABLE.fullmatch(line):
        return None
    raise CommandError(f"not a command that can be run as it is printed: {line}")


def _answer(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments with the answer to what pip asks before it removes a package."""
    asks = arguments[0] == "uninstall" and "-y" not in arguments
    return (arguments[0], "-y", *arguments[1:]) if asks else arguments


def _drop_sources(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments without those that say where packages come from."""
    kept: list[str] = []
    skips = False
    for argument in arguments:
        if skips:
            skips = False
        elif argument in _SOURCE_OPTIONS:
            skips = True
        elif argument != "--no-index" and not argument.startswith(
            tuple(f"{each}=" for each in _SOURCE_OPTIONS)
        ):
            kept.append(argument)
    return tuple(kept)


def _normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
