"""Turn pasted text into ranked diagnoses: clean, split, match, rank, let the checks decide, fill.

The package can be called with a text: `from torchdoctor import explain` gives it.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType, ModuleType

from torchdoctor.explain.answer import Confidence, Diagnosis, Evidence, Explanation
from torchdoctor.knowledge import Knowledge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from torchdoctor.explain.answering import Answers, Reading
    from torchdoctor.explain.rank import Ranked
    from torchdoctor.explain.text.clean import Line
    from torchdoctor.explain.text.split import Unit
    from torchdoctor.knowledge import Program
    from torchdoctor.readers import Environment
    from torchdoctor.readers.questions import Question

__all__ = ["Confidence", "Diagnosis", "Evidence", "Explanation", "explain", "explain_stream"]

# A text that describes an environment has one of these.
_ENVIRONMENT = r"\d\.\d|\b(?:rtx|gtx|nvidia|geforce|quadro|tesla|windows ?1[01]|win1[01])\b|\b[2-5]0[5-9]0\b"
# A Python that is known, or told otherwise.
_PYTHONS = frozenset({"python", "environment", "conda_environment", "likely_python", "kernel"})
# What a line has that names a user, a host or a secret; of a long text only such lines are kept.
_TELLING = r"users[\\/]|home[\\/]|user|host|computer|token|key|secret|pass|pwd|login|auth|credential"
_LONGEST_CONTEXT, _LONGEST_LINE = 20_000, 500


def explain(
    text: str | bytes,
    knowledge: Knowledge,
    known: Mapping[str, str] = MappingProxyType({}),
    *,
    on_screen: bool = False,
) -> Explanation:
    """Explain a text: an error, a traceback or a log. Bytes may be in any encoding.

    `known` are values that stand for what the text does not say, such as the build of torch. An
    explanation for the screen of whoever has the text (`on_screen`) has the names that its steps are about.
    """
    if isinstance(text, str):
        text = text.encode("utf-8", errors="replace")
    return explain_stream((text,), knowledge, known=known, on_screen=on_screen)


def explain_stream(
    chunks: Iterable[bytes],
    knowledge: Knowledge,
    code_page: str = "",
    known: Mapping[str, str] = MappingProxyType({}),
    *,
    on_screen: bool = False,
) -> Explanation:
    """Explain a text of any size in bounded memory.

    Of a long log, only the start, the end and the lines near errors are examined. `code_page` is the encoding
    of programs on this machine, "" if it is not known; the others are as for `explain`.
    """
    # Imported here, as below.
    from torchdoctor.explain.printed import read_printed

    printed = read_printed(chunks, knowledge, code_page)
    return explain_printed(printed, knowledge, known, on_screen=on_screen)


def explain_printed(
    printed: "tuple[Line, ...]",
    knowledge: Knowledge,
    known: Mapping[str, str] = MappingProxyType({}),
    described: "tuple[Environment, ...] | None" = None,
    *,
    on_screen: bool = False,
) -> Explanation:
    """Explain the lines of a text that `read_printed` has returned; the rest is as for `explain`.

    `described` are the environments that were read in these lines, if they were.
    """
    # Imported here: renderers import a few names from this package, and most runs explain nothing.
    from torchdoctor.explain.answering import find_answers
    from torchdoctor.explain.fill import fill
    from torchdoctor.explain.statements.said import Said
    from torchdoctor.explain.values.own_names import find_names_for_steps
    from torchdoctor.redaction.shown_values import ShownValues, find_pieces

    reading = _read(printed, knowledge, known, described, on_screen=on_screen)
    found = find_answers(reading, knowledge)
    names = reading.own | find_names_for_steps(reading.values) if on_screen else reading.own
    shown = ShownValues(reading.values, names, is_shared=not on_screen)
    statements = [statement for environment in reading.environments for statement in environment.statements]
    stated = find_pieces(" ".join(f"{each.subject} {each.value}" for each in statements))
    lines = dict(printed)
    said = Said(reading.own_lines, reading.environments)

    def fill_in(each: "Ranked") -> Diagnosis:
        return fill(
            each,
            found.units,
            reading.values,
            reading.own,
            found.verdicts.get(each.entry.name),
            lines,
            reading.program,
            on_screen=on_screen,
            stated=stated,
            said=said,
        )

    return Explanation(
        recognised=found.recognised,
        diagnoses=tuple(map(fill_in, found.ranked)),
        values=shown,
        has_evidence=found.has_evidence,
        is_suspected=found.is_suspected,
        environments=reading.environments,
        question=_find_question(found, reading, shown.whole.get("python")),
        program_error=found.program_error,
        context=_read_context(printed),
    )


def _read(
    printed: "tuple[Line, ...]",
    knowledge: Knowledge,
    known: Mapping[str, str],
    described: "tuple[Environment, ...] | None",
    *,
    on_screen: bool,
) -> "Reading":
    from torchdoctor.explain.answering import Reading
    from torchdoctor.explain.computer.hardware import describe_hardware
    from torchdoctor.explain.statements.own_lines import find_own_lines
    from torchdoctor.explain.text.clean import clean_printed
    from torchdoctor.explain.text.split import join_units, split
    from torchdoctor.explain.values.own_names import find_own_names

    units = split(clean_printed(printed))
    own_lines = find_own_lines(printed)
    is_read = described is not None and own_lines is printed
    environments = (described or ()) if is_read else _read_environments(own_lines)
    own_units = units if own_lines is printed else split(clean_printed(own_lines))
    values, program = _read_values(units, own_units, knowledge)
    if len(environments) == 1:
        values = {**environments[0].list_values(), **values}
    values = {**values, **describe_hardware(values, join_units(own_units), environments)}
    if "build_index" in values:
        # Imported here, as above.
        from torchdoctor.explain.computer.covers import read_cover, read_other_build

        values = {**values, **read_cover(values), **read_other_build(values)}
    return Reading(
        printed,
        units,
        {**known, **values},
        environments,
        find_own_names(units),
        program,
        # What is known beside the text is of a program whose output the doctor has read itself.
        is_told=not known,
        on_screen=on_screen,
        own_lines=own_lines,
    )


def _read_context(printed: "Sequence[Line]") -> str:
    """Return a text, or the lines of a long one that may name a user, a host or a secret."""
    from torchdoctor.core.patterns import pattern

    lines = [line.text for line in printed]
    if sum(map(len, lines)) > _LONGEST_CONTEXT:
        lines = [line[:_LONGEST_LINE] for line in lines if pattern(_TELLING, True).search(line)]
    return "\n".join(lines)[:_LONGEST_CONTEXT]


def _read_values(
    units: "Sequence[Unit]", own_units: "Sequence[Unit]", knowledge: Knowledge
) -> "tuple[dict[str, str], Program | None]":
    """Return the values that a person's own lines state, with those of the program that the text shows."""
    from torchdoctor.explain.text.split import join_units
    from torchdoctor.explain.values.derived import add_missing
    from torchdoctor.explain.values.interpreter import read_relative_interpreter
    from torchdoctor.explain.values.read import read_values
    from torchdoctor.explain.values.workers import read_no_workers
    from torchdoctor.knowledge import find_program

    values = read_values(own_units)
    text = join_units(units)
    program = find_program(knowledge.programs, text)
    if program is not None:
        program = program.fit_to(values)
        values = {**program.list_values(values), **values}
    if not values.keys() & _PYTHONS and "python.exe" in text:
        values.update(read_relative_interpreter(join_units(own_units)))
    if program is None or "no_workers" not in program.settings:
        add_missing(values, [("no_workers", read_no_workers(text))])
    for name in ("packages_in", "source_folder", "launcher"):
        values.pop(name, None)
    return values, program


