"""Observes installed packages from their files: torch's RECORD, companions, NumPy's build, conda."""

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from torchdoctor import pe
from torchdoctor.core.files import parse_python, read_text
from torchdoctor.facts import (
    Absent,
    AlteredFile,
    Companion,
    Companions,
    CondaEnvironment,
    CondaPackage,
    Distribution,
    Interpreter,
    NumpyBuild,
    TorchRecord,
)
from torchdoctor.pe.headers import parse_headers
from torchdoctor.pe.view import map_file
from torchdoctor.probes.examined import Examined
from torchdoctor.probes.metadata import is_pure, read_required
from torchdoctor.probes.torch_install import observe_torch_install, read_version_file

# Packages with extension modules that are built for one torch; some have no range in their metadata.
COMPANIONS = ("torchvision", "torchaudio", "torchcodec", "xformers", "bitsandbytes", "triton-windows")
# pip replaces the first letter of a folder that it removes by a tilde, and reports what remains as an
# "invalid distribution".
_LEFTOVER = re.compile(r"[~-]o?rch(?:$|-)", re.IGNORECASE)
# A line of RECORD that starts with one of these is not about a file below site-packages.
_OUTSIDE_PREFIXES = ("..", "/", ",")
# Three quarters of torch's files. Programs that only run torch are often shipped without them.
_UNUSED_FOLDERS = ("torch/include/", "torch/share/", "torch/test/", "torch/bin/")
_UNUSED_FILE = re.compile(r"torch-[^/]+\.dist-info/|torch/lib/[^/]+\.lib$")


def observe_conda_environment(examined: Examined) -> CondaEnvironment | Absent:
    """Read the packages that conda recorded for the environment, only from the file names of its records."""
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
    interpreter = examined.interpreter
    first: dict[str, Distribution] = {}
    for each in examined.distributions.installed:
        first.setdefault(each.name.lower().replace("_", "-"), each)
    listed = [_read_companion(first[name], interpreter) for name in COMPANIONS if name in first]
    others = [
        _read_companion(each, interpreter)
        for name, each in first.items()
        if name not in (*COMPANIONS, "torch") and dict(read_required(each, interpreter)).get("torch")
    ]
    return Companions((*listed, *others))


def _read_companion(distribution: Distribution, interpreter: Interpreter) -> Companion:
    name = distribution.name.lower().replace("_", "-")
    folder = os.path.join(distribution.folder, name.removesuffix("-windows").replace("-", "_"))
    values = read_version_file(Path(folder, "version.py"))
    version, cuda = distribution.version, None
    if not isinstance(values, Absent):
        full_version, cuda = values.get("__version__"), values.get("cuda")
        # version.py may be left over from another version; then the version of the distribution is used.
        if isinstance(full_version, str) and full_version.partition("+")[0] == version.partition("+")[0]:
            version = full_version
    required = dict(read_required(distribution, interpreter))
    return Companion(
        name,
        version,
        folder,
        cuda if isinstance(cuda, str) else None,
        required.get("torch") or None,
        is_compiled=not is_pure(distribution),
    )


def observe_numpy_build(examined: Examined) -> NumpyBuild | Absent:
    """Read which BLAS the installed NumPy was built with, without importing it."""
    distribution = examined.distributions.find("numpy")
    if distribution is None:
        return Absent("NumPy is not installed")
    folder = os.path.join(distribution.folder, "numpy")
    return NumpyBuild(distribution.version, folder, _find_blas(Path(folder)))


def _find_blas(folder: Path) -> str | Absent:
    try:
        tree = parse_python(folder / "__config__.py")
    except OSError as error:
        return Absent(f"numpy/__config__.py cannot be read: {error.strerror or error}")
    except ValueError as error:
        return Absent(f"numpy/__config__.py is damaged: {error}")
    # NumPy 1.26 and later have the name. Older ones have a dictionary per library, empty if it was not found.
    blas_name = next(filter(None, map(_read_blas_name, ast.walk(tree))), None)
    if blas_name:
        return blas_name
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[_, *_])):
                if re.fullmatch(r"(?:blas_mkl|openblas|openblas64_|blis|blas)_info", name):
                    return name.removesuffix("_info").removeprefix("blas_").rstrip("_")
    return Absent("numpy/__config__.py names no BLAS")


def _read_blas_name(node: ast.AST) -> str | None:
    """Return the name in {"Build Dependencies": {"blas": {"name": "scipy-openblas", ...}}}."""
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
    """Compare the RECORD of the torch wheel with the installed files, only by name and size.

    If there are several dist-info folders, no file is compared: it is unknown which folder is the right one.
    """
    install = observe_torch_install(examined)
    if isinstance(install, Absent):
        return install
    distribution = examined.distributions.find("torch")
    dist_infos = _find_dist_infos(Path(distribution.folder)) if distribution else []
    if distribution is None or not dist_infos:
        return Absent("torch has no dist-info folder: it was not installed from a wheel")
    folder, package = Path(distribution.folder), Path(install.package_folder)
    try:
        lines = _read_record_lines(dist_infos[0] / "RECORD") if len(dist_infos) == 1 else []
    except OSError as error:
        return Absent(f"the RECORD of torch cannot be read: {error.strerror or error}")
    recorded_sizes = dict(_parse_needed_files(lines))
    actual_sizes = dict(_list_sizes(folder, {name.partition("/")[0] for name in recorded_sizes}))
    return TorchRecord(
        folder=str(folder),
        version=distribution.version,
        files=len(lines),
        holds_package=_is_same_path(folder / "torch", package),
        has_init=os.path.isfile(package / "__init__.py"),
        missing=tuple(name for name in recorded_sizes if name not in actual_sizes),
        altered=tuple(_find_altered_files(folder, recorded_sizes, actual_sizes)),
        longest_path=_find_longest_name(lines),
        leftovers=_find_leftovers(folder),
        versions=tuple(path.name.removesuffix(".dist-info").partition("-")[2] for path in dist_infos),
        installer=_read_installer(dist_infos[0]),
    )


