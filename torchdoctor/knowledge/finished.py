"""Write the steps for a program that was installed whole, into which no command of pip reaches."""

import re
from collections.abc import Mapping, Sequence

_PIP = "python -m pip"
# Of a program that was installed whole, and that no table knows.
_NEWEST_PROGRAM = (
    "Get the newest version of the program first: it brings its own Python with the packages that it"
    " needs. If an older version worked on this computer, take that one until then. Commands of pip reach"
    " the program only with the `python.exe` in its folder in place of `python`."
)
_NEWEST_SEALED = (
    "Get a newer {program|version of the program}: {newest_torch|look on its page for its newest version}. It"
    " brings its own Python and torch, which no command of pip reaches. If an older version worked on this"
    " computer, take that one until then."
)
_VERIFY = "Start {program|the program} again, and do the same: the message is gone."
# What only a person's own Python can do: its commands, and lines of code.
_BLOCK = re.compile(r"^[ ]*```(?P<language>\w+)\n(?P<code>.*?)^[ ]*```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(
    r"^[ ]*(?:&? ?\"?(?:[^\s\"]*\\)?(?:python|py|pip|conda|mamba|uv|accelerate)(?:\.exe)?\"? )", re.MULTILINE
)
_IN_SENTENCE = re.compile(r"`(?:python|pip|conda|uv) [^`]*`")
_INSTALLS = re.compile(r"\b(?:pip|conda|mamba) (?:un)?install\b|\bconda create\b")
# Cases for which an entry itself says what such a program's user does.
_KNOWN_TO_CASES = frozenset(
    {"finished", "sealed", "frozen", "frozen_script", "freezer", "standalone", "edition"}
)


def begin_with_program(fix: tuple[str, ...], values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the steps for a program that was installed whole: pip without its Python changes another one."""
    is_reached = "finished" not in values or "python" in values
    return fix if is_reached or not fix or _PIP not in fix[0] else (_NEWEST_PROGRAM, *fix)


def leave_to_program(
    fix: Sequence[str], verify: str, conditions: Sequence[str]
) -> tuple[tuple[str, ...], str]:
    """Return the steps and the verification that the user of a program without a Python to reach can do.

    A newer version of the program is the step in place of the first one that installs something, unless the
    entry has a case for such a program, with one of its `conditions`. What only looks at its Python leaves.
    """
    is_known = not _KNOWN_TO_CASES.isdisjoint(conditions)
    steps: list[str] = []
    for step in fix:
        if not _needs_python(step):
            steps.append(step)
        elif not is_known and _INSTALLS.search(step) and _NEWEST_SEALED not in steps:
            steps.append(_NEWEST_SEALED)
    return tuple(steps) or (_NEWEST_SEALED,), _VERIFY if _needs_python(verify) else verify


def _needs_python(text: str) -> bool:
    blocks = list(_BLOCK.finditer(text))
    if any(block["language"] == "python" or _COMMAND.search(block["code"]) for block in blocks):
        return True
    return _IN_SENTENCE.search(text) is not None
