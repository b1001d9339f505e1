"""Paths of torch's files are longer than Windows allows for programs, unless long paths are switched on."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.facts import Absent, Interpreter, PathSettings, TorchInstall, TorchRecord

# MAX_PATH counts the zero at the end (learn.microsoft.com/windows/win32/fileio/maximum-file-path-limitation).
LIMIT = 259
# The longest member of the wheel of torch 2.13.0 has 167 characters, of 2.15.0 126, of 2.8.0 and 2.9.0 119.
LONGEST_MEMBER = 126
LONGEST_MEMBER_OF = "2.15.0"
SITE_PACKAGES = r"\Lib\site-packages"


@check
def long_path(
    settings: PathSettings,
    interpreter: Interpreter,
    torch: TorchInstall | Absent,
    record: TorchRecord | Absent,
) -> Iterator[Finding | Passed]:
    """An installed torch shows its own longest path; without one, the newest wheel known stands for it."""
    is_enabled = known(settings.long_paths_enabled)
    if is_enabled:
        yield Passed("long paths are switched on")
        return
    if isinstance(record, TorchRecord) and record.longest_path:
        folder, member, of = record.folder, len(record.longest_path), record.version
    else:
        folder, member, of = interpreter.prefix + SITE_PACKAGES, LONGEST_MEMBER, LONGEST_MEMBER_OF
    length = len(folder) + 1 + member
    evidence = {"path": folder, "length": length}
    if length <= LIMIT:
        yield Passed(f"the longest path of torch {of} has {length} of {LIMIT} characters in {folder}")
    elif isinstance(torch, TorchInstall):
        # It got there, so its own files are no problem now; an upgrade by pip will be.
        yield Finding(
            f"a file of torch {of} has a path of {length} characters in {folder}; without long paths {LIMIT}"
            " are allowed",
            evidence=evidence,
            severity=Severity.NOTE,
        )
    else:
        yield Finding(
            f"torch {of} would have a path of {length} characters in {folder}; without long paths {LIMIT}"
            " are allowed",
            evidence=evidence,
            severity=Severity.WARNING,
        )