def _find_altered_files(
    folder: Path, recorded_sizes: Mapping[str, int | None], actual_sizes: Mapping[str, int]
) -> Iterator[AlteredFile]:
    for name, size in recorded_sizes.items():
        if size is not None and name in actual_sizes and actual_sizes[name] != size:
            is_cut = _is_cut(folder / name, size, actual_sizes[name])
            yield AlteredFile(name, size, actual_sizes[name], is_cut)


def _find_dist_infos(folder: Path) -> list[Path]:
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


def _read_installer(dist_info: Path) -> str | None:
    try:
        return read_text(dist_info / "INSTALLER").strip() or None
    except OSError:
        return None


def _read_record_lines(path: Path) -> list[str]:
    """Return the lines of a RECORD for files in site-packages, except .pyc files, which come and go.

    The RECORD of a large torch has 15,000 lines, so lines are split only where their parts are needed.
    """
    text = read_text(path).replace("\\", "/").replace('"', "")
    return [
        line for line in text.splitlines() if ".pyc," not in line and not line.startswith(_OUTSIDE_PREFIXES)
    ]


def _parse_needed_files(lines: Iterable[str]) -> Iterator[tuple[str, int | None]]:
    """Yield the name and size of each file that running torch may need."""
    for line in lines:
        # Checked first, because it skips three quarters of the lines.
        if not line.startswith(_UNUSED_FOLDERS):
            parts = line.rsplit(",", 2)
            if len(parts) == 3 and not _UNUSED_FILE.match(parts[0]):
                yield parts[0], int(parts[2]) if parts[2].isdecimal() else None


def _find_longest_name(lines: Sequence[str]) -> str:
    # All digests have one length and sizes have at most ten digits: only the longest lines can have the name.
    min_length = max(map(len, lines), default=0) - 10
    longest_lines = [line for line in lines if len(line) >= min_length]
    return max((line.rsplit(",", 2)[0] for line in longest_lines), key=len, default="")


def _list_sizes(folder: Path, top_names: set[str]) -> Iterator[tuple[str, int]]:
    """Yield the name and size of each file below the given entries of a folder.

    Listing folders is faster than a stat of each recorded file.
    """
    pending = sorted(top_names)
    linked: set[str] = set()
    while pending:
        prefix = pending.pop()
        try:
            with os.scandir(os.path.join(folder, prefix)) as entries:
                for entry in entries:
                    name = f"{prefix}/{entry.name}"
                    if not entry.is_dir():
                        yield from _find_size(name, entry)
                    elif _is_link(entry) and _was_there(entry.path, linked):
                        continue
                    elif entry.name != "__pycache__" and not f"{name}/".startswith(_UNUSED_FOLDERS):
                        pending.append(name)
        except NotADirectoryError:
            yield prefix, os.stat(os.path.join(folder, prefix)).st_size
        except (OSError, ValueError):
            # A name with a null byte is no path.
            continue


def _find_size(name: str, entry: "os.DirEntry[str]") -> Iterator[tuple[str, int]]:
    """Yield the name and size of a file; nothing for a link that leads nowhere."""
    try:
        yield name, entry.stat().st_size
    except OSError:
        pass


def _is_link(entry: "os.DirEntry[str]") -> bool:
    # A junction of Windows is no symbolic link; Python knows them from 3.12 on.
    is_junction = getattr(entry, "is_junction", None)
    return entry.is_symlink() or bool(is_junction and is_junction())


def _was_there(link: str, folders: set[str]) -> bool:
    """Return whether a link leads to one of the folders, and add the folder: links can form a circle."""
    folder = os.path.realpath(link)
    was_there = folder in folders
    folders.add(folder)
    return was_there


def _is_cut(path: Path, recorded_bytes: int, actual_bytes: int) -> bool:
    """Return whether an image is shorter than its own headers say. A replaced image is complete."""
    if actual_bytes >= recorded_bytes or not path.name.lower().endswith(pe.IMAGE_SUFFIXES):
        return False
    try:
        with map_file(path) as view:
            ends = [end - start + offset for start, end, offset in parse_headers(view).extents]
    except (pe.PeError, OSError):
        return True
    # A complete file has all bytes of every extent; the extent of a section without data is empty.
    return max(ends, default=0) > actual_bytes


def _is_same_path(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:
        return os.path.normcase(first) == os.path.normcase(second)
