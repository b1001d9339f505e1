"""Python comes from the Microsoft Store, whose long paths and redirected folders cause problems for torch."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.windows_paths import normalise
from torchdoctor.facts import Interpreter
from torchdoctor.facts.partial import find_value

# The folder of the Store's apps, and the name of the Python app (docs.python.org/3/using/windows.html).
STORE_FOLDERS = ("\\windowsapps\\", "\\pythonsoftwarefoundation.python.")


@check
def store_python(interpreter: Interpreter) -> Iterator[Finding | Passed]:
    """Check the base interpreter as well: a virtual environment made from it runs the same program."""
    names = ("base_prefix", "application_folder", "executable")
    places = [place for name in names if isinstance(place := find_value(interpreter, name), str)]
    store_path = next((place for place in places if _is_store_path(place)), None)
    if store_path is None:
        yield Passed(f"Python is in {interpreter.base_prefix}, not from the Microsoft Store")
        return
    # An interpreter that finds torch shows that the installation can work.
    is_harmless = interpreter.finds_torch is True or (
        isinstance(find_value(interpreter, "prefix"), str) and interpreter.is_virtual_environment
    )
    yield Finding(
        f"Python {interpreter.version} comes from the Microsoft Store ({store_path})",
        evidence={"path": store_path},
        severity=Severity.NOTE if is_harmless else None,
        step=None if is_harmless else "environment",
    )


def _is_store_path(path: str) -> bool:
    return any(folder in normalise(path) + "\\" for folder in STORE_FOLDERS)
