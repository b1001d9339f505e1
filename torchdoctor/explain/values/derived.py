"""Turn what was read from a text into the values that it stands for."""

import ntpath
from collections.abc import Iterable, Mapping
from urllib.parse import unquote

from torchdoctor.core.patterns import pattern
from torchdoctor.domain.capabilities import parse_sm
from torchdoctor.domain.sizes import GIB
from torchdoctor.redaction.words.odd_words import leave_out_values_of_paths

# The folder of a finished program that has torch in it, without the site-packages of an installed Python.
_BUNDLE = (
    r"([a-z]:[\\/](?:(?!site-packages|\\lib\\)[^\n])*?)[\\/](?:_internal[\\/]|_xxl_data[\\/])?"
    r"torch[\\/]lib[\\/]"
)

# A single block of this size is more than the RAM of nearly all PCs.
_LARGEST_PC = 256 * GIB
_UNITS = {"": 1, "bytes": 1, "KiB": GIB >> 20, "MiB": GIB >> 10, "GiB": GIB, "TiB": GIB << 10}


def add_missing(values: dict[str, str], found: Iterable[tuple[str, str | None]]) -> None:
    """Add what was found to values, but for those that are there already or empty."""
    for name, value in found:
        if value and value.strip() and name not in values:
            values[name] = value.strip()


_DIGITS_OF_MAJOR = 2


def derive_values(values: dict[str, str]) -> None:
    """Replace raw readings (`found version 12080`, `cu128`, `python310`) by the values they stand for."""
    for raw_name, name, convert in _DERIVED:
        reading = values.pop(raw_name, None)
        add_missing(values, [(name, convert(reading))] if reading else [])
    build = values.get("torch_version", "").partition("+cu")[2]
    # "cu12" is of no release of CUDA.
    if build.isdecimal() and (len(build) > _DIGITS_OF_MAJOR or build[0] in "789"):
        values["cuda_version"] = _read_cuda_tag(build)
    if values.get("bytes", "").count(".") > 1:
        # A size that was cut off, as in titles: 2.00...
        del values["bytes"]
    if "bytes" in values:
        add_missing(values, [("allocation", _judge_allocation(values["bytes"]))])
    if "." in values.get("global", ""):
        module, _, name = values["global"].rpartition(".")
        add_missing(values, [("global_module", module), ("global_class", name)])
    if "collected" in values:
        values["collected"] = values["collected"].replace(", ", " ")
    path = values.get("path", "")
    if path.lower().endswith((".dll", ".pyd")):
        values.setdefault("dll", ntpath.basename(path))
    bundle = pattern(_BUNDLE, True).match(path)
    if bundle is not None:
        values.setdefault("bundle", bundle[1])
    if "hf_name" in values:
        # Imported here: few texts have one.
        from torchdoctor.domain.transformers_names import find_name_releases

        releases = find_name_releases(values["hf_name"])
        add_missing(values, [("name_came", releases.came), ("name_gone", releases.gone)])
    if "vs_folder" in values:
        values["vs_folder"] = ntpath.normpath(values["vs_folder"])
    if values.get("needed_version", "").startswith("==="):
        values["needed_version"] = values["needed_version"].removeprefix("=")
    if "wheel_torch" in values:
        values["wheel_torch"] = values["wheel_torch"].replace("%2B", "+").replace("%2b", "+")
    if "download_link" in values:
        values.setdefault("download_file", unquote(values["download_link"].rpartition("/")[2]))
    if "missing_dll" in values:
        values.setdefault("dll", values["missing_dll"])


def _read_driver_number(reading: str) -> str:
    return f"{int(reading) // 1000}.{int(reading) % 1000 // 10}"


def _read_cuda_tag(reading: str) -> str:
    return f"{reading[:-1]}.{reading[-1]}"


def _read_python_tag(reading: str) -> str:
    """Return the version of `310`; the folder of an old installer has the micro release as well: `368`."""
    minor = reading[1:]
    return f"3.{minor}" if len(minor) < 2 or minor.startswith(("1", "2")) else f"3.{minor[0]}"


def _read_wheel_tag(reading: str) -> str:
    return f"3.{reading[3:]}"


def _read_capability(reading: str) -> str:
    return "sm_" + reading.replace(".", "")


def read_sm(reading: str) -> str | None:
    """Return the compute capability of an architecture: "8.6" for sm_86."""
    capability = parse_sm(reading)
    return None if capability is None else f"{capability[0]}.{capability[1]}"


