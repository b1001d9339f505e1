"""Observes runtime DLLs that packages bundle, and whether DLLs export what other DLLs import from them."""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from torchdoctor import pe
from torchdoctor.core.files import read_bytes
from torchdoctor.domain.torchcodec import looks_beside_ffmpeg
from torchdoctor.facts import (
    Absent,
    BundledRuntime,
    BundledRuntimes,
    CompanionClosure,
    CompanionDlls,
    Distributions,
    DllClosure,
    DllSymbols,
    SymbolGap,
)
from torchdoctor.probes.dlls import find_torch_search, read_closure, read_version
from torchdoctor.probes.examined import Examined
from torchdoctor.probes.packages import observe_companions
from torchdoctor.probes.torch_install import observe_torch_install

RUNTIMES = ("libiomp5md.dll", "libomp140.x86_64.dll", "msvcp140.dll")
_RECORDED_RUNTIME = re.compile(rb"/(?:libiomp5md|libomp140\.x86_64|msvcp140)\.dll(?=[\",])", re.IGNORECASE)
_RECORD_LIMIT_BYTES = 16 << 20

# Reading the exports of torch_cpu.dll takes a quarter of a second, those of torch_cuda.dll longer.
LARGE_SUPPLIERS = re.compile(
    r"(?:torch_(?:cpu|cuda|python|xpu)\w*|dnnl|mkl_\w+|cu\w+64_\w+)\.dll", re.IGNORECASE
)
_MAX_EXAMPLES = 5

# The extension modules that a package always loads. Its other modules are alternatives, and one of them is
# enough: torchaudio has one for each FFmpeg, bitsandbytes has one for each CUDA.
REQUIRED_MODULES = {
    "torchvision": ("_C*.pyd",),
    "torchaudio": ("lib/libtorchaudio.pyd", "lib/_torchaudio.pyd", "_torchaudio*.pyd"),
    "xformers": ("_C*.pyd",),
    "triton-windows": ("_C/libtriton*.pyd",),
}

# torchcodec has a set of DLLs for each FFmpeg, tries the highest first, and needs one whole set. PATH is not
# searched (load_torchcodec_shared_libraries in its _core/ops.py).
_FFMPEG_SET = re.compile(r"libtorchcodec_\w+?(\d{1,2})\.(?:dll|pyd)", re.IGNORECASE)


def observe_bundled_runtimes(examined: Examined) -> BundledRuntimes:
    """Find the runtimes that wheels recorded under their plain names, and those in the prefix (conda's)."""
    runtimes: dict[str, BundledRuntime] = {}
    recorded_paths = _find_recorded_paths(examined.distributions)
    for path, owner in (*recorded_paths, *_list_prefix_paths(examined.interpreter.prefix)):
        key = os.path.normcase(path)
        if key not in runtimes and os.path.isfile(path):
            runtimes[key] = BundledRuntime(path.name.lower(), str(path), owner, read_version(path))
    return BundledRuntimes(tuple(runtimes.values()))


def _find_recorded_paths(distributions: Distributions) -> Iterator[tuple[Path, str]]:
    for folder in dict.fromkeys(Path(distribution.folder) for distribution in distributions.installed):
        try:
            names = sorted(name for name in os.listdir(folder) if name.endswith(".dist-info"))
        except OSError:
            continue
        for name in names:
            owner = " ".join(name.removesuffix(".dist-info").split("-"))
            for path in _read_runtime_paths(folder / name / "RECORD"):
                yield Path(os.path.normpath(folder / path)), owner


def _read_runtime_paths(record: Path) -> list[str]:
    try:
        data = read_bytes(record) if record.stat().st_size <= _RECORD_LIMIT_BYTES else b""
    except OSError:
        return []
    ends = [match.end() for match in _RECORDED_RUNTIME.finditer(data)]
    return [data[data.rfind(b"\n", 0, end) + 1 : end].decode("utf-8", "replace").strip('"') for end in ends]


def _list_prefix_paths(prefix: str) -> Iterator[tuple[Path, str | None]]:
    is_conda = os.path.isdir(os.path.join(prefix, "conda-meta"))
    for folder in (Path(prefix), Path(prefix, "Library", "bin")):
        for name in RUNTIMES:
            yield folder / name, "conda" if is_conda else None


def observe_dll_symbols(examined: Examined) -> DllSymbols | Absent:
    """Compare the names that torch's images import with the names that the loaded DLLs export.

    Compared are imports from torch's own small DLLs and from the Visual C++ runtime.
    """
    install = observe_torch_install(examined)
    if isinstance(install, Absent):
        return install
    if not examined.interpreter.is_for_windows:
        return Absent("this Python's torch has no Windows DLLs")
    if install.library_folder is None:
        return Absent(f"{install.package_folder} has no lib folder")
    folder = Path(install.library_folder)
    importers = sorted([*folder.glob("*.dll"), *Path(install.package_folder).glob("*.pyd")])
    search = find_torch_search(examined.interpreter, install)
    comparison = _SymbolComparison(search.seen_from(folder))
    for importer in importers:
        comparison.compare(importer)
    return comparison.result()


