"""The Python comes from the Microsoft Store, whose long paths and redirected folders get in torch's way."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.windows_paths import normalise
from torchdoctor.facts import Interpreter

# Where the Store puts apps, and the name of the app (docs.python.org/3/using/windows.html).
SIGNS = ("\\windowsapps\\", "\\pythonsoftwarefoundation.python.")


@check
def store_python(interpreter: Interpreter) -> Iterator[Finding | Passed]:
    """Look at the base interpreter: a virtual environment made with it runs the same program."""
    places = (interpreter.base_prefix, interpreter.application_folder, interpreter.executable)
    place = next((place for place in places if _is_of_store(place)), None)
    if place is None:
        yield Passed(f"Python is in {interpreter.base_prefix}, not from the Microsoft Store")
        return
    # One that has found its torch shows that it can be done.
    is_harmless = interpreter.finds_torch is True or interpreter.is_virtual_environment
    yield Finding(
        f"Python {interpreter.version} comes from the Microsoft Store ({place})",
        evidence={"path": place},
        severity=Severity.NOTE if is_harmless else None,
        step=None if is_harmless else "environment",
    )


def _is_of_store(place: str) -> bool:
    return any(sign in normalise(place) + "\\" for sign in SIGNS)