def _find_question(found: "Answers", reading: "Reading", python: str | None) -> "Question | None":
    """Return what to ask where an answer is not certain, with the Python of the text in its command."""
    if not found.undecided:
        return None
    # Imported here: few texts are asked about.
    from torchdoctor.explain.statements.asking import ask_what_decides, name_python

    question = ask_what_decides(found.undecided, reading.environments, has_evidence=found.has_evidence)
    if question is None:
        return None
    if question.command == "nvidia-smi" and reading.values.get("maker", "nvidia") != "nvidia":
        # A computer whose card is of another maker has no such program.
        return None
    if python is None:
        return question
    if "git_bash" in reading.values:
        from torchdoctor.knowledge.shells import write_path_for_git_bash

        python = write_path_for_git_bash(python)
    return name_python(question, python)


def _read_environments(printed: "Sequence[Line]") -> "tuple[Environment, ...]":
    """Return the environments of a text; most texts are plain tracebacks, which name no version or card."""
    from torchdoctor.core.patterns import pattern

    if not any(pattern(_ENVIRONMENT, True).search(line.text) for line in printed):
        return ()
    from torchdoctor.engine.plugin_readers import load_formats
    from torchdoctor.readers import read_environments

    return read_environments(printed, load_formats()[0])


class _CallablePackage(ModuleType):
    """The class of this package, which makes it callable with a text."""

    def __call__(self, text: str | bytes) -> Explanation:
        """Return the explanation of a text by the installed knowledge base."""
        from torchdoctor.engine.library import load_heads

        return explain(text, load_heads())


sys.modules[__name__].__class__ = _CallablePackage
