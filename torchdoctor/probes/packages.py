"""Observes installed packages by their files: torch's RECORD, companions, NumPy's build, conda."""

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from torchdoctor import pe
from torchdoctor.facts import (
    Absent,
    AlteredFile,
    Companion,
    Companions,
    CondaEnvironment,
    CondaPackage,
    Distribution,
    NumpyBuild,
    TorchRecord,
)
from torchdoctor.pe.headers import parse_headers
from torchdoctor.pe.view import map_file
from torchdoctor.probes.examined import Examined
from torchdoctor.probes.torch import observe_torch_install, read_version_file

# Packages with extension modules that are linked against one torch.
COMPANIONS = ("torchvision", "torchaudio", "torchcodec", "xformers", "bitsandbytes", "triton-windows")
# What pip calls "invalid distribution": it puts a tilde in place of the first letter of what it removes.
_LEFTOVER = re.compile(r"[~-]o?rch(?:$|-)", re.IGNORECASE)
# How a line of a RECORD begins that names no file below site-packages.
_OUTSIDE = ("..", "/", ",")
# Three quarters of the files; programs that only run torch are often shipped without them.
_UNUSED_FOLDERS = ("torch/include/", "torch/share/", "torch/test/", "torch/bin/")
_UNUSED_FILE = re.compile(r"torch-[^/]+\.dist-info/|torch/lib/[^/]+\.lib$")


def observe_conda_environment(examined: Examined) -> CondaEnvironment | Absent:
    """Read what conda recorded of the environment, from the names of its records alone."""
    prefix = examined.interpreter.prefix
    folder = os.path.join(prefix, "conda-meta")
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return Absent(f"{prefix} is no conda environment")
    parts = [name.removesuffix(".json").rsplit("-", 2) for name in names]
    packages = tuple(CondaPackage(*part) for part in parts if len(part) == 3)
    return CondaEnvironment(prefix, packages)


def observe_companions(examined: Examined) -> Companions:
    """Read the full version and the CUDA version of each package that must fit torch."""
    found = [distribution for name in COMPANIONS if (distribution := examined.distributions.find(name))]
    return Companions(tuple(_read_companion(distribution) for distribution in found))


def _read_companion(distribution: Distribution) -> Companion:
    name = distribution.name.lower().replace("_", "-")
    folder = os.path.join(distribution.folder, name.removesuffix("-windows"))
    values = read_version_file(Path(folder, "version.py"))
    version, cuda = distribution.version, None
    if not isinstance(values, Absent):
        found, cuda = values.get("__version__"), values.get("cuda")
        # The distribution's own version counts where the file is of another one.
        if isinstance(found, str) and found.partition("+")[0] == version.partition("+")[0]:
            version = found
    return Companion(name, version, folder, cuda if isinstance(cuda, str) else None)


def observe_numpy_build(examined: Examined) -> NumpyBuild | Absent:
    """Read which BLAS the NumPy that would be imported was built with, without importing it."""
    distribution = examined.distributions.find("numpy")
    if distribution is None:
        return Absent("NumPy is not installed")
    folder = os.path.join(distribution.folder, "numpy")
    return NumpyBuild(distribution.version, folder, _find_blas(Path(folder)))


def _find_blas(folder: Path) -> str | Absent:
    try:
        tree = ast.parse((folder / "__config__.py").read_bytes())
    except OSError as error:
        return Absent(f"numpy/__config__.py cannot be read: {error.strerror or error}")
    except (SyntaxError, ValueError) as error:
        return Absent(f"numpy/__config__.py is damaged: {error}")
    # NumPy 1.26 and later name it; older ones leave one dictionary a library, filled where it was found.
    named = next(filter(None, map(_read_named_blas, ast.walk(tree))), None)
    if named:
        return named
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[_, *_])):
                if re.fullmatch(r"(?:blas_mkl|openblas|openblas64_|blis|blas)_info", name):
                    return name.removesuffix("_info").removeprefix("blas_").rstrip("_")
    return Absent("numpy/__config__.py names no BLAS")


def _read_named_blas(node: ast.AST) -> str | None:
    """Read the name in {"Build Dependencies": {"blas": {"name": "scipy-openblas", ...}}}."""
    if not isinstance(node, ast.Dict):
        return None
    for key, value in zip(node.keys, node.values, strict=True):
        if not (isinstance(key, ast.Constant) and key.value == "blas" and isinstance(value, ast.Dict)):
            continue
        for inner, name in zip(value.keys, value.values, strict=True):
            if isinstance(inner, ast.Constant) and inner.value == "name" and isinstance(name, ast.Constant):
                return str(name.value)
    return None


