"""The `schema` command: read a published JSON Schema."""

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError

SCHEMAS = (
    "report",
    "facts",
    "explanation",
    "entry",
    "entries",
    "checks",
    "dlls",
    "loader",
    "repair",
    "repair-journal",
    "fleet",
    "fleet-machine",
)


@record
class Schema:
    """A JSON Schema as text."""

    text: str
    exit_code: int = 0


def read_schema(name: str) -> Schema:
    """Read the schema of an output.

    Raises:
        UsageError: there is no schema of this name.
    """
    if name not in SCHEMAS:
        raise UsageError(f"{name} is not a schema; choose from {', '.join(SCHEMAS[:-1])} and {SCHEMAS[-1]}")
    return Schema(read_bundled("torchdoctor.schemas", f"{name}.json").decode("utf-8"))
