"""A DLL that torch's DLLs need is in none of the folders that Windows searches."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.requirements import find_requirement
from torchdoctor.facts import Absent, CompanionClosure, CompanionDlls, DllClosure, MissingDll, TorchInstall

# Told by their own checks, which know more about them.
ELSEWHERE = frozenset({"vc-redist"})
# DLLs of torch that only its CUDA builds have.
CUDA_PARTS = frozenset({"torch_cuda.dll", "c10_cuda.dll"})


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
        yield from _look_beside(closure, companions, torch)


def _look_beside(
    closure: DllClosure, companions: CompanionDlls, torch: TorchInstall | Absent
) -> Iterator[Finding | Passed]:
    """Tell what packages beside torch lack; what torch itself lacks was told already."""
    known = {dll.name for dll in closure.missing}
    lacks_cuda = isinstance(torch, TorchInstall) and torch.cuda is None
    for package in companions.packages:
        missing = [dll for dll in package.closure.missing if not dll.delayed and dll.name not in known]
        of_cuda = [dll for dll in missing if lacks_cuda and _is_of_cuda(dll)]
        if of_cuda:
            yield _describe_cuda_build(package, of_cuda)
            missing = [dll for dll in missing if dll not in of_cuda]
            known |= {dll.name for dll in of_cuda}
        for dll in missing:
            supplier = f"; it comes with {dll.supplier}" if dll.supplier else ""
            yield Finding(
                f"{dll.name} is missing, needed by {package.package} {package.version}:"
                f" {' -> '.join(dll.chain[:-1])}{supplier}",
                evidence={
                    "missing_dll": dll.name,
                    "chain": list(dll.chain),
                    "supplier": dll.supplier,
                    "requirement": find_requirement(torch),
                },
                # torch itself works without that package.
                severity=Severity.WARNING,
                step="torch" if dll.supplier_key == "torch" else "supplier",
            )
        if not missing and not of_cuda:
            yield Passed(f"{package.package} {package.version}: no DLL is missing")


def _is_of_cuda(dll: MissingDll) -> bool:
    return dll.supplier_key == "cuda" or dll.name in CUDA_PARTS


def _describe_cuda_build(package: CompanionClosure, missing: list[MissingDll]) -> Finding:
    names = sorted(dll.name for dll in missing)
    release = package.version.partition("+")[0]
    # On Windows the package index has the builds for the CPU of torch's own packages, and of no other.
    is_torchs = package.package in ("torchvision", "torchaudio")
    return Finding(
        f"{package.package} {package.version} is built for CUDA, and this torch is not: it needs"
        f" {', '.join(names)}",
        evidence={
            "missing": names,
            "package": package.package,
            "arguments": f"install --force-reinstall --no-deps {package.package}=={release}"
            if is_torchs
            else f"uninstall -y {package.package}",
        },
        severity=Severity.WARNING,  # torch itself works without that package
        step="build",
    )


def _grade(dll: MissingDll, closure: DllClosure) -> Severity | None:
    if dll.delayed:
        return Severity.NOTE  # loaded at first use, and many are never used
    # Without a System32 to look into, only what the folder itself should hold is surely missing.
    return None if closure.system_listed or dll.supplier_key == "torch" else Severity.NOTE
