"""torch would get an msvcp140.dll that is too old for how its DLLs were compiled, and crash in it."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check, known
from torchdoctor.facts import DllClosure, DllImage, VcRuntime
from torchdoctor.versions import parse_release

# Since MSVC 14.40 std::mutex is constructed at compile time: such a binary locks a mutex that older
# runtimes have never initialised, and they read through a null pointer. A binary that still calls the
# old constructor imports it by name. https://github.com/microsoft/STL/issues/4730,
# https://github.com/pytorch/pytorch/pull/196987. 14.36 and older crash; 14.39 was seen to work.
CONSTRUCTOR = "_Mtx_init_in_situ"
LOCKS = frozenset({"_Mtx_lock", "_Mtx_trylock"})
FIRST_CONSTEXPR_LINKER = (14, 40)
SAFE_RUNTIME = (14, 40)
FIRST_TOLERANT_RUNTIME = (14, 38)


@check
def vc_redist_outdated(closure: DllClosure, runtime: VcRuntime) -> Iterator[Finding | Passed]:
    """Decide by imported symbols: the linker version alone would also blame builds that are safe."""
    file = runtime.find("msvcp140.dll")
    if file is None:
        raise Skip("no msvcp140.dll was found")
    version = known(file.version)
    affected = [image for image in closure.images if _locks_unconstructed(image)]
    if not affected:
        yield Passed(f"msvcp140.dll {version} is new enough: no DLL of torch needs 14.40")
    elif parse_release(version) >= SAFE_RUNTIME:
        yield Passed(f"msvcp140.dll {version} is new enough for MSVC 14.40 and later")
    else:
        is_tolerated = parse_release(version) >= FIRST_TOLERANT_RUNTIME
        names = ", ".join(image.name for image in affected)
        yield Finding(
            f"msvcp140.dll {version} in {file.path} is older than 14.40, and {names} "
            f"{'lock' if len(affected) > 1 else 'locks'} mutexes that it does not initialise",
            evidence={"path": file.path, "version": version, "images": [image.name for image in affected]},
            severity=Severity.WARNING if is_tolerated else None,
            step="redist" if "system32" in file.path.lower() else "copy",
        )


def _locks_unconstructed(image: DllImage) -> bool:
    symbols = set(image.runtime_symbols)
    is_new = tuple(image.linker_version) >= FIRST_CONSTEXPR_LINKER
    return is_new and bool(symbols & LOCKS) and CONSTRUCTOR not in symbols
