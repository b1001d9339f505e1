"""Put steps that a text says are done behind the others, and say why; name what keeps a step from its end.

A person who has installed the redistributable is not told first to install it.
"""

from collections.abc import Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.core.record import record
from torchdoctor.explain.statements.said import Said
from torchdoctor.explain.text.clean import Line

# Within a sentence; a point between digits is that of a version.
_WITHIN = r"(?:[^.\n?]|\.(?=\d))"
_REDIST = (
    r"(?:vc_?redist[\w.]*|(?:visual c\+\+|vc\+\+|vc|msvc|c\+\+)(?: 20\d\d(?:[-–/]20\d\d)?)? ?"
    r"(?:redist\w*|runtimes?)|redistributables?|\bredist\b)"
)
# An older runtime than torch needs: by its number, or by the year in its name.
_OLD_REDIST = (
    rf"(?!{_WITHIN}{{0,120}}(?:\b14\.[0-3]\d\b|\b1[0-2]\.\d|\b20(?:05|08|10|12|13)\b"
    rf"|\bx86\b(?!{_WITHIN}{{0,30}}x64)))"
)
_PAGE_FILE = r"(?:pag(?:e|ing)[ -]?files?|swap ?files?|virtual memory)"


@record
class Deed:
    """Something that steps tell to do, and that a text can say is done.

    `words` are those of which such a text has one, `said` is what it says in a clause, `step` is how a step
    or a sentence begins that tells to do it, and `reason` is what that step then begins with; the first
    sentence of it goes into the short answer. `stays` is whether the step keeps its place: it then has more
    in it than what is done.
    """

    words: str
    said: str
    step: str
    reason: str
    stays: bool = False