def _read_gpu_number(reading: str) -> str | None:
    """Return the compute capability of a GeForce by its number, "sm_86" of "3060"."""
    # Imported here: most texts name no card.
    from torchdoctor.domain.gpu_names import find_capability

    # The numbers do not overlap; a workstation card (RTX 5000) has one that no GeForce has.
    found = find_capability(f"geforce rtx {reading}") or find_capability(f"geforce gtx {reading}")
    return f"sm_{found[0]}{found[1]}" if found else None


def _read_amd_family(reading: str) -> str:
    """Return the extra of AMD's packages for cards with a gfx number: "device-gfx1201" of "1201"."""
    return f"device-gfx{reading}"


def _read_minor_below(reading: str) -> str | None:
    """Return the last minor version of Python below another one."""
    return str(int(reading) - 1) if reading.isdecimal() and int(reading) > 0 else None


def _judge_allocation(reading: str) -> str | None:
    """Return whether a number of bytes is "small", "huge" or "beyond" what a PC has, or None in between.

    torch writes bytes, NumPy "926. GiB" and "1.15 MiB"; another unit is None, too.
    """
    number, _, unit = reading.partition(" ")
    size = _UNITS.get(unit)
    read = _read_number(number)
    if size is None or read is None:
        return None
    count = read * size
    if count > _LARGEST_PC:
        return "beyond"
    return "small" if count < GIB else "huge" if count > 4 * GIB else None


def is_full(total_gib: str, used: str) -> bool:
    """Return whether torch holds more than four fifths of a card, and no main memory: "6.00", "5.27 GiB"."""
    total, held = _read_number(total_gib), _read_number_of_gib(used)
    return total is not None and held is not None and 0.8 * total < held <= total


def is_larger(wanted: str, total_gib: str) -> bool:
    """Return whether one allocation is larger than the whole card: "31.25 GiB", "8.00"."""
    total, size = _read_number(total_gib), _read_number_of_gib(wanted)
    return total is not None and size is not None and size > total


def drop_address(values: dict[str, str]) -> None:
    """Take away an address that a text has in the place of a path: it can have a key in it."""
    # C://a is no address.
    path = values.get("path", "")
    if pattern(r"[a-z]{2}://", True).search(path):
        del values["path"]
    elif pattern(r"[?&@]").search(path):
        values["path"] = leave_out_values_of_paths(path)


def join_broken_path(values: dict[str, str]) -> None:
    """Write each value that is a path without the blanks of a console, if that shows a home in it."""
    for name, path in values.items():
        if " " in path and pattern(r"[A-Za-z]:\\|\\\\|/").match(path):
            # Imported here: few paths have blanks.
            from torchdoctor.redaction.redaction import Identity

            joined = path.replace(" ", "")
            shown = Identity().redact_places(joined)
            if shown != joined and Identity().redact_places(path) == path:
                values[name] = shown


def find_held_by_others(values: Mapping[str, str]) -> str | None:
    """Return what others hold of a card, in GiB, if that is more than half of it; from an error of torch.

    What torch holds is what it uses and what it keeps for later.
    """
    total, used, free = (_read_gib(values.get(name, "")) for name in ("card_gib", "card_used", "card_free"))
    spare, reserved = (_read_gib(values.get(name, "")) for name in ("card_spare", "card_reserved"))
    if total is None or used is None or free is None or (spare is None and reserved is None):
        return None
    others = total - free - (used + spare if spare is not None else max(used, reserved or 0))
    return f"{others:.1f}" if others > total / 2 else None


def _read_gib(size: str) -> float | None:
    """Return a size in GiB: "5.27 GiB", "512.00 MiB", "0 bytes", "6.00"."""
    number, _, unit = size.partition(" ")
    count, unit_bytes = _read_number(number), _UNITS.get(unit or "GiB")
    return None if count is None or unit_bytes is None else count * unit_bytes / GIB


def _read_number_of_gib(size: str) -> float | None:
    number, _, unit = size.partition(" ")
    return _read_number(number) if unit == "GiB" else None


def _read_number(text: str) -> float | None:
    """Return a number, "2.00" or NumPy's "926.", and nothing where it was cut off: "2.00...", ".."."""
    return float(text) if pattern(r"[0-9]{1,18}(?:\.[0-9]{0,18})?").fullmatch(text) else None


_DERIVED = (
    ("driver_number", "driver_cuda", _read_driver_number),
    ("cuda_tag", "cuda_version", _read_cuda_tag),
    ("python_tag", "python_version", _read_python_tag),
    ("wheel_tag", "wheel_python", _read_wheel_tag),
    ("capability", "sm", _read_capability),
    ("gpu_number", "sm", _read_gpu_number),
    ("amd_family", "amd_device", _read_amd_family),
    ("below_minor", "wanted_minor", _read_minor_below),
    ("uv_words", "installer", lambda _: "uv"),
    ("conda_words", "installer", lambda _: "conda"),
)
