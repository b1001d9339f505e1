"""Separate the Python of a console from that of a notebook or an editor, where a text names both."""

import ntpath

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.values.interpreter import EXECUTABLE

_TERMINAL = (
    r"terminal|console|prompt|command line|power ?shell|cmd(?:\.exe)?|shell|konsole|eingabeaufforderung"
    r"|终端|命令行|控制台|ターミナル|コマンドプロンプト|консол\w{1,2}|терминал\w{0,2}"
)
_EDITOR = (
    r"notebooks?|jupyter\w{0,3}|kernels?|cells?|ipynb|vs ?code|visual studio code|pycharm|spyder|editor|ide"
    r"|ノートブック|ноутбук\w{0,2}"
)
# A terminal of an editor is one.
_TERMINAL_OF_AN_EDITOR = rf"(?:{_TERMINAL})s?(?:[ ](?:of|in|inside|from)[ ](?:the[ ]|my[ ])?(?:{_EDITOR}))?"
_LABEL = rf"(?<![^\W_])(?:(?P<terminal>{_TERMINAL_OF_AN_EDITOR})|(?P<editor>{_EDITOR}))(?![^\W_])"
# Behind the path: python.exe in the terminal, and. The next sentence can begin with the same words.
_BEHIND = (
    rf"[ \t\"'`)]{{0,4}}(?:is )?(?-i:in|from|of) (?:the |my |a )?(?:\w+ )?{_LABEL}"
    r"(?=[ ]?(?:[.,;)]|and|but|\r?\n|$))"
)
# What is printed beside the path: the version of torch.
_TORCH = (
    r"[\"'`]?[ ,:]{0,3}(?:\r?\n[ ]{0,4})?(?:torch(?:\.__version__)?[ =:]{1,3})?"
    r"([12]\.\d{1,2}\.\d{1,2}(?:\+\w{2,12})?)(?![\w.])"
)
# So far behind a label a path can belong to it.
_FARTHEST = 200


def read_console_python(text: str) -> dict[str, str]:
    """Return the only Python that a text gives as that of a console: `console_python`.

    `console_torch` is the version of torch that is printed beside it, and `notebook_python` the only Python
    that the text gives as that of a notebook or an editor, if it is another one.
    """
    found: dict[str, dict[str, str]] = {"terminal": {}, "editor": {}}
    torch = ""
    end = 0
    for match in pattern(EXECUTABLE, True).finditer(text):
        role = _find_role(text, max(end, match.start() - _FARTHEST), match.start(), match.end())
        end = match.end()
        if role is None:
            continue
        path = ntpath.normpath(match[1])
        found[role].setdefault(path.lower(), path)
        version = pattern(_TORCH, True).match(text, match.end()) if role == "terminal" else None
        torch = version[1] if version is not None else torch
    consoles, notebooks = found["terminal"], found["editor"]
    if len(consoles) != 1 or consoles.keys() & notebooks.keys():
        return {}
    values = {"console_python": next(iter(consoles.values()))}
    if torch:
        values["console_torch"] = torch
    if len(notebooks) == 1:
        values["notebook_python"] = next(iter(notebooks.values()))
    return values


def _find_role(text: str, begin: int, start: int, end: int) -> str | None:
    """Return "terminal" or "editor", as the words beside a path say, or None."""
    behind = pattern(_BEHIND, True).match(text, end)
    labels = [behind] if behind is not None else list(pattern(_LABEL, True).finditer(text, begin, start))
    return None if not labels else "terminal" if labels[-1]["terminal"] else "editor"