DEEDS = (
    Deed(
        words="redist|vc runtime|c++ runtime".replace("+", r"\+"),
        said=rf"^{_OLD_REDIST}.*(?:"
        rf"\b(?:re-?installed|re-?installing|installed|installing|updated|updating|repaired|latest|newest"
        rf"|have|got)\b{_WITHIN}{{0,50}}{_REDIST}"
        rf"|{_REDIST}{_WITHIN}{{0,50}}\b(?:(?:re-?)?installed|updated|repaired|up to date|present|there"
        rf"|latest|newest|already)\b)",
        step=r"^(?:If it stays, |If [^.`]{0,90}, )?(?:install|download|run)\b[^`]{0,60}(?:redistributable"
        r"|vc_redist)",
        reason="The text says that the redistributable is installed already. Only if Settings, Apps shows"
        " none for x64 with 14.40 or newer, or this was done on another computer:",
    ),
    Deed(
        words="page|paging|swap|virtual memory",
        said=rf"{_PAGE_FILE}{_WITHIN}{{0,40}}\b(?:system[- ]managed|managed by (?:windows|the system)"
        rf"|automatic(?:ally)?"
        rf"(?: managed)?)\b|\b(?:system[- ]managed|automatic(?:ally)? managed|windows manages (?:the"
        rf"|my)){_WITHIN}{{0,20}}{_PAGE_FILE}",
        step=r"^(?:close other programs, and )?let windows manage the page file",
        reason="The text says that Windows manages the page file already. Only if that is off again:",
    ),
    Deed(
        words="page|paging|swap|virtual memory",
        said=rf"\b(?:[4-9]\d|[1-9]\d\d) ?(?:GB|GiB|gigs?)\b{_WITHIN}{{0,12}}{_PAGE_FILE}"
        rf"|{_PAGE_FILE}{_WITHIN}{{0,25}}\b(?:[4-9]\d|[1-9]\d\d) ?(?:GB|GiB|gigs?)\b"
        rf"|\b(?:increased|enlarged|raised|expanded|extended){_WITHIN}{{0,20}}{_PAGE_FILE}",
        step=r"^(?:set a large|enlarge the|give windows a|make the) page file",
        reason="The text says that the page file is large already. See first whether that is in effect (Task"
        ' Manager, Performance, Memory: the second number of "Committed" is about RAM and page file'
        " together); only if it is not:",
    ),
    Deed(
        words="driver",
        said=rf"\b(?:latest|newest|up[- ]to[- ]date|updated|re-?installed|upgraded"
        rf"|current)\b{_WITHIN}{{0,40}}\bdrivers?\b"
        rf"|\bdrivers?\b{_WITHIN}{{0,30}}\b(?:up[- ]to[- ]date|latest|newest|updated|re-?installed"
        rf"|current)\b",
        step=r"^(?:update|install)\b[^`.]{0,70}\bdriver\b(?:[^`]{0,60}nvidia\.com/drivers"
        r"|[^`.]{0,20}\(admin)",
        reason="The text says that the driver is new already. Restart Windows, if that was not done since."
        " Only if `nvidia-smi` then shows an older one than the page offers for the card:",
        stays=True,
    ),
    Deed(
        words="restarted|rebooted|restarting|rebooting",
        said=r"\b(?:re-?started|re-?booted|re-?starting|re-?booting)\b"
        r"(?!.{0,30}\b(?:kernel|runtime|program|app|comfyui|web ?ui|server|console|terminal|ide|vs ?code"
        r"|training|notebook|jupyter|script)\b)",
        step=r"^(?:restart|reboot) (?:windows|the (?:computer|pc))",
        reason='The text says that the computer was restarted. Only if that was "Shut down" and not'
        ' "Restart", which alone loads Windows anew:',
    ),
    Deed(
        words="workers",
        said=r"(?:\b|_)workers\b[\"'`]?(?: ?={1,2} ?| ?: ?| (?:is|at|to|of) (?:already )?)0\b(?!\.)",
        step=r"^(?:[^`.]{0,60}\b(?:set|write|with|without|try)\b[^.]{0,40}`?num_workers ?=? ?0|start "
        r"(?:the program )?with(?:out| no) worker"
        r"|let [^.]{0,40} start no worker|set `?num_workers`? to 0|start no worker|start fewer processes)",
        reason="The text says that there are 0 workers already. Only if another loader of the program has"
        " some (often the one for validation, or that of a library):",
    ),
    Deed(
        words="batch",
        said=r"(?:\b|_)batch(?:[ _-]?size)?[\"'`]?(?: ?={1,2} ?| ?: ?| (?:is|of|at|to|already)? ?(?:already "
        r")?(?:at |of )?)1\b(?![.\dx])",
        step=r"^(?:halve the batch|make the (?:batch|job) smaller|make the work smaller|lower the batch"
        r"|take a smaller batch|set a smaller batch)",
        reason="The text says that the batch has size 1 already; what is left of this step is a smaller or"
        " shorter input:",
        stays=True,
    ),
    Deed(
        words="torch",
        said=rf"\b(?:re-?installed|re-?installing|uninstalled and "
        rf"installed)\b{_WITHIN}{{0,30}}\b(?:py)?torch\b"
        rf"|\b(?:py)?torch\b{_WITHIN}{{0,20}}\bre-?installed\b",
        step=r"^(?:if [^.`]{0,60}, )?(?:install|put) the same (?:torch|release|build|files)\b",
        reason="The text says that torch was installed again already. This does it without pip's cache, whose"
        " file may be the damaged one:",
    ),
    Deed(
        words="build tools|visual studio|msvc|compiler|vs ?20",
        said=r"\b(?:build tools|visual studio|msvc|c\+\+ compiler|vs ?20(?:1\d"
        r"|2\d))\b.{0,30}\b(?:(?:re-?)?installed|present|there)\b"
        r"|\b(?:(?:re-?)?installed|have)\b.{0,30}\b(?:build tools|visual studio|msvc|c\+\+ compiler|vs "
        r"?20(?:1\d|2\d))\b(?! code)",
        step=r"^(?:if [^.`]{0,80}, )?install the [^`.]{0,30}build tools(?! of visual studio 201)",
        reason='The text says that they are installed. Open the Visual Studio Installer then, "Modify", and'
        ' see whether "Desktop development with C++" is ticked, which is not from the start. If nothing is'
        " there:",
        stays=True,
    ),
    Deed(
        words="__main__|main guard",
        said=r"\b(?:already|have|there is|use|using|with|added|inside|below|under)\b.{0,40}(?:__name__ ?=="
        r"|main guard)"
        r"|(?:__main__[\"']?:?`?|main guard) .{0,20}\b(?:is there|already|is in)\b",
        step=r"^[^`]{0,160}`if __name__ == \"__main__\"",
        reason="The text says that the line is there already. It helps only in the script that is started,"
        " with all that starts processes below it:",
        stays=True,
    ),
    Deed(
        words="long ?path",
        said=r"long ?paths?(?:enabled)?\b.{0,30}\b(?:enabled|on|switched on|allowed|1)\b"
        r"|\benabled\b.{0,20}\blong ?paths?",
        step=r"^switch long paths on",
        reason="The text says that long paths are on. That holds for programs that were started after it, and"
        " not for git. Only if `LongPathsEnabled` is not 1:",
    ),
    Deed(
        words="pythonutf8|utf-8 mode",
        said=r"\bPYTHONUTF8\b.{0,12}\b1\b|\b(?:set|added|have|using|with) PYTHONUTF8\b|\butf-?8 mode "
        r"(?:is )?on\b",
        step=r"^switch utf-8 mode on",
        reason="The text says that it is on already. A variable counts only in the console in which it was"
        ' set, or after a new one was opened. Only if `python -c "import sys; print(sys.flags.utf8_mode)"`'
        " prints 0 there:",
    ),
)
# The packages of a Python in a folder of a network, or with characters that no command is written with.
_ODD_FOLDER = (
    r"(?:\\\\[\w.$-]{1,60}[\\/]|\b[a-z]:[\\/])[\w\u00c0-\uffff .+&()',;=@#!~\\/-]{1,200}"
    r"[\\/]Lib[\\/]site-packages[\\/]"
)
_PLAIN_FOLDER = r"\b[a-z]:[\\/][\w\u00c0-\uffff .+\\/-]{1,200}"
_PYTHON_COMMAND = r"(?m)^[ ]*python "
_OWN_PYTHON = (
    "In the commands, write the path of the program's own `python.exe` in place of `python`, in quotation"
    " marks and behind `& ` (without it in cmd): the one above `Lib\\site-packages` in the traceback, in a"
    " virtual environment in `Scripts`."
)
# What refers to a step before.
_REFERS = (
    r"^(?:If (?:it|the error|the message|that error|this) (?:stays|comes back|remains|persists)|If (?:it"
    r"|that|this) "
    r"(?:does not help|is not enough|changes nothing|still fails)|If it is still there), (?:(?:and|but) )?"
)


