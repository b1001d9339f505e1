"""The findings that a project knows already: `--baseline` leaves them out, so that only new ones fail."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from torchdoctor.check import Finding
from torchdoctor.core.files import read_bytes
from torchdoctor.core.record import record
from torchdoctor.core.usage import UsageError
from torchdoctor.engine.runner import Outcome
from torchdoctor.redaction.paths.given_files import end_like, ends_alike

if TYPE_CHECKING:
    from torchdoctor.redaction.redaction import Identity

SCHEMA_VERSION = 1
_KEYS = {"schema_version", "torchdoctor", "findings"}
_MOST_FINDINGS = 1 << 31
# The figures that change from run to run: sizes, times and shares. Other numbers tell findings apart.
_FIGURES = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?= ?(?:[KMG]i?B|kB|bytes|ms|s|min|h)\b| ?%)")
_OTHER_LINES = re.compile(r" \(also in lines? [\d, ]+\)")


@record
class KnownFinding:
    """What makes a finding the same one in another run: the check, the path, and what was seen.

    `path` is relative to the folder of the baseline, "" for the environment. In `message` sizes, times and
    shares are "#", because they change from run to run; the names of the machine are taken out. Lines are
    left out, so that code can move.
    """

    check: str
    path: str
    message: str


class Baseline:
    """The known findings of a file, how often each occurs, and what was found of them in this run."""

    def __init__(
        self,
        file: Path,
        known: Mapping[KnownFinding, int],
        identity: "Identity",
        *,
        is_rewritten: bool = False,
    ) -> None:
        self.file = file
        # A link to the folder is another name of the same one.
        self._folder = os.path.dirname(os.path.realpath(file))
        self._known = Counter(known)
        self._identity = identity
        self._is_rewritten = is_rewritten
        self._found: Counter[KnownFinding] = Counter()

    def renew(self) -> "Baseline":
        """Return the same baseline for another report, of which nothing was found yet."""
        return Baseline(self.file, self._known, self._identity, is_rewritten=self._is_rewritten)

    def leave_out_known(self, outcome: Outcome) -> Outcome:
        """Return the outcome without the findings that are known; each is known as often as it was written.

        If the baseline is written anew, every finding is known.
        """
        kept = tuple(finding for finding in outcome.findings if not self._is_known(finding, outcome.name))
        return replace_findings(outcome, kept, known=len(outcome.findings) - len(kept))

    def _is_known(self, finding: Finding, check: str) -> bool:
        key = self._identify(finding, check)
        self._found[key] += 1
        return self._is_rewritten or self._found[key] <= self._known[key]

    def _identify(self, finding: Finding, check: str) -> KnownFinding:
        path = "" if finding.location is None else self._name(finding.location.path)
        message = _share_printed(_leave_out_named_parts(self._identity.redact(finding.message)), finding)
        message = _FIGURES.sub("#", _OTHER_LINES.sub("", message))
        return KnownFinding(check, path, message)

    def _name(self, path: str) -> str:
        absolute = os.path.realpath(path)
        try:
            relative = os.path.relpath(absolute, self._folder)
        except ValueError:
            # Another drive of Windows.
            return self._identity.redact(absolute).replace("\\", "/")
        shown = self._identity.redact(absolute)
        if not ends_alike(shown, relative):
            relative = end_like(shown, relative)
        return relative.replace("\\", "/")

    def list_gone(
        self, outcomes: Iterable[Outcome], paths: Sequence[Path], unread: Iterable[str] = ()
    ) -> tuple[KnownFinding, ...]:
        """Return the known findings that were looked for, and occur less often than they were written.

        `unread` are the files below the paths that could not be read.
        """
        examined = _Examined(self, outcomes, paths, unread)
        gone = self._known - self._found
        return tuple(sorted((key for key in gone if examined.covers(key)), key=_order))

    def write(
        self, outcomes: Iterable[Outcome], paths: Sequence[Path], version: str, unread: Iterable[str] = ()
    ) -> str:
        """Return the JSON of the baseline: what was found, and what was known and not looked for."""
        examined = _Examined(self, outcomes, paths, unread)
        kept = {key: count for key, count in self._known.items() if not examined.covers(key)}
        counts = {**kept, **self._found}
        data = {
            "schema_version": SCHEMA_VERSION,
            "torchdoctor": version,
            "findings": [
                {"check": key.check, "path": key.path or None, "message": key.message, "count": counts[key]}
                for key in sorted(counts, key=_order)
            ],
        }
        return json.dumps(data, indent=1, ensure_ascii=True) + "\n"

    @property
    def found_count(self) -> int:
        """How many findings this run had, known ones included."""
        return self._found.total()


class _Examined:
    """What a run looked at: the checks that ran, and the training code."""

    def __init__(
        self, baseline: Baseline, outcomes: Iterable[Outcome], paths: Sequence[Path], unread: Iterable[str]
    ) -> None:
        outcomes = tuple(outcomes)
        self._unread = {
            baseline._name(path) for path in (*unread, *(each for one in outcomes for each in one.unread))
        }
        self._checks = {outcome.name for outcome in outcomes if outcome.status in ("passed", "failed")}
        self._folder = baseline._folder
        self._paths = [Path(os.path.realpath(path)) for path in paths]

    def covers(self, key: KnownFinding) -> bool:
        """Return whether a known finding was looked for."""
        if key.check not in self._checks:
            return False
        if not key.path or key.path in self._unread:
            return not key.path
        file = Path(os.path.normpath(os.path.join(self._folder, key.path)))
        return any(file.is_relative_to(path) for path in self._paths)


def read_baseline(file: Path, identity: "Identity", *, is_rewritten: bool = False) -> Baseline:
    """Read a baseline; one that is written anew need not be there.

    Raises:
        UsageError: the file cannot be read, or is no baseline.
    """
    try:
        raw = read_bytes(file)
    except FileNotFoundError as error:
        if is_rewritten:
            return Baseline(file, {}, identity, is_rewritten=True)
        raise UsageError(f"{file}: there is no such baseline; --write-baseline makes it") from error
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from error
    try:
        data = json.loads(raw)
        if data["schema_version"] != SCHEMA_VERSION:
            raise UsageError(f"{file}: is a baseline of another version of torchdoctor; write it anew")
        if data.keys() - _KEYS:
            # Facts, samples and reports have such findings as well.
            raise ValueError
        known = Counter[KnownFinding]()
        for item in data["findings"]:
            check, path, message = item["check"], item["path"], item["message"]
            if not all(isinstance(text, str) for text in (check, path or "", message)):
                raise TypeError
            # A baseline can be older than the rule which parts of paths are left out.
            known[KnownFinding(check, path or "", _leave_out_named_parts(message))] += _read_count(
                item["count"]
            )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{file}: is no baseline of torchdoctor; name another file, or delete it") from error
    return Baseline(file, known, identity, is_rewritten=is_rewritten)


def _leave_out_named_parts(message: str) -> str:
    # Imported here: it is slow to import, and few scans have a baseline.
    from torchdoctor.redaction.paths.machine_paths import leave_out_named_parts

    return leave_out_named_parts(message)


def _share_printed(message: str, finding: Finding) -> str:
    """Return a message in which what a program printed is shown as in other outputs."""
    from torchdoctor.redaction.printed_texts import PRINTED, make_sharing

    printed = [text for name, text in finding.evidence.items() if name in PRINTED and isinstance(text, str)]
    return make_sharing(printed)(message) if printed else message


def _read_count(count: object) -> int:
    """Return how often a finding is known.

    Raises:
        ValueError: it is no number of findings.
    """
    if isinstance(count, bool) or not isinstance(count, int) or not 0 < count < _MOST_FINDINGS:
        raise ValueError
    return count


def replace_findings(
    outcome: Outcome, kept: tuple[Finding, ...], *, known: int = 0, ignored: int = 0
) -> Outcome:
    """Return the outcome with these findings alone, and how many others are known or ignored."""
    if not (known or ignored):
        return outcome
    status = outcome.status if outcome.status == "errored" else "failed" if kept else "passed"
    return replace(
        outcome,
        status=status,
        findings=kept,
        known=outcome.known + known,
        ignored=outcome.ignored + ignored,
    )


def _order(key: KnownFinding) -> tuple[str, str, str]:
    return (key.check, key.path, key.message)
