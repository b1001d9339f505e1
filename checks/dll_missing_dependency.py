"""A DLL that torch needs is not in any folder that Windows searches."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.domain.releases import find_unshipped_dlls, is_rocm_build
from torchdoctor.facts import Absent, CompanionClosure, CompanionDlls, DllClosure, MissingDll, TorchInstall
from torchdoctor.pe import find_supplier

# Suppliers whose missing DLLs another check reports in more detail.
REPORTED_ELSEWHERE = frozenset({"vc-redist"})
# torchcodec-ffmpeg-missing reports those of torchcodec, which tries several FFmpeg and needs one.
FFMPEG_OF_TORCHCODEC = ("torchcodec", "ffmpeg")
# https://github.com/ROCm/TheRock/pull/1520; it was lost again for a time:
# https://github.com/pytorch/pytorch/pull/191629
ROCM_BRINGS_IT = (
    ", or a newer torch from where this one is from: since September 2025 most builds for ROCm bring it"
)
# DLLs that only the CUDA builds of torch have.
CUDA_BUILD_DLLS = frozenset({"torch_cuda.dll", "c10_cuda.dll"})


@check
def dll_missing_dependency(
    closure: DllClosure, companions: CompanionDlls | Absent, torch: TorchInstall | Absent
) -> Iterator[Finding | Passed]:
    """Report the missing DLLs, not the DLLs that cannot be loaded without them."""
    version = torch.version if isinstance(torch, TorchInstall) else ""
    unshipped = find_unshipped_dlls(version) if isinstance(version, str) else ()
    missing = [
        dll
        for dll in closure.missing
        if dll.supplier_key not in REPORTED_ELSEWHERE and dll.name not in unshipped
    ]
    for dll in missing:
        supplier = f"; it comes with {dll.supplier}" if dll.supplier else "; its supplier is not known"
        yield Finding(
            f"{dll.name} is missing, needed by {' -> '.join(dll.chain[:-1])}{supplier}",
            evidence={
                "missing_dll": dll.name,
                "chain": list(dll.chain),
                "supplier": dll.supplier,
                **_name_source(dll, version),
            },
            severity=_choose_severity(dll, closure),
            step=_choose_step(dll),
        )
    if not missing and (closure.images or not closure.damaged):
        others = ", ".join(dll.name for dll in closure.missing)
        besides = f" besides {others}, which another check reports" if others else ""
        count = len(closure.damaged)
        unread = f"; {count} file{'s' * (count > 1)} could not be read" if count else ""
        yield Passed(f"{len(closure.images)} DLLs, {closure.edges} imports: none is missing{besides}{unread}")
    if isinstance(companions, CompanionDlls):
        yield from _find_missing_in_companions(closure, companions, torch)


def _find_missing_in_companions(
    closure: DllClosure, companions: CompanionDlls, torch: TorchInstall | Absent
) -> Iterator[Finding | Passed]:
    """Report DLLs that packages beside torch lack, except those that torch lacks as well."""
    reported_names = {dll.name for dll in closure.missing}
    is_cpu_build = isinstance(torch, TorchInstall) and torch.cuda is None
    for package in companions.packages:
        missing = [
            dll for dll in package.closure.missing if not dll.delayed and dll.name not in reported_names
        ]
        others = [dll for dll in missing if (package.package, _find_key(dll)) == FFMPEG_OF_TORCHCODEC]
        missing = [dll for dll in missing if dll not in others]
        cuda_dlls = [dll for dll in missing if is_cpu_build and _is_cuda_dll(dll)]
        if cuda_dlls:
            yield _describe_cuda_build(package, cuda_dlls)
            missing = [dll for dll in missing if dll not in cuda_dlls]
            reported_names |= {dll.name for dll in cuda_dlls}
        for dll in missing:
            supplier = f"; it comes with {dll.supplier}" if dll.supplier else ""
            yield Finding(
                f"{dll.name} is missing, needed by {package.package} {package.version}:"
                f" {' -> '.join(dll.chain[:-1])}{supplier}",
                evidence={
                    "missing_dll": dll.name,
                    "chain": list(dll.chain),
                    "supplier": dll.supplier,
                    **_name_source(dll),
                },
                # torch itself works without the package.
                severity=Severity.WARNING,
                step=_choose_step(dll),
            )
        if not missing and not cuda_dlls:
            besides = " besides those of FFmpeg, which another check looks at" if others else ""
            yield Passed(f"{package.package} {package.version}: no DLL is missing{besides}")


def _find_key(dll: MissingDll) -> str | None:
    supplier = find_supplier(dll.name)
    return supplier.key if supplier else None


def _choose_step(dll: MissingDll) -> str:
    if dll.supplier_key == "torch":
        return "torch"
    if _name_source(dll):
        return "source"
    return "supplier" if dll.supplier else "unknown"


def _name_source(dll: MissingDll, torch: str | Absent = "") -> dict[str, str]:
    """Return where a person gets the DLL, if that is known."""
    supplier = find_supplier(dll.name)
    if supplier is None or not supplier.source:
        return {}
    is_of_rocm = isinstance(torch, str) and is_rocm_build(torch)
    newer = ROCM_BRINGS_IT if is_of_rocm and supplier.key == "vs-openmp" else ""
    return {"source": f"{supplier.source}{newer}"}


def _is_cuda_dll(dll: MissingDll) -> bool:
    return dll.supplier_key == "cuda" or dll.name in CUDA_BUILD_DLLS


def _describe_cuda_build(package: CompanionClosure, missing: list[MissingDll]) -> Finding:
    names = sorted(dll.name for dll in missing)
    release = package.version.partition("+")[0]
    # On Windows the default index has CPU builds of PyTorch's own packages, but not of other packages.
    is_pytorch_package = package.package in ("torchvision", "torchaudio")
    return Finding(
        f"{package.package} {package.version} is built for CUDA, and this torch is not: it needs"
        f" {', '.join(names)}",
        evidence={
            "missing": names,
            "package": package.package,
            "arguments": f"install --force-reinstall --no-deps {package.package}=={release}"
            if is_pytorch_package
            else f"uninstall -y {package.package}",
        },
        severity=Severity.WARNING,  # torch itself works without the package
        step="build",
    )


def _choose_severity(dll: MissingDll, closure: DllClosure) -> Severity | None:
    if dll.delayed:
        return Severity.NOTE  # loaded at first use; many are never used
    # Without a System32 to search, only a DLL that torch itself should bring is certainly missing.
    return None if closure.system_listed or dll.supplier_key == "torch" else Severity.NOTE
