"""Folders in which models and caches end up have letters outside ASCII, which some of torch cannot open."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.domain.windows_paths import normalise
from torchdoctor.facts import Interpreter, PathSettings

UTF_8 = 65001
# The folder of pip's packages of one user, below %APPDATA%: the way to it shows the home folder.
BELOW_HOME = "\\appdata\\"


@check
def non_ascii_path(settings: PathSettings, interpreter: Interpreter) -> Iterator[Finding | Passed]:
    """torch hands UTF-8 to functions that expect the ANSI code page: harmless where that is UTF-8."""
    page = known(settings.ansi_code_page)
    places = [("the environment", interpreter.prefix)]
    home = _find_home(interpreter)
    places += [("the home folder", home)] if home else []
    affected = [(what, path) for what, path in places if not path.isascii()]
    if page == UTF_8 and affected:
        yield Passed(f"{affected[0][1]} has letters outside ASCII, and the ANSI code page is UTF-8")
        return
    for what, path in affected:
        # Nothing has failed yet: only programs that save or load there by name will.
        yield Finding(
            f"the path of {what} has letters outside ASCII: {path} (ANSI code page {page})",
            evidence={"path": path, "ansi_code_page": page},
            severity=Severity.NOTE,
        )
    if not affected:
        names = " and ".join(what for what, _ in places)
        yield Passed(f"plain ASCII: the path of {names}")


def _find_home(interpreter: Interpreter) -> str | None:
    base = interpreter.user_base or ""
    index = normalise(base).find(BELOW_HOME)
    return base[:index] if index > 0 else None
