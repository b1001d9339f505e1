"""DLLs of the Visual C++ runtime that torch needs are not in any folder that Windows searches."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check
from torchdoctor.facts import Absent, DllClosure, VcRuntime

SUPPLIER_KEY = "vc-redist"


@check
def vc_redist_missing(closure: DllClosure, runtime: VcRuntime) -> Iterator[Finding | Passed]:
    """Compare the imports of torch's DLLs with what is found; torch's own check looks for three DLLs only."""
    missing = [dll for dll in closure.missing if dll.supplier_key == SUPPLIER_KEY]
    if missing:
        first = missing[0]
        names = [dll.name for dll in missing]
        are, come = ("is", "it comes") if len(names) == 1 else ("are", "they come")
        yield Finding(
            f"{', '.join(names)} {are} missing, needed by {' -> '.join(first.chain[:-1])};"
            f" {come} with {first.supplier}{_describe_present_dll(runtime)}",
            evidence={
                "missing_dll": first.name,
                "missing": names,
                "chain": list(first.chain),
                "supplier": first.supplier,
            },
            # Without a System32 to search, the machine may still have the DLLs.
            severity=None if closure.system_listed else Severity.NOTE,
        )
    if not missing and runtime.files:
        yield Passed(f"the Visual C++ runtime is complete{_describe_present_dll(runtime)}")


def _describe_present_dll(runtime: VcRuntime) -> str:
    present = runtime.find("msvcp140.dll") or runtime.find("vcruntime140.dll")
    if present is None or isinstance(present.version, Absent):
        return ""
    return f" ({present.name} {present.version} is in {present.path})"
