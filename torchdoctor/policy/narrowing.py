"""Leave out of the outcomes what a project ignores in some paths, and what it knows already."""

from collections.abc import Mapping

from torchdoctor.check import Bound, Finding
from torchdoctor.engine.runner import Outcome
from torchdoctor.policy.baseline import Baseline, replace_findings
from torchdoctor.policy.path_ignores import PathIgnore, is_path_ignored


class Narrowing:
    """What to leave out; `names` has the names that select each check: its own, and those of its families."""

    def __init__(
        self,
        ignores: tuple[PathIgnore, ...],
        names: Mapping[str, frozenset[str]],
        baseline: Baseline | None = None,
    ) -> None:
        self._ignores, self._names, self._baseline = ignores, names, baseline
        self._known_bounds: list[Bound] = []

    @property
    def known_bounds(self) -> tuple[Bound, ...]:
        """The bounds of the loader plan that known findings set: they stay true."""
        return tuple(self._known_bounds)

    def narrow(self, outcome: Outcome) -> Outcome:
        """Return an outcome, of one file or of the environment, without what is ignored or known."""
        if not outcome.findings:
            return outcome
        kept = tuple(each for each in outcome.findings if not self.is_ignored(each, outcome.name))
        outcome = replace_findings(outcome, kept, ignored=len(outcome.findings) - len(kept))
        if self._baseline is None:
            return outcome
        new = self._baseline.leave_out_known(outcome)
        known = (finding for finding in outcome.findings if finding not in new.findings)
        self._known_bounds += [finding.bound for finding in known if finding.bound is not None]
        return new

    def is_ignored(self, finding: Finding, check: str) -> bool:
        """Return whether a finding lies in a path in which its check is ignored."""
        if finding.location is None or not self._ignores:
            return False
        return is_path_ignored(self._ignores, finding.location.path, self._names.get(check, {check}))
