"""The releases of torch in which modules and functions came that programs ask an older torch for."""

import functools

from torchdoctor.core.bundled import read_bundled


def find_first_torch(name: str) -> str:
    """Return the first minor release with a name, "1.12" of `torch.library`, or "" if it is not in the table.

    The table was read from the wheels of the first patch of each minor release, 1.0 to 2.14.
    """
    return _read_table().get(name, "")


@functools.cache
def _read_table() -> dict[str, str]:
    lines = read_bundled("torchdoctor.domain", "torch_names.csv").decode("utf-8").splitlines()
    rows = (line.partition(",") for line in lines[1:])
    return {name: came for name, _, came in rows}
