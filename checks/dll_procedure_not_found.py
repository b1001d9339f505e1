"""A DLL of torch imports functions that are missing in the DLL found for it: two versions are mixed."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Skip, check
from torchdoctor.domain.windows_paths import is_below
from torchdoctor.facts import Absent, DllSymbols, TorchInstall

# The DLLs of the Visual C++ runtime, by the start of their names.
RUNTIME_PREFIXES = ("msvcp140", "vcruntime140", "concrt140")


@check
def dll_procedure_not_found(symbols: DllSymbols, torch: TorchInstall | Absent) -> Iterator[Finding | Passed]:
    """Report one finding for each DLL that lacks functions: which importer fails first is chance."""
    suppliers = dict.fromkeys((gap.supplier, gap.supplier_path) for gap in symbols.gaps)
    for supplier, path in suppliers:
        gaps = [gap for gap in symbols.gaps if gap.supplier_path == path]
        importers = ", ".join(gap.importer for gap in gaps)
        count = max(gap.count for gap in gaps)
        functions = "1 function" if count == 1 else f"{count} functions"
        verb = "import" if len(gaps) > 1 else "imports"
        example = next((symbol for gap in gaps for symbol in gap.symbols), "one by number")
        yield Finding(
            f"{path} lacks {functions} that {importers} {verb}, such as {_shorten(example)}",
            evidence={
                "dll": supplier,
                "path": path,
                "importers": [gap.importer for gap in gaps],
                "symbols": [symbol for gap in gaps for symbol in gap.symbols],
            },
            step=_choose_step(torch, supplier, path),
        )
    if not symbols.pairs:
        raise Skip("no pair of DLLs could be compared")
    if not suppliers:
        yield Passed(
            f"all {symbols.symbols} imported functions were found (in {symbols.pairs} pairs of DLLs)"
        )


def _choose_step(torch: TorchInstall | Absent, supplier: str, path: str) -> str:
    if supplier.lower().startswith(RUNTIME_PREFIXES):
        return "runtime"
    is_torch_file = isinstance(torch, TorchInstall) and is_below(path, torch.package_folder)
    return "restore" if is_torch_file else "path"


def _shorten(symbol: str) -> str:
    # Decorated C++ names can have thousands of characters.
    return symbol if len(symbol) <= 60 else symbol[:57] + "..."
