"""A DLL of torch imports functions that the DLL it would get does not have: two versions are mixed."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Skip, check
from torchdoctor.domain.requirements import find_requirement
from torchdoctor.domain.windows_paths import is_below
from torchdoctor.facts import Absent, DllSymbols, TorchInstall

# The DLLs of the Visual C++ runtime.
RUNTIME = ("msvcp140", "vcruntime140", "concrt140")


@check
def dll_procedure_not_found(symbols: DllSymbols, torch: TorchInstall | Absent) -> Iterator[Finding | Passed]:
    """One finding for each supplier: which importer fails first is a matter of chance."""
    suppliers = dict.fromkeys((gap.supplier, gap.supplier_path) for gap in symbols.gaps)
    for supplier, path in suppliers:
        gaps = [gap for gap in symbols.gaps if gap.supplier_path == path]
        importers = ", ".join(gap.importer for gap in gaps)
        count = max(gap.count for gap in gaps)
        functions = "1 function" if count == 1 else f"{count} functions"
        yield Finding(
            f"{path} lacks {functions} that {importers} {'import' if len(gaps) > 1 else 'imports'},"
            f" such as {_shorten(next((symbol for gap in gaps for symbol in gap.symbols), 'one by number'))}",
            evidence={
                "dll": supplier,
                "path": path,
                "importers": [gap.importer for gap in gaps],
                "symbols": [symbol for gap in gaps for symbol in gap.symbols],
                "requirement": find_requirement(torch),
            },
            step=_choose_step(torch, supplier, path),
        )
    if not symbols.pairs:
        raise Skip("no pair of DLLs could be compared")
    if not suppliers:
        yield Passed(
            f"{symbols.symbols} imported functions in {symbols.pairs} pairs of DLLs: each one is there"
        )


def _choose_step(torch: TorchInstall | Absent, supplier: str, path: str) -> str:
    if supplier.lower().startswith(RUNTIME):
        return "runtime"
    is_torchs = isinstance(torch, TorchInstall) and is_below(path, torch.package_folder)
    return "restore" if is_torchs else "path"


def _shorten(symbol: str) -> str:
    # Decorated C++ names run to thousands of characters.
    return symbol if len(symbol) <= 60 else symbol[:57] + "..."
