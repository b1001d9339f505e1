"""A DLL that torch's DLLs need is in none of the folders that Windows searches."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.facts import Absent, CompanionDlls, DllClosure, MissingDll, TorchInstall
from torchdoctor.requirement import find_requirement

# Told by their own checks, which know more about them.
ELSEWHERE = frozenset({"vc-redist"})


@check
def dll_missing_dependency(
    closure: DllClosure, companions: CompanionDlls | Absent, torch: TorchInstall | Absent
) -> Iterator[Finding | Passed]:
    """Give the missing names, not the DLLs that failed to load because of them."""
    missing = [dll for dll in closure.missing if dll.supplier_key not in ELSEWHERE]
    for dll in missing:
        supplier = f"; it comes with {dll.supplier}" if dll.supplier else "; who supplies it is not known"
        yield Finding(
            f"{dll.name} is missing, needed by {' -> '.join(dll.chain[:-1])}{supplier}",
            evidence={
                "missing_dll": dll.name,
                "chain": list(dll.chain),
                "supplier": dll.supplier,
                "requirement": find_requirement(torch),
            },
            severity=_grade(dll, closure),
            step="torch" if dll.supplier_key == "torch" else "supplier",
        )
    if not missing:
        yield Passed(f"{len(closure.images)} DLLs, {closure.edges} imports: none is missing")
    if isinstance(companions, CompanionDlls):
        yield from _look_beside(closure, companions)


def _look_beside(closure: DllClosure, companions: CompanionDlls) -> Iterator[Finding | Passed]:
    """Tell what packages beside torch lack; what torch itself lacks was told already."""
    known = {dll.name for dll in closure.missing}
    for package in companions.packages:
        missing = [dll for dll in package.closure.missing if not dll.delayed and dll.name not in known]
        for dll in missing:
            supplier = f"; it comes with {dll.supplier}" if dll.supplier else ""
            yield Finding(
                f"{dll.name} is missing, needed by {package.package} {package.version}:"
                f" {' -> '.join(dll.chain[:-1])}{supplier}",
                evidence={"missing_dll": dll.name, "chain": list(dll.chain), "supplier": dll.supplier},
                # torch itself works without that package.
                severity=Severity.WARNING,
                step="torch" if dll.supplier_key == "torch" else "supplier",
            )
        if not missing:
            yield Passed(f"{package.package} {package.version}: no DLL is missing")


def _grade(dll: MissingDll, closure: DllClosure) -> Severity | None:
    if dll.delayed:
        return Severity.NOTE  # loaded at first use, and many are never used
    # Without a System32 to look into, only what the folder itself should hold is surely missing.
    return None if closure.system_listed or dll.supplier_key == "torch" else Severity.NOTE
