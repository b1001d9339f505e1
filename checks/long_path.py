"""Paths of torch's files are longer than Windows allows without long path support."""

from collections.abc import Iterator

from torchdoctor.check import Finding, Passed, Severity, check, known
from torchdoctor.domain.store import find_user_packages
from torchdoctor.facts import Absent, Interpreter, PathSettings, TorchInstall, TorchRecord

# MAX_PATH, less its terminating null (learn.microsoft.com/windows/win32/fileio/maximum-file-path-limitation).
LIMIT = 259
# The longest member of torch's wheel has 167 characters in 2.13.0, 126 in 2.15.0, 119 in 2.8.0 and 2.9.0.
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
    """Measure the longest path of the installed torch, or of the newest known wheel if there is none."""
    if known(settings.long_paths_enabled):
        yield Passed("long paths are switched on")
        return
    if isinstance(record, TorchRecord) and record.longest_path:
        folder, member_length, version = record.folder, len(record.longest_path), record.version
    else:
        folder = find_user_packages(interpreter) or interpreter.prefix + SITE_PACKAGES
        member_length, version = LONGEST_MEMBER, LONGEST_MEMBER_OF
    length = len(folder) + 1 + member_length
    evidence = {"path": folder, "length": length}
    if length <= LIMIT:
        yield Passed(f"the longest path of torch {version} has {length} of {LIMIT} characters in {folder}")
    elif isinstance(torch, TorchInstall):
        # The files of this torch are in place; the problem comes when pip upgrades it.
        yield Finding(
            f"a file of torch {version} has a path of {length} characters in {folder}; without long paths"
            f" {LIMIT} are allowed",
            evidence=evidence,
            severity=Severity.NOTE,
        )
    else:
        yield Finding(
            f"torch {version} would have a path of {length} characters in {folder}; without long paths"
            f" {LIMIT} are allowed",
            evidence=evidence,
            severity=Severity.WARNING,
        )