def observe_torch_record(examined: Examined) -> TorchRecord | Absent:
    """Compare the RECORD of the torch wheel with the files that are there, by names and sizes only.

    Of several dist-info folders none is compared: which of them should hold cannot be known.
    """
    install = observe_torch_install(examined)
    if isinstance(install, Absent):
        return install
    distribution = examined.distributions.find("torch")
    records = _find_records(Path(distribution.folder)) if distribution else []
    if distribution is None or not records:
        return Absent("torch has no dist-info folder: it was not installed from a wheel")
    folder, package = Path(distribution.folder), Path(install.package_folder)
    try:
        lines = _read_lines(records[0] / "RECORD") if len(records) == 1 else []
    except OSError as error:
        return Absent(f"the RECORD of torch cannot be read: {error.strerror or error}")
    compared = dict(_read_compared(lines))
    actual = dict(_list_sizes(folder, {name.partition("/")[0] for name in compared}))
    return TorchRecord(
        folder=str(folder),
        version=distribution.version,
        files=len(lines),
        holds_package=_is_same(folder / "torch", package),
        has_init=(package / "__init__.py").is_file(),
        missing=tuple(name for name in compared if name not in actual),
        altered=tuple(_compare_sizes(folder, compared, actual)),
        longest_path=_find_longest_name(lines),
        leftovers=_find_leftovers(folder),
        versions=tuple(record.name.removesuffix(".dist-info").partition("-")[2] for record in records),
        installer=_read_installer(records[0]),
    )


def _compare_sizes(
    folder: Path, recorded: Mapping[str, int | None], actual: Mapping[str, int]
) -> Iterator[AlteredFile]:
    for name, size in recorded.items():
        if size is not None and name in actual and actual[name] != size:
            is_cut = _is_cut(folder / name, size, actual[name])
            yield AlteredFile(name, size, actual[name], is_cut)


def _find_records(folder: Path) -> list[Path]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [folder / name for name in names if re.fullmatch(r"(?i)torch-[^-]+\.dist-info", name)]


def _find_leftovers(folder: Path) -> tuple[str, ...]:
    try:
        return tuple(sorted(name for name in os.listdir(folder) if _LEFTOVER.match(name)))
    except OSError:
        return ()


def _read_installer(record: Path) -> str | None:
    try:
        return (record / "INSTALLER").read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def _read_lines(path: Path) -> list[str]:
    """Give the lines of a RECORD for files inside site-packages; compiled .pyc files come and go.

    A large torch has 15,000 lines, so a line is taken apart only where somebody looks at it.
    """
    text = path.read_text(encoding="utf-8", errors="replace").replace("\\", "/").replace('"', "")
    return [line for line in text.splitlines() if ".pyc," not in line and not line.startswith(_OUTSIDE)]


def _read_compared(lines: Iterable[str]) -> Iterator[tuple[str, int | None]]:
    """Give name and size of the files that running torch may need."""
    for line in lines:
        # Asked first, because it settles three quarters of the lines.
        if not line.startswith(_UNUSED_FOLDERS):
            parts = line.rsplit(",", 2)
            if len(parts) == 3 and not _UNUSED_FILE.match(parts[0]):
                yield parts[0], int(parts[2]) if parts[2].isdigit() else None


def _find_longest_name(lines: Sequence[str]) -> str:
    # Digests are of one length and sizes of at most ten digits: only the longest lines can hold it.
    least = max(map(len, lines), default=0) - 10
    longest = [line for line in lines if len(line) >= least]
    return max((line.rsplit(",", 2)[0] for line in longest), key=len, default="")


def _list_sizes(folder: Path, tops: set[str]) -> Iterator[tuple[str, int]]:
    """Give the sizes of all files below some entries of a folder: a listing tells many at once."""
    waiting = sorted(tops)
    while waiting:
        prefix = waiting.pop()
        try:
            with os.scandir(os.path.join(folder, prefix)) as entries:
                for entry in entries:
                    name = f"{prefix}/{entry.name}"
                    if not entry.is_dir():
                        yield name, entry.stat().st_size
                    elif entry.name != "__pycache__" and not f"{name}/".startswith(_UNUSED_FOLDERS):
                        waiting.append(name)
        except NotADirectoryError:
            yield prefix, os.stat(os.path.join(folder, prefix)).st_size
        except OSError:
            continue


def _is_cut(path: Path, recorded_bytes: int, actual_bytes: int) -> bool:
    """Tell whether an image is shorter than its own headers say: a replaced one is whole."""
    if actual_bytes >= recorded_bytes or not path.name.lower().endswith(pe.IMAGE_SUFFIXES):
        return False
    try:
        with map_file(path) as view:
            ends = [end - start + offset for start, end, offset in parse_headers(view).extents]
    except (pe.PeError, OSError):
        return True
    # An extent counts the bytes that the file should have, and none where a section has no data.
    return max(ends, default=0) > actual_bytes


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return os.path.normcase(one) == os.path.normcase(other)
