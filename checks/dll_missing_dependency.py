"""A DLL that torch's DLLs need is in none of the folders that Windows searches."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.facts import DllClosure, MissingDll

# Told by their own checks, which know more about them.
ELSEWHERE = frozenset({"vc-redist"})


@check
def dll_missing_dependency(closure: DllClosure) -> Iterator[Finding | Passed]:
    """Give the missing names, not the DLLs that failed to load because of them."""
    missing = [dll for dll in closure.missing if dll.supplier_key not in ELSEWHERE]
    for dll in missing:
        supplier = f"; it comes with {dll.supplier}" if dll.supplier else "; who supplies it is not known"
        yield Finding(
            f"{dll.name} is missing, needed by {' -> '.join(dll.chain[:-1])}{supplier}",
            evidence={"missing_dll": dll.name, "chain": list(dll.chain), "supplier": dll.supplier},
            severity=_grade(dll, closure),
            step="torch" if dll.supplier_key == "torch" else "supplier",
        )
    if not missing:
        yield Passed(f"{len(closure.images)} DLLs, {closure.edges} imports: none is missing")


def _grade(dll: MissingDll, closure: DllClosure) -> Severity | None:
    if dll.delayed:
        return Severity.NOTE  # loaded at first use, and many are never used
    # Without a System32 to look into, only what the folder itself should hold is surely missing.
    return None if closure.system_listed or dll.supplier_key == "torch" else Severity.NOTE
