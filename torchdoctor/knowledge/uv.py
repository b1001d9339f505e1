"""Write the commands of a step for an environment that uv manages."""

import re
from collections.abc import Iterable, Sequence

from torchdoctor.knowledge.interpreter import BLOCK, QUOTABLE_PATH, enters_environment

COMMAND = re.compile(
    r"^(?P<indent>[ ]*)python -m pip (?P<verb>install|uninstall) (?P<arguments>[^\n]+)$", re.MULTILINE
)
_SPAN = re.compile(r"`python -m pip ((?:un)?install) ([^`\n]+)`")
_CALL = re.compile(r"\[sys\.executable, '-m', 'pip', ('(?:install|list)')")
_RUN = re.compile(
    r"sys\.argv = \['pip', ('install')([^\n]{1,400}?); runpy\.run_module\('pip', run_name='__main__'\)"
)
# Commands that change nothing.
_READING = re.compile(r"\bpython -m pip (list|show|check)\b")
INDEX = re.compile(r"--index-url (?P<url>\S+/(?P<name>[\w.-]+))")
# Options that pip has and uv has not, or that say nothing to it.
_FOREIGN = re.compile(r" (?:-y|--upgrade-strategy \S+)(?= |$)")
_WITH_VALUE = frozenset({"--only-binary", "--upgrade-strategy", "-f", "--find-links", "--extra-index-url"})
# An installation without pip's cache puts the same files back: the project stays as it is.
_RESTORING = "--no-cache-dir"
_LOCKED = (
    "uv made this environment, and `uv run` installs what `pyproject.toml` and `uv.lock` name. Change that,"
    " in the folder of the project; where it has an extra for that, `uv sync --extra cu128` is enough:"
)
_MADE_BY_UV = "uv made this environment, so uv installs into it."
_PERHAPS_LOCKED = (
    "If the folder of the project has a `uv.lock`, `uv run` puts the old packages back, until"
    " `pyproject.toml` names the new ones: https://docs.astral.sh/uv/guides/integration/pytorch"
)
# Seen with uv 0.13.9: `uv add --frozen` writes the index, the sources and the versions, also over other ones.
# The index then has other packages as well, in old releases.
_EXPLICIT = (
    "If `uv sync` finds no solution, write `explicit = true` below the new `url` in `pyproject.toml`, and"
    " repeat it."
)


def is_environment_of_a_tool(path: str) -> bool:
    """Return whether `uv tool install` made the environment of a path: a virtual environment without pip."""
    return "\\uv\\tools\\" in path.lower()


def write_for_project(markdown: str, python: str) -> str:
    """Return a step that changes what the project of a uv.lock names, in place of commands of pip.

    A step that puts the same files back, or removes some, does it in the environment of the Python.
    """
    blocks = [block for block in BLOCK.finditer(markdown) if COMMAND.search(block["code"])]
    if not blocks or enters_environment(markdown):
        return markdown
    block = blocks[0]
    commands = list(COMMAND.finditer(block["code"]))
    if _RESTORING in block["code"]:
        return write_for_uv(markdown, python, is_locked=False)
    if any(command["verb"] == "uninstall" for command in commands):
        return write_for_uv(markdown, python, is_locked=None)
    indent = block["indent"]
    addition = _write_addition(commands[-1]["arguments"])
    before = markdown[: block.start()].rstrip().rstrip(":.") + "."
    written = [before, _LOCKED]
    if " --index " in addition:
        written += [_write_block(f"{addition}\n{indent}uv sync", indent), _EXPLICIT]
    else:
        written.append(_write_block(addition, indent))
    return f"\n\n{indent}".join(written) + markdown[block.end() :]


def _write_block(code: str, indent: str) -> str:
    return f"```powershell\n{indent}{code}\n{indent}```"


def _write_addition(arguments: str) -> str:
    """Return the command that writes packages, and the index that they come from, into pyproject.toml."""
    packages = list_packages(INDEX.sub("", arguments).split())
    index = INDEX.search(arguments)
    if index is None:
        return f"uv add {' '.join(packages)}"
    return f"uv add --frozen --index pytorch-{index['name']}={index['url']} {' '.join(packages)}"


def list_packages(words: Sequence[str]) -> list[str]:
    """Return the packages among the words behind `pip install`, without options and their values."""
    pairs = zip(("", *words), words, strict=False)
    return [word for before, word in pairs if not word.startswith("-") and before not in _WITH_VALUE]


def write_reading_for_uv(markdown: str, python: str) -> str:
    """Return Markdown, or a command, whose commands of pip that change nothing are those of uv."""
    return _READING.sub(lambda match: f"uv pip {match[1]} --python {_quote(python)}", markdown)


def write_steps_for_uv(steps: Iterable[str], python: str, *, has_project: bool = False) -> tuple[str, ...]:
    """Return steps for an environment of uv; the first one that changes says why.

    `has_project` is whether a project may name the packages, which uv then puts back.
    """
    note = f"{_MADE_BY_UV} {_PERHAPS_LOCKED}" if has_project else _MADE_BY_UV
    written: list[str] = []
    is_told = False
    for step in steps:
        text = _write_commands(step, python)
        written.append(text if is_told or text == step else _add_note(note, text))
        is_told = is_told or text != step
    return tuple(written)


def write_for_uv(markdown: str, python: str, *, is_locked: bool | None) -> str:
    """Return a step whose commands of pip are those of uv, for the Python of an environment.

    `is_locked` is whether its project has a uv.lock, None if that is not known.
    """
    written = _write_commands(markdown, python)
    if written == markdown:
        return markdown
    return _add_note(_MADE_BY_UV if is_locked is False else f"{_MADE_BY_UV} {_PERHAPS_LOCKED}", written)


def _add_note(note: str, markdown: str) -> str:
    return f"{note}\n\n   {markdown}"


def _write_commands(markdown: str, python: str) -> str:
    """Return a step with commands of uv; one that makes an environment stays, as does one without any."""
    if enters_environment(markdown) or not QUOTABLE_PATH.fullmatch(python):
        return markdown
    place = _quote(python)

    def write(verb: str, arguments: str) -> str:
        return f"uv pip {verb} --python {place} {_FOREIGN.sub('', f' {arguments}').strip()}"

    def write_block(block: re.Match[str]) -> str:
        code = COMMAND.sub(
            lambda each: each["indent"] + write(each["verb"], each["arguments"]), block["code"]
        )
        return block[0].replace(block["code"], code, 1)

    written = BLOCK.sub(write_block, write_reading_for_uv(markdown, python))
    # Commands that read first which torch is there.
    written = _CALL.sub(r"['uv', 'pip', \1, '--python', sys.executable", written)
    written = _RUN.sub(
        r"import subprocess; subprocess.call(['uv', 'pip', \1, '--python', sys.executable\2)", written
    )
    if written == markdown:
        return markdown
    return _SPAN.sub(lambda span: f"`{write(span[1], span[2])}`", written)


def _quote(python: str) -> str:
    return f'"{python}"' if " " in python else python
