"""Read the command of a distributed launcher from a text, and write the one that starts a single process."""

import re
from itertools import pairwise

from torchdoctor.core.patterns import pattern
from torchdoctor.redaction.arguments import is_public_argument

# A word of a command that both shells take as it is; `'x'` is one of bash.
_WORD = r"(?:\"[\w .:\\/+~=,@-]{1,300}\"|'[\w .:/+~=,@-]{1,300}'|[\w.:\\/+~=,@-][\w.:\\/+~=,@\[\]-]{0,299})"
# A line that ends in one of these goes on in the next one, and so does one before an option.
_BLANK = r"(?:[ \t]*[\\^`][ \t]*\n[ \t]*|[ \t]*\n[ \t]*(?=--\w)|[ \t]+[\\^`][ \t]+|[ \t]+)"
_LAUNCHER = (
    r"(?:^|(?<=[\s>$#%&`'\"]))(?:(?:[A-Za-z]:)?[\w\\/.-]{0,200}?"
    rf"(?P<launcher>torchrun|python[\w.]{{0,8}}{_BLANK}-m{_BLANK}torch\.distributed\.(?:run|launch))(?:\.exe)?"
    rf"|(?:(?:bash|sh){_BLANK})?(?P<folder>(?:\.[\\/])?(?:[\w.-]{{1,40}}[\\/]){{0,4}})"
    r"(?P<shell>dist_(?P<task>train|test))\.sh)"
    rf"(?P<words>(?:{_BLANK}{_WORD}){{1,60}})(?=\s{{0,4}}(?:$|\n|[\[`'\"]))"
)
# Words of a sentence that goes on behind a command.
_SENTENCE = frozenset(
    ("and", "but", "error", "fails", "gives", "in", "it", "on", "the", "then", "to", "with")
)
_SIGNS = ("torchrun", "torch.distributed.", "dist_train.sh", "dist_test.sh")
# Options of the launcher that have no value.
_FLAGS = frozenset({"--standalone", "--use_env", "--use-env", "--no_python", "--no-python", "--run_path"})
_MODULE = frozenset({"-m", "--module"})
# Options of scripts that only several processes have a use for.
_OF_SEVERAL = re.compile(
    r"--?(?:fsdp\w{0,60}|deepspeed\w{0,20}|launcher|local[_-]?rank|world[_-]size|dist[_-]url|ddp_\w{1,40})"
)
# An option for a name or a key: the command is then not printed again.
_PRIVATE = re.compile(
    r"(?i)-(?:[up](?:=|$)|\S*(?:key|token(?!i[sz]|s\b)|pass|pwd|secret|auth|cred|user|login|url))"
)
_LARGEST_COMMAND = 900


def read_plain_command(text: str) -> str | None:
    """Return the command without the launcher and without what only several processes use, or None.

    It is `python` with the script and its arguments, all of which PowerShell and cmd read alike.
    """
    if not any(sign in text for sign in _SIGNS):
        return None
    for match in pattern(_LAUNCHER).finditer(text):
        words = pattern(rf"{_BLANK}({_WORD})").findall(match["words"])
        if _is_sentence(words) or any(map(_PRIVATE.match, words)):
            continue
        rest = _drop_launcher(words) if match["launcher"] else _drop_number(match, words)
        kept = None if rest is None else _drop_options(rest)
        if kept is not None and all(is_public_argument(word.strip("\"'")) for word in kept):
            command = " ".join(["python", *map(_quote, kept)])
            return command if len(command) <= _LARGEST_COMMAND else None
    return None


def _is_sentence(words: list[str]) -> bool:
    return any(word in _SENTENCE and not before.startswith("-") for before, word in pairwise(words))


def _drop_launcher(words: list[str]) -> list[str] | None:
    """Return the script, or `-m` and its module, with its arguments; None where there is no script."""
    position = 0
    while position < len(words):
        word = words[position]
        if word in _MODULE:
            return words[position:] if position + 1 < len(words) else None
        if not word.startswith("-"):
            return words[position:] if word.strip("\"'").endswith(".py") else None
        position += 1 if word in _FLAGS or "=" in word else 2
    return None


def _drop_number(match: re.Match[str], words: list[str]) -> list[str] | None:
    """Return the Python script that a shell script of OpenMMLab starts, without the number of GPUs."""
    if not words or words[0].startswith("-"):
        return None
    number = next((index for index, word in enumerate(words[1:3], 1) if word.isdecimal()), None)
    arguments = words if number is None else words[:number] + words[number + 1 :]
    folder = match["folder"].removeprefix("./").removeprefix(".\\")
    return [f"{folder}{match['task']}.py", *arguments]


def _drop_options(words: list[str]) -> list[str]:
    kept: list[str] = []
    position = 0
    while position < len(words):
        word = words[position]
        position += 1
        if not _OF_SEVERAL.fullmatch(word.partition("=")[0]):
            kept.append(word)
        elif "=" not in word and position < len(words) and not words[position].startswith("-"):
            position += 1
    return kept


def _quote(word: str) -> str:
    """Return a word that PowerShell passes on as one: it splits `0,1` and takes `@x` for a variable."""
    word = word.strip("'")
    return word if word.startswith('"') or not re.search(r"[ ,@\[]", word) else f'"{word}"'
