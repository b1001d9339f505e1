"""A package has an old msvcp140.dll, and torch crashes if that package is imported first."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, Skip, check
from torchdoctor.domain.mutexes import FIRST_TOLERANT_RUNTIME, SAFE_RUNTIME, find_affected
from torchdoctor.domain.versions import parse_release
from torchdoctor.domain.windows_paths import normalise
from torchdoctor.facts import Absent, BundledRuntime, BundledRuntimes, DllClosure


@check
def vc_redist_shadowed(closure: DllClosure, runtimes: BundledRuntimes) -> Iterator[Finding | Passed]:
    """Report old copies: a process keeps the first msvcp140.dll that it loads.

    Copies under other names do no harm.
    """
    affected = find_affected(closure.images)
    # vc-redist-outdated judges the copy on torch's own search path.
    searched_folders = {normalise(folder.path) for folder in closure.search}
    copies = [
        copy
        for copy in runtimes.find_all("msvcp140.dll")
        if copy.owner and normalise(copy.path).rpartition("\\")[0] not in searched_folders
    ]
    old_copies = [copy for copy in copies if _find_release(copy) < SAFE_RUNTIME]
    if not affected:
        yield Passed("no DLL of torch needs msvcp140.dll 14.40; copies in packages do no harm")
        return
    for copy in old_copies:
        is_tolerated = _find_release(copy) >= FIRST_TOLERANT_RUNTIME
        yield Finding(
            f"{copy.owner} brings msvcp140.dll {copy.version}, and {affected[0].name} needs 14.40:"
            " torch gets the old one if that package is loaded first",
            evidence={"path": copy.path, "version": str(copy.version), "owner": copy.owner},
            severity=Severity.NOTE if is_tolerated else None,
        )
    unreadable_paths = [copy.path for copy in copies if isinstance(copy.version, Absent)]
    if not old_copies and unreadable_paths:
        raise Skip(f"the version of {unreadable_paths[0]} could not be read")
    if not old_copies:
        yield Passed(f"{_count(copies)} of msvcp140.dll in packages, none older than 14.40")


def _find_release(copy: BundledRuntime) -> tuple[int, ...]:
    # A copy with an unreadable version is not reported.
    return SAFE_RUNTIME if isinstance(copy.version, Absent) else parse_release(copy.version)


def _count(copies: list[BundledRuntime]) -> str:
    return "1 copy" if len(copies) == 1 else f"{len(copies)} copies"
