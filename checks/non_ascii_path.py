"""Folders for models and caches have non-ASCII characters in their path, which parts of torch cannot open."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.domain.windows_paths import is_below, normalise
from torchdoctor.facts import Interpreter, PathSettings

UTF_8_CODE_PAGE = 65001
# The user's packages are in a folder below %APPDATA%, so the path of that folder shows the home folder.
APPDATA_PART = "\\appdata\\"


@check
def non_ascii_path(settings: PathSettings, interpreter: Interpreter) -> Iterator[Finding | Passed]:
    """Report paths outside ASCII, unless the ANSI code page is UTF-8.

    torch passes UTF-8 to functions that expect the ANSI code page.
    """
    page = known(settings.ansi_code_page)
    home = _find_home(interpreter)
    places = [("the home folder", home)] if home else []
    if home is None or home.isascii() or not is_below(interpreter.prefix, home):
        places.insert(0, ("the environment", interpreter.prefix))
    affected_places = [(what, path) for what, path in places if not path.isascii()]
    if page == UTF_8_CODE_PAGE and affected_places:
        yield Passed(f"{affected_places[0][1]} has letters outside ASCII, and the ANSI code page is UTF-8")
        return
    for what, path in affected_places:
        # Nothing has failed yet; only a program that saves or loads files in this folder fails.
        yield Finding(
            f"the path of {what} has letters outside ASCII: {path} (ANSI code page {page})",
            evidence={"path": path, "ansi_code_page": page},
            severity=Severity.NOTE,
            step="home" if path == home else "files",
        )
    if not affected_places:
        names = " and ".join(what for what, _ in places)
        yield Passed(f"plain ASCII: the path of {names}")


def _find_home(interpreter: Interpreter) -> str | None:
    base = interpreter.user_base or ""
    index = normalise(base).find(APPDATA_PART)
    return base[:index] if index > 0 else None