class _SymbolComparison:
    """Compares the imports of images with the exports of their suppliers, and collects the gaps."""

    def __init__(self, search: pe.SearchPath) -> None:
        self._search = search
        self._exports: dict[Path, frozenset[str] | None] = {}
        self._pairs = 0
        self._symbols = 0
        self._gaps: list[SymbolGap] = []
        self._skipped: set[str] = set()

    def compare(self, importer: Path) -> None:
        """Compare one image with each of its suppliers."""
        try:
            imports = pe.read_image(importer).imports
        except (pe.PeError, OSError):
            return
        for dll in imports:
            name = dll.dll.lower()
            supplier = None if pe.is_api_set(name) else self._search.locate(name)
            if supplier is None or (supplier.role is pe.Role.SYSTEM and not pe.is_vc_runtime(name)):
                continue
            if LARGE_SUPPLIERS.fullmatch(name) or pe.is_python_dll(name):
                self._skipped.add(name)
                continue
            self._compare_pair(importer, name, supplier.path)

    def _compare_pair(self, importer: Path, name: str, supplier: Path) -> None:
        exports = self._read_exports(supplier)
        if exports is None:
            return
        try:
            symbols = pe.read_import_symbols(importer, name)
        except (pe.PeError, OSError):
            return
        self._pairs += 1
        self._symbols += len(symbols)
        missing = [symbol for symbol in symbols if symbol not in exports]
        if missing:
            examples = tuple(missing[:_MAX_EXAMPLES])
            self._gaps.append(SymbolGap(importer.name, name, str(supplier), len(missing), examples))

    def _read_exports(self, supplier: Path) -> frozenset[str] | None:
        if supplier not in self._exports:
            try:
                self._exports[supplier] = pe.read_exports(supplier)
            except (pe.PeError, OSError):
                self._exports[supplier] = None
        return self._exports[supplier]

    def result(self) -> DllSymbols:
        """Return the numbers of compared pairs and symbols, the gaps, and the skipped suppliers."""
        return DllSymbols(self._pairs, self._symbols, tuple(self._gaps), tuple(sorted(self._skipped)))


def observe_companion_dlls(examined: Examined) -> CompanionDlls | Absent:
    """Follow the imports of the companions' extension modules, with torch's DLLs already loaded."""
    install, interpreter = observe_torch_install(examined), examined.interpreter
    if isinstance(install, Absent):
        return install
    if not interpreter.is_for_windows:
        return Absent("this Python's packages have no Windows DLLs")
    search = find_torch_search(interpreter, install)
    if install.library_folder:
        # A companion imports torch, which loads all DLLs of its folder. Windows prefers a loaded DLL with the
        # same base name to any file.
        search = search.seen_from(Path(install.library_folder))
    closures = []
    for companion in observe_companions(examined).installed:
        folder = Path(companion.folder)
        sets = [_find_modules(folder, REQUIRED_MODULES.get(companion.name, ()))]
        own_search = search
        if companion.name == "torchcodec":
            sets = _list_ffmpeg_sets(folder)
            own_search = _search_for_ffmpeg(search, folder, companion.version)
        if any(sets):
            closure = read_first_complete(folder, sets, own_search, interpreter.machine)
            closures.append(CompanionClosure(companion.name, companion.version, closure))
    return CompanionDlls(tuple(closures))


def read_first_complete(
    folder: Path, sets: Sequence[Sequence[Path]], search: pe.SearchPath, machine: str | None
) -> DllClosure:
    """Follow the imports of the first set of modules that lacks nothing, or else of all sets together."""
    for roots in sets:
        closure = read_closure(folder, roots, search, system_listed=True, expected_machine=machine)
        is_whole = not (closure.damaged or closure.foreign or any(not dll.delayed for dll in closure.missing))
        if is_whole or len(sets) == 1:
            return closure
    everything = [root for roots in sets for root in roots]
    return read_closure(folder, everything, search, system_listed=True, expected_machine=machine)


def _list_ffmpeg_sets(folder: Path) -> list[list[Path]]:
    """Return the DLLs of torchcodec for each FFmpeg, highest first."""
    sets: dict[int, list[Path]] = {}
    for path in _find_modules(folder, ("libtorchcodec_*",)):
        if found := _FFMPEG_SET.fullmatch(path.name):
            sets.setdefault(int(found[1]), []).append(path)
    return [sets[number] for number in sorted(sets, reverse=True)]


def _search_for_ffmpeg(search: pe.SearchPath, folder: Path, version: str) -> pe.SearchPath:
    """Return the search path of torchcodec's DLLs: its own folder, and that of `ffmpeg` in place of PATH."""
    folders = [each for each in search.folders if each.role is not pe.Role.PATH]
    program = shutil.which("ffmpeg")
    if program and looks_beside_ffmpeg(version):
        folders.append(pe.Folder(Path(program).parent, pe.Role.ADDED))
    return pe.SearchPath((pe.Folder(folder, pe.Role.DLL), *folders), listings=search.listings)


def _find_modules(folder: Path, patterns: Iterable[str]) -> list[Path]:
    return sorted({path for pattern in patterns for path in folder.glob(pattern)})