def put_done_last(lead: str, steps: Sequence[str], said: Said) -> tuple[str, tuple[str, ...]]:
    """Return the short answer, and the steps, those that a text says are done behind the others.

    Each of them has the reason for it. Where the first step is one, the short answer says so.
    """
    done = {step: deed for step in steps if (deed := _find_done(step, said)) is not None}
    first = [step for step in steps if step not in done or done[step].stays]
    last = [step for step in steps if step not in first]
    if steps and steps[0] in done:
        lead = _tell(lead, done[steps[0]])
    texts = (f"{done[step].reason} {_lower(step)}" if step in done else step for step in (*first, *last))
    return lead, begin_anew(tuple(texts))


def is_done(step: str, said: Said) -> bool:
    """Return whether a text says that a step is done, so that what it would mend is hardly the problem."""
    return _find_done(step, said) is not None


def _tell(lead: str, deed: Deed) -> str:
    """Return a short answer that says what is done, in place of words that tell to do it."""
    told = pattern(r"[.:](?=\s|$)").split(deed.reason, maxsplit=1)[0]
    sentences = pattern(r"(?<=[.:;!])\s+").split(lead)
    for index, sentence in enumerate(sentences):
        if pattern(deed.step, True).search(sentence):
            sentences[index] = f"{told}{sentence[-1:]}" if sentence[-1:] in ";:." else f"{told}."
            told_lead = " ".join(sentences)
            return pattern(r"; if it is (?:installed|there|so), ").sub(": ", told_lead)
    return f"{lead} {told}."


def name_own_python(steps: Sequence[str], said: Said) -> tuple[str, ...]:
    """Return the steps; the first with a command of `python` says which one, if its path is in none."""
    place = next((index for index, step in enumerate(steps) if pattern(_PYTHON_COMMAND).search(step)), None)
    if place is None or not any(map(_has_odd_folder, said.lines)):
        return tuple(steps)
    return (*steps[:place], f"{_OWN_PYTHON} {steps[place]}", *steps[place + 1 :])


def _has_odd_folder(line: Line) -> bool:
    found = pattern(_ODD_FOLDER, True).search(line.text)
    return found is not None and not pattern(_PLAIN_FOLDER, True).fullmatch(found[0])


def begin_anew(steps: Sequence[str]) -> tuple[str, ...]:
    """Return the steps, the first of them without words that refer to one before it."""
    if not steps or not (match := pattern(_REFERS).match(steps[0])):
        return tuple(steps)
    rest = steps[0][match.end() :]
    return (rest[:1].upper() + rest[1:], *steps[1:])


def _find_done(step: str, said: Said) -> Deed | None:
    return next(
        (
            deed
            for deed in DEEDS
            if pattern(deed.step, True).search(step) and said.find_done(deed.words, deed.said)
        ),
        None,
    )


def _lower(step: str) -> str:
    """Return a step behind a colon: without words that refer to another one, and in small letters."""
    (rest,) = begin_anew((step,))
    return rest[:1].lower() + rest[1:]
