"""Observes runtime DLLs that packages bring along, and whether DLLs export what others import."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from torchdoctor import pe
from torchdoctor.facts import (
    Absent,
    BundledRuntime,
    BundledRuntimes,
    CompanionClosure,
    CompanionDlls,
    Distributions,
    DllSymbols,
    SymbolGap,
    TorchInstall,
)
from torchdoctor.probes.dlls import find_torch_search, read_closure, read_version
from torchdoctor.probes.examined import Examined
from torchdoctor.probes.packages import observe_companions
from torchdoctor.probes.torch import observe_torch_install

RUNTIMES = ("libiomp5md.dll", "libomp140.x86_64.dll", "msvcp140.dll")
_NAMES = re.compile(rb"/(?:libiomp5md|libomp140\.x86_64|msvcp140)\.dll(?=[\",])", re.IGNORECASE)
_RECORD_LIMIT_BYTES = 16 << 20

# Reading the exports of torch_cpu.dll takes a quarter of a second, those of torch_cuda.dll longer.
LARGE_SUPPLIERS = re.compile(
    r"(?:torch_(?:cpu|cuda|python|xpu)\w*|dnnl|mkl_\w+|cu\w+64_\w+)\.dll", re.IGNORECASE
)
_EXAMPLES = 5

# The extension modules that a package loads in any case. Others are alternatives, of which one is enough:
# torchcodec and torchaudio carry one for each FFmpeg, bitsandbytes one for each CUDA.
MODULES = {
    "torchvision": ("_C*.pyd",),
    "torchaudio": ("lib/libtorchaudio.pyd", "lib/_torchaudio.pyd", "_torchaudio*.pyd"),
    "xformers": ("_C*.pyd",),
    "triton-windows": ("_C/libtriton*.pyd",),
}


def observe_bundled_runtimes(examined: Examined) -> BundledRuntimes:
    """Find the runtimes that wheels recorded under their plain name, and those of conda."""
    found: dict[str, BundledRuntime] = {}
    recorded = _find_recorded(examined.distributions)
    for path, owner in (*recorded, *_find_in_prefix(examined.interpreter.prefix)):
        key = os.path.normcase(path)
        if key not in found and path.is_file():
            found[key] = BundledRuntime(path.name.lower(), str(path), owner, read_version(path))
    return BundledRuntimes(tuple(found.values()))


def _find_recorded(distributions: Distributions) -> Iterator[tuple[Path, str]]:
    for folder in dict.fromkeys(Path(distribution.folder) for distribution in distributions.installed):
        try:
            names = sorted(name for name in os.listdir(folder) if name.endswith(".dist-info"))
        except OSError:
            continue
        for name in names:
            owner = " ".join(name.removesuffix(".dist-info").split("-"))
            for member in _find_members(folder / name / "RECORD"):
                yield Path(os.path.normpath(folder / member)), owner


def _find_members(record: Path) -> list[str]:
    try:
        data = record.read_bytes() if record.stat().st_size <= _RECORD_LIMIT_BYTES else b""
    except OSError:
        return []
    ends = [match.end() for match in _NAMES.finditer(data)]
    return [data[data.rfind(b"\n", 0, end) + 1 : end].decode("utf-8", "replace").strip('"') for end in ends]


def _find_in_prefix(prefix: str) -> Iterator[tuple[Path, str | None]]:
    is_conda = os.path.isdir(os.path.join(prefix, "conda-meta"))
    for folder in (Path(prefix), Path(prefix, "Library", "bin")):
        for name in RUNTIMES:
            yield folder / name, "conda" if is_conda else None


def observe_dll_symbols(examined: Examined) -> DllSymbols | Absent:
    """Compare what torch's images import with what the DLLs export that the loader would take.

    Suppliers are torch's own small DLLs and the Visual C++ runtime.
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
    comparison = _Comparison(search.seen_from(folder))
    for importer in importers:
        comparison.compare(importer)
    return comparison.result()


class _Comparison:
    """The exports that were read so far, and what was found missing in them."""

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
            found = None if pe.is_api_set(name) else self._search.locate(name)
            if found is None or (found.role is pe.Role.SYSTEM and not pe.is_vc_runtime(name)):
                continue
            if LARGE_SUPPLIERS.fullmatch(name) or pe.is_python_dll(name):
                self._skipped.add(name)
                continue
            self._compare_pair(importer, name, found.path)

    def _compare_pair(self, importer: Path, name: str, supplier: Path) -> None:
        exports = self._read_exports(supplier)
        try:
            symbols = pe.read_import_symbols(importer, name)
        except (pe.PeError, OSError):
            return
        if exports is None:
            return
        self._pairs += 1
        self._symbols += len(symbols)
        lacking = [symbol for symbol in symbols if symbol not in exports]
        if lacking:
            gap = SymbolGap(importer.name, name, str(supplier), len(lacking), tuple(lacking[:_EXAMPLES]))
            self._gaps.append(gap)

    def _read_exports(self, supplier: Path) -> frozenset[str] | None:
        if supplier not in self._exports:
            try:
                self._exports[supplier] = pe.read_exports(supplier)
            except (pe.PeError, OSError):
                self._exports[supplier] = None
        return self._exports[supplier]

    def result(self) -> DllSymbols:
        """Give what was compared and what was missing."""
        return DllSymbols(self._pairs, self._symbols, tuple(self._gaps), tuple(sorted(self._skipped)))


def observe_companion_dlls(examined: Examined) -> CompanionDlls | Absent:
    """Follow the imports of the extension modules of the packages beside torch; torch's DLLs are loaded."""
    install, interpreter = observe_torch_install(examined), examined.interpreter
    if isinstance(install, Absent):
        return install
    if not interpreter.is_for_windows:
        return Absent("this Python's packages have no Windows DLLs")
    search = _with_torch(find_torch_search(interpreter, install), install)
    closures = []
    for companion in observe_companions(examined).installed:
        folder = Path(companion.folder)
        roots = _find_modules(folder, MODULES.get(companion.name, ()))
        if roots:
            closure = read_closure(
                folder, roots, search, system_listed=True, expected_machine=interpreter.machine
            )
            closures.append(CompanionClosure(companion.name, companion.version, closure))
    return CompanionDlls(tuple(closures))


def _find_modules(folder: Path, patterns: Iterable[str]) -> list[Path]:
    return sorted({path for pattern in patterns for path in folder.glob(pattern)})


def _with_torch(search: pe.SearchPath, install: TorchInstall) -> pe.SearchPath:
    # Imported by a companion, torch has loaded all DLLs of its folder: they win by their base name.
    return search.seen_from(Path(install.library_folder)) if install.library_folder else search
