"""Find the errors that a text shows."""

from collections.abc import Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.rank import is_warning
from torchdoctor.explain.text.split import Kind, Unit

# A line in which a program that is no Python says that it failed, or a person quotes what Python said.
_ERROR_LINE = "|".join(
    (
        r"(?:^|\s)(?:ERROR|error|Error|fatal error)(?::| [A-Z]+\d+:)",
        "is not recognized as",
        r"\b[A-Z]\w{1,40}Error: \S",
    )
)


def find_errors(units: Sequence[Unit]) -> list[Unit]:
    """Return the exceptions of a text; without one, the lines in which a program says that it failed."""
    errors = [unit for unit in units if unit.kind is Kind.EXCEPTION and not is_warning(unit)]
    return errors or [unit for unit in units if pattern(_ERROR_LINE).search(unit.text)]
