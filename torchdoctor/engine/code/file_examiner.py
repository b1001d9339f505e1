"""Run the checks of training code on one file."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from torchdoctor.check import Check
from torchdoctor.core.record import record
from torchdoctor.engine.code.edits import drop_unusable_edits
from torchdoctor.engine.code.noise import lower_asides
from torchdoctor.engine.code.suppressions import drop_suppressed
from torchdoctor.engine.runner import Outcome, run_checks
from torchdoctor.engine.stopwatch import Watcher
from torchdoctor.facts import Facts
from torchdoctor.knowledge import Knowledge
from torchdoctor.source import ConfigFile, SourceFile
from torchdoctor.source.asides import is_in_tests
from torchdoctor.source.files.reading import read_source
from torchdoctor.source.files.relevance import make_filter
from torchdoctor.source.files.unreadable import UnreadableSource
from torchdoctor.source.idioms.worker_numbers.options import read_options
from torchdoctor.source.module.project import Project


@record
class FileAnswer:
    """What the checks say of one file: the outcomes that are not simply passed, and what of it is not read.

    `is_lasting` is whether they would say the same of the same bytes at another time, and `is_unread` whether
    nothing of the file could be read.
    """

    outcomes: tuple[Outcome, ...] = ()
    notice: str | None = None
    is_lasting: bool = True
    is_unread: bool = False


class FileExaminer:
    """The checks of training code, and the project that they follow imports in.

    The roots are the paths that the user named; what is found in tests and examples below them counts less.
    """

    def __init__(
        self,
        checks: Sequence[Check],
        facts: Facts,
        knowledge: Knowledge,
        roots: Sequence[Path],
        watcher: Watcher | None = None,
    ) -> None:
        self.project = Project()
        self.checks, self.knowledge, self.roots = checks, knowledge, roots
        self._facts, self._watcher = facts, watcher
        self._named = frozenset(roots)
        self._may_matter = make_filter(check.words for check in checks)
        self._config_words = tuple(
            word for check in checks if check.facts == (ConfigFile,) for word in check.words
        )

    def examine(self, found: Path | UnreadableSource) -> FileAnswer:
        """Read a file, and run the checks on it.

        Findings that a comment suppresses, and edits that would not work, are left out.
        """
        file: SourceFile | ConfigFile | UnreadableSource | None
        if isinstance(found, Path):
            is_named = found in self._named
            file = read_source(found, self._may_matter, self.project, is_named=is_named)
        else:
            file = found
        if file is None:
            return FileAnswer()
        if isinstance(file, UnreadableSource):
            return FileAnswer(notice=file.notice, is_unread=True)
        if isinstance(file, ConfigFile) and is_in_tests(file.path, self.roots):
            return FileAnswer()
        source = file if isinstance(file, SourceFile) else None
        settings = file if isinstance(file, ConfigFile) else None
        if source is not None and self._config_words and source.contains(self._config_words):
            settings = read_options(source)
        outcomes = list(self._run(source, settings))
        if source is not None:
            outcomes = drop_unusable_edits(drop_suppressed(outcomes, source), self.checks, source)
            outcomes = lower_asides(outcomes, source, self.roots)
        # On another day the machine is faster.
        is_lasting = not any(outcome.unread or outcome.status == "errored" for outcome in outcomes)
        said = tuple(outcome for outcome in outcomes if _says_something(outcome))
        notice = UnreadableSource(source.path, source.unread).notice if source and source.unread else None
        return FileAnswer(said, notice, is_lasting)

    def _run(self, source: SourceFile | None, settings: ConfigFile | None) -> Iterator[Outcome]:
        values: Mapping[type, tuple[object, ...]] = {
            SourceFile: tuple(filter(None, [source])),
            ConfigFile: tuple(filter(None, [settings])),
        }
        # A check of files that this one is not has nothing to say.
        missing = {kind for kind, found in values.items() if not found}
        checks = [
            check
            for check in self.checks
            if not any(missing.issuperset(parameter.facts) for parameter in check.parameters)
        ]
        yield from run_checks(checks, self._facts.with_values(values), self.knowledge, watcher=self._watcher)


def _says_something(outcome: Outcome) -> bool:
    return outcome.status != "passed" or bool(outcome.passed or outcome.suppressed or outcome.unread)
