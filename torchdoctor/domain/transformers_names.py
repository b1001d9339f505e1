"""The releases of transformers in which names came or went that programs of another time ask for."""

import csv
import functools

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.record import record


@record
class NameReleases:
    """The first release with a name and the first without it, as "4.50"; empty where no program asks."""

    came: str = ""
    gone: str = ""


def find_name_releases(name: str) -> NameReleases:
    """Return what is known of a name: nothing of one that is not in the table.

    The table was read from the wheels of the first patch of each minor release, 2.0 to 5.12.
    """
    return _read_table().get(name, NameReleases())


@functools.cache
def _read_table() -> dict[str, NameReleases]:
    text = read_bundled("torchdoctor.domain", "transformers_names.csv").decode("utf-8")
    rows = csv.DictReader(text.splitlines())
    return {row["name"]: NameReleases(row["came"], row["gone"]) for row in rows}
