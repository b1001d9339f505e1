"""torch would load an msvcp140.dll that is too old for its DLLs, and crash."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.domain.mutexes import FIRST_TOLERANT_RUNTIME, SAFE_RUNTIME, find_affected
from torchdoctor.domain.versions import VersionError, parse_release
from torchdoctor.facts import DllClosure, VcRuntime


@check
def vc_redist_outdated(closure: DllClosure, runtime: VcRuntime) -> Iterator[Finding | Passed]:
    """Decide by the imported symbols: the linker version alone would also report builds that are safe."""
    file = runtime.find("msvcp140.dll")
    if file is None:
        raise Skip("no msvcp140.dll was found")
    version = known(file.version)
    affected = find_affected(closure.images)
    try:
        release = parse_release(version)
    except VersionError as error:
        raise Skip(f"the version {version!r} of {file.path} cannot be read") from error
    if not affected:
        yield Passed(f"msvcp140.dll {version} is new enough: no DLL of torch needs 14.40")
    elif release >= SAFE_RUNTIME:
        yield Passed(f"msvcp140.dll {version} is new enough for MSVC 14.40 and later")
    else:
        is_tolerated = release >= FIRST_TOLERANT_RUNTIME
        names = ", ".join(image.name for image in affected)
        yield Finding(
            f"msvcp140.dll {version} in {file.path} is older than 14.40, and {names} "
            f"{'lock' if len(affected) > 1 else 'locks'} mutexes that it does not initialise",
            evidence={"copy": file.path, "version": version, "images": [image.name for image in affected]},
            severity=Severity.WARNING if is_tolerated else None,
            step="redist" if "system32" in file.path.lower() else "copy",
        )
