"""Python comes from the Microsoft Store, whose long paths and redirected folders cause problems for torch."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.remedies import choose_remedy
from torchdoctor.domain.store import is_store_path
from torchdoctor.facts import Absent, Interpreter, NvidiaDriver, TorchImportTrial
from torchdoctor.facts.partial import find_value


@check
def store_python(
    interpreter: Interpreter, trial: TorchImportTrial | Absent, driver: NvidiaDriver | Absent
) -> Iterator[Finding | Passed]:
    """Check the base interpreter as well: a virtual environment made from it runs the same program.

    Where torch works, or a virtual environment avoids the problems, nothing has to be changed.
    """
    names = ("base_prefix", "application_folder", "executable")
    places = [place for name in names if isinstance(place := find_value(interpreter, name), str)]
    store_path = next((place for place in places if is_store_path(place)), None)
    if store_path is None:
        yield Passed(f"Python is in {interpreter.base_prefix}, not from the Microsoft Store")
        return
    message = f"Python {interpreter.version} comes from the Microsoft Store ({store_path})"
    # An interpreter that finds torch shows that the installation can work.
    finds_torch = interpreter.finds_torch is True
    is_environment = isinstance(find_value(interpreter, "prefix"), str) and interpreter.is_virtual_environment
    outcome = trial if isinstance(trial, Absent) else find_value(trial, "outcome")
    if is_environment:
        yield Passed(f"{message}, and this is a virtual environment of it")
        return
    if finds_torch and (isinstance(outcome, Absent) or outcome == "imported"):
        yield Passed(f"{message}, and finds torch")
        return
    remedy = choose_remedy(driver, interpreter)
    new_set = remedy.values.get("machine_set") if remedy is not None else None
    yield Finding(
        message,
        evidence={"path": store_path, **({"new_set": new_set} if new_set else {})},
        severity=Severity.NOTE if finds_torch else None,
        step="environment",
    )
