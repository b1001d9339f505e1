"""Turn ranked entries into diagnoses: fill the values of the text into the advice of each entry."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from torchdoctor.core.patterns import pattern
from torchdoctor.domain.versions import VersionRange
from torchdoctor.explain.answer import Confidence, Diagnosis, Verdict
from torchdoctor.explain.computer.choice import describe_earlier
from torchdoctor.explain.computer.hardware import UNUSABLE
from torchdoctor.explain.evidence import find_echoes, find_evidence
from torchdoctor.explain.match import Match
from torchdoctor.explain.merging import merge_values
from torchdoctor.explain.rank import Ranked
from torchdoctor.explain.statements.deeds import (
    begin_anew,
    name_own_python,
    put_done_last,
)
from torchdoctor.explain.statements.premises import find_contradiction, leave_out_installed
from torchdoctor.explain.statements.said import Said
from torchdoctor.explain.text.split import Kind, Unit
from torchdoctor.explain.values.failed_commands import put_repeated_later, read_failed_installations
from torchdoctor.explain.values.frames import read_caller, read_frame_of, read_last_frame, read_own_frame
from torchdoctor.explain.values.own_names import find_names_for_steps
from torchdoctor.explain.values.packages import UNKNOWN, find_package
from torchdoctor.knowledge import Entry, Program
from torchdoctor.knowledge.card_builds import fit_builds
from torchdoctor.knowledge.card_makers import leave_out_nvidia
from torchdoctor.knowledge.cases import find_case
from torchdoctor.knowledge.conda import name_conda_environment, write_for_conda
from torchdoctor.knowledge.drivers import ask_for_driver
from torchdoctor.knowledge.finished import begin_with_program, leave_to_program
from torchdoctor.knowledge.fitting import is_meant
from torchdoctor.knowledge.harmless import keep_harmless
from torchdoctor.knowledge.interpreter import BLOCK, name_python_in_steps, unquote_launcher
from torchdoctor.knowledge.owners import write_for_nvidia, write_for_other_cards
from torchdoctor.knowledge.projects import (
    PYTHON_OF_POETRY,
    is_python_of_poetry,
    write_for_micromamba,
    write_steps_for_pdm,
    write_steps_for_pixi,
    write_steps_for_poetry,
)
from torchdoctor.knowledge.rewriting import (
    drop_package_hint,
    name_project,
    name_scanned_file,
    name_script,
    set_commands_apart,
    set_verification_apart,
    verify_in_new_environment,
    write_for_notebook,
)
from torchdoctor.knowledge.shells import write_for_git_bash
from torchdoctor.knowledge.uv import is_environment_of_a_tool, write_steps_for_uv
from torchdoctor.knowledge.without_cuda import leave_out_cuda
from torchdoctor.redaction.shown_values import ShownValues
from torchdoctor.redaction.words.public_words import Names

_OF_ERRORS = (Kind.EXCEPTION, Kind.FRAME)
# What fails in a program that is complete; a file that it lacks is the affair of who made it.
_OF_RUNNING = frozenset({"gpu", "memory", "settings"})
# What a text names where it has no NVIDIA card. A GPU of Intel is beside one in many laptops.
_OTHER_MAKERS = ("amd", "none", UNUSABLE)
# Cards that no driver and no program of NVIDIA serves.
_OTHER_CARDS = ("amd", "intel")
# The folder that uv gives the environment of a project; it has no pip.
_OF_UV = "\\.venv\\scripts\\"
# Most entries have no step for an earlier CUDA, and the tables of releases take long to import.
_EARLIER = "{earlier_set|"
# The card of a finding, with its compute capability.
_ONE_CARD = r"[^,()]{1,60} \((\d{1,2})\.(\d)\)"
# An error with these words holds the traceback of a worker below it.
_PASSED_ON = "in DataLoader worker process"
_NOTHING_SAID = Said((), ())
# What an answer says that knows of it.
_ANOTHER_PYTHON = "another Python"


def fill(
    ranked: Ranked,
    units: Sequence[Unit],
    shared_values: Mapping[str, str],
    own: Names,
    verdict: Verdict | None = None,
    lines: Mapping[int, str] | None = None,
    program: Program | None = None,
    *,
    on_screen: bool = False,
    stated: frozenset[str] | None = None,
    said: Said = _NOTHING_SAID,
) -> Diagnosis:
    """Return the diagnosis for an entry: its evidence, and its advice with the values of the text.

    `own` are the names that the text defines, `verdict` is that of the entry's check, `lines` are those of
    the text by number, and `program` is the one that the text is about. `on_screen` is as for `explain`.
    `stated` are the pieces of what the text states of environments, None if they are not known. `said` is
    what the premises of the answer are compared with.
    """
    entry = ranked.entry
    matches = sorted(ranked.matches, key=lambda match: -match.weight)
    found = _find_values(entry, matches, units, shared_values, verdict, program)
    values, settings, known = found.values, found.settings, found.known
    own = own | find_names_for_steps(values) if on_screen else own
    shown = _show_values(values, own, verdict, stated, is_shared=not on_screen)
    written = {**settings, **shown.whole}
    case = find_case(entry.cases, known)
    conditions = [name for name, _ in case.conditions] if case is not None else []
    lead, fix, verify = _choose_texts(entry, verdict, known, written, is_special=bool(conditions))
    fix, verify = _fit_to_program(fix, verify, found, conditions, program)
    lead, *texts = (_fill(entry, text, written) for text in (lead, *fix, verify))
    texts[:-1] = put_repeated_later(texts[:-1], read_failed_installations(units))
    lead, fix, verify = _fit_texts(lead, texts, values, settings, shown.whole)
    if "no_build" not in conditions:
        # A case for such a computer has said it.
        lead, fix, verify = leave_out_cuda(lead, fix, verify, values, shown.whole)
    answer = _Answer(_fill(entry, entry.choose_title(known), written), ranked.confidence, lead, fix)
    answer = _compare_with_said(
        answer,
        case.supposes if case is not None else (),
        said,
        lambda step: _fit_steps((step, ""), values, settings, shown.whole)[0],
    )
    # A case that asks for the result has told what it means.
    confirmed = None if "check" in conditions else _find_confirmation(verdict, matches, units)
    return Diagnosis(
        name=entry.name,
        title=answer.title,
        confidence=answer.confidence,
        evidence=tuple(find_evidence(ranked, units, own, verdict, lines or {}, is_shared=not on_screen)),
        values=shown,
        echoes=tuple(find_echoes(ranked, units, own, is_shared=not on_screen)),
        confirmed=confirmed,
        lead=answer.lead,
        fix=answer.fix,
        verify=verify,
        examined="text" if confirmed is not None else "",
    )


class _Values(NamedTuple):
    """The values of an entry in a text, the settings of the text's program, and what cases are chosen by."""

    values: Mapping[str, str]
    settings: Mapping[str, str]
    known: Mapping[str, str]
    is_sealed: bool


def _find_values(
    entry: Entry,
    matches: Sequence[Match],
    units: Sequence[Unit],
    shared_values: Mapping[str, str],
    verdict: Verdict | None,
    program: Program | None,
) -> _Values:
    values = _merge_values(entry, _read_values(matches, units, verdict), shared_values)
    is_sealed = _is_sealed(entry, values, program)
    if is_sealed:
        values = {"finished": "yes", **values}
    settings = program.write_settings(values) if program is not None else {}
    known = {**settings, **values, "check": _name_result(verdict)}
    if values.get("package") == UNKNOWN:
        # It tells cases from each other, and has no name.
        values = {name: value for name, value in values.items() if name != "package"}
    return _Values(values, settings, known, is_sealed)


def _fit_to_program(
    fix: tuple[str, ...], verify: str, found: _Values, conditions: Sequence[str], program: Program | None
) -> tuple[tuple[str, ...], str]:
    if found.is_sealed:
        return leave_to_program(fix, verify, conditions)
    return (begin_with_program(fix, found.values) if program is None else fix), verify


def _show_values(
    values: Mapping[str, str],
    own: Names,
    verdict: Verdict | None,
    stated: frozenset[str] | None,
    *,
    is_shared: bool,
) -> ShownValues:
    written = _find_written(values, verdict) if stated is not None else ()
    return ShownValues(values, own, is_shared=is_shared, written=written, stated=stated or frozenset())


class _Answer(NamedTuple):
    """What an answer says and how sure it is, before it is compared with what the text says."""

    title: str
    confidence: Confidence
    lead: str
    fix: tuple[str, ...]


def _compare_with_said(
    answer: _Answer, supposes: Sequence[tuple[str, VersionRange]], said: Said, fit: Callable[[str], str]
) -> _Answer:
    """Return an answer whose premises are none that the text contradicts; `fit` fits a step to the computer.

    Where a package is not as the answer supposes, the Python of the program is asked first, unless the answer
    knows of another Python. Steps that are done come last.
    """
    title, confidence, lead, fix = answer
    if _ANOTHER_PYTHON not in f"{title} {lead}":
        contradiction = find_contradiction(supposes, fix, said)
        if contradiction is not None and confidence is not Confidence.POSSIBLE:
            title, lead, confidence = contradiction.title, contradiction.lead, Confidence.LIKELY
            fix = (fit(contradiction.question), *fix[:1], *leave_out_installed(fix[1:], said))
        else:
            fix = leave_out_installed(fix, said)
    lead, fix = put_done_last(lead, begin_anew(fix), said)
    fix = name_own_python(fix, said)
    return _Answer(title, confidence, lead, fix)


def _merge_values(
    entry: Entry, found: Sequence[Mapping[str, str]], shared_values: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the values for the texts of an entry: its own, those of the text, and what follows from them."""
    values = merge_values(found, shared_values)
    if any(_EARLIER in step.text for step in entry.body.steps):
        return {**describe_earlier(values), **values}
    return values


def _is_sealed(entry: Entry, values: Mapping[str, str], program: Program | None) -> bool:
    """Return whether the program of a text is complete: the cure is then an affair of who made it."""
    is_known = program is not None and program.is_finished
    return "sealed" in values and (is_known or entry.family in _OF_RUNNING)


def _choose_texts(
    entry: Entry,
    verdict: Verdict | None,
    known: Mapping[str, str],
    written: Mapping[str, str],
    *,
    is_special: bool,
) -> tuple[str, tuple[str, ...], str]:
    """Return the short answer, the steps and the verification for what is known of a text.

    What cures a finding that is sure stands first; a special case (`is_special`) has its own cure.
    """
    lead, fix = entry.choose_fix(known, written)
    if verdict is not None and verdict.failed and verdict.is_sure:
        fix = _put_first(_find_cure(entry, verdict, known, written), fix, only_its_own=is_special)
    return lead, fix, entry.choose_verify(known)


def _fit_texts(
    lead: str,
    texts: Sequence[str],
    values: Mapping[str, str],
    settings: Mapping[str, str],
    shown: Mapping[str, str],
) -> tuple[str, tuple[str, ...], str]:
    """Return the short answer, the steps and the verification, the last of `texts`, for a text's computer."""
    if _names_nvidia(values):
        (lead,) = write_for_nvidia((lead,))
    *fix, verify = _fit_steps((*texts[:-1], set_verification_apart(texts[-1])), values, settings, shown)
    return lead, _drop_repeated(fix), verify


def _fit_steps(
    steps: tuple[str, ...],
    values: Mapping[str, str],
    settings: Mapping[str, str],
    shown: Mapping[str, str],
) -> tuple[str, ...]:
    """Return the steps for the installer, the folder, the script and the Python of a text.

    `values` decide, and `shown` are those of them that a step may have.
    """
    steps = tuple(map(set_commands_apart, map(drop_package_hint, steps)))
    steps = verify_in_new_environment(tuple(map(unquote_launcher, steps)))
    if _names_nvidia(values):
        steps = write_for_nvidia(steps)
    # ZLUDA lets cards of AMD run a CUDA build.
    if values.get("maker") in _OTHER_MAKERS and not values.keys() & {"zluda", "keeps_cuda"}:
        steps = write_for_other_cards(steps)
    if (maker := values.get("maker")) in _OTHER_CARDS:
        steps = leave_out_nvidia(steps, maker)
    else:
        steps = ask_for_driver(fit_builds(steps, values, shown), values)
    if _has_conda(values):
        steps = write_for_conda(steps, shown.get("python_version", ""), shown.get("conda_name", ""))
    if "micromamba" in values:
        steps = tuple(map(write_for_micromamba, steps))
    if "conda_name" in shown:
        steps = tuple(name_conda_environment(step, shown["conda_name"]) for step in steps)
    if "project_folder" in shown:
        steps = name_project(steps, shown["project_folder"])
    if "file" in shown:
        steps = (*steps[:-1], name_scanned_file(steps[-1], shown["file"]))
    if "script" in shown:
        steps = name_script(steps, shown["script"])
    python = shown.get("python", "")
    if values.get("installer") == "pixi":
        steps = write_steps_for_pixi(steps)
    elif values.get("installer") == "pdm":
        steps = write_steps_for_pdm(steps)
    if is_environment_of_a_tool(python):
        steps = write_steps_for_uv(steps, python)
    elif values.get("installer") == "uv" and _OF_UV in python.lower():
        steps = write_steps_for_uv(steps, python, has_project=True)
    elif values.get("installer") == "poetry" and is_python_of_poetry(
        python or values.get("likely_python", "")
    ):
        steps = name_python_in_steps(write_steps_for_poetry(steps), PYTHON_OF_POETRY)
    if "python" in shown:
        is_whole = python != settings.get("python_path")
        folder = shown.get("python_folder") or ("" if is_whole else settings.get("folder", ""))
        steps = name_python_in_steps(steps, python, folder)
    elif "likely_python" in shown:
        folder = settings.get("likely_folder", "") if "other_pythons" in values else ""
        steps = name_python_in_steps(steps, shown["likely_python"], folder)
    elif "kernel" in values and "environment" not in values:
        steps = write_for_notebook(steps)
    return tuple(map(write_for_git_bash, steps)) if "git_bash" in values else steps


def _drop_repeated(steps: Sequence[str]) -> tuple[str, ...]:
    """Return the steps without those whose commands are all those of an earlier one."""
    kept: list[str] = []
    seen: set[tuple[str, ...]] = set()
    for step in steps:
        commands = tuple(" ".join(block[0].split()) for block in BLOCK.finditer(step))
        if not commands or commands not in seen:
            kept.append(step)
        seen.add(commands)
    return tuple(kept)


def _names_nvidia(values: Mapping[str, str]) -> bool:
    """Return whether a text names a card of NVIDIA; a CUDA build alone is no sign of one."""
    return values.get("maker") == "nvidia" and "sm" in values


def _has_conda(values: Mapping[str, str]) -> bool:
    """Return whether the writer of a text works with conda: by a command, or by the Python that is used."""
    if values.get("installer") == "pixi":
        # It makes environments of conda's packages, without conda.
        return False
    return values.get("installer") == "conda" or "conda_environment" in values or "conda_python" in values


def _read_values(
    matches: Sequence[Match], units: Sequence[Unit], verdict: Verdict | None
) -> list[Mapping[str, str]]:
    """Return the values of an entry's own: of its symptoms, of the lines near them, and of its check."""
    found: list[Mapping[str, str]] = [match.values for match in matches]
    if matches:
        package = find_package(units, matches[0].unit)
        found.append({"package": package} if package else {})
        near = _find_near_units(units, matches[0].unit)
        frames = near or _find_frames_around(units, matches[0].unit)
        holder = next((match.values["holder"] for match in matches if "holder" in match.values), None)
        of_holder = read_frame_of(holder, near or units) if holder is not None else {}
        found += [of_holder or read_own_frame(near), read_last_frame(frames), read_caller(frames)]
    if verdict is not None and verdict.failed:
        finding = _read_finding(verdict)
        found.append(finding)
        # Of several cards, it is the one that the finding is about.
        card = pattern(_ONE_CARD).fullmatch(finding.get("gpus", ""))
        found.insert(0, {"sm": f"sm_{card[1]}{card[2]}"} if card else {})
    return found


def _name_result(verdict: Verdict | None) -> str:
    """Return what the check of an entry says of the environment in the text, as cases can ask for it."""
    if verdict is None or not verdict.is_sure:
        return "unknown"
    return "failed" if verdict.failed else "passed"


def _find_confirmation(
    verdict: Verdict | None, matches: Sequence[Match], units: Sequence[Unit]
) -> bool | None:
    """Return whether the check of an entry failed, None if that confirms nothing."""
    is_confirmed = verdict is not None and verdict.is_sure and not _is_error_itself(verdict, matches, units)
    return verdict.failed if verdict is not None and is_confirmed else None


def _is_error_itself(verdict: Verdict, matches: Sequence[Match], units: Sequence[Unit]) -> bool:
    """Return whether a failed check rests only on the error and its traceback, which confirm nothing."""
    own = [*(units[match.unit] for match in matches), *(unit for unit in units if unit.kind in _OF_ERRORS)]
    lines = {line.number for unit in own for line in unit.lines}
    return verdict.failed and all(each.line in lines for each in verdict.proof)


def _find_cure(
    entry: Entry, verdict: Verdict, values: Mapping[str, str], shown: Mapping[str, str]
) -> str | None:
    """Return the step that the check's finding names, None if it names none."""
    steps = [finding.step for finding in verdict.outcome.findings]
    step = entry.find_step(steps[0], shown) if steps and steps[0] else None
    return step.text if step is not None and is_meant(step, values) else None


def _put_first(step: str | None, steps: tuple[str, ...], *, only_its_own: bool) -> tuple[str, ...]:
    """Move the step of a finding to the front; `only_its_own` is whether it must be one of the others."""
    if step is None or (only_its_own and step not in steps):
        return steps
    return (step, *(each for each in steps if each != step))


def _read_finding(verdict: Verdict) -> Mapping[str, str]:
    evidence = verdict.outcome.findings[0].evidence if verdict.outcome.findings else {}
    return {name: str(value) for name, value in evidence.items() if isinstance(value, (str, int, float))}


def _find_written(values: Mapping[str, str], verdict: Verdict | None) -> tuple[str, ...]:
    """Return the names of the values that are sentences of a check, and no paths."""
    finding = _read_finding(verdict) if verdict is not None and verdict.failed else {}
    return tuple(
        name
        for name, value in finding.items()
        if " " in value and values.get(name) == value and not {"\\", "/"}.intersection(value)
    )


def _find_near_units(units: Sequence[Unit], index: int) -> Sequence[Unit]:
    """Return the units of the traceback of an error; those below it if another process passed it on."""
    if _PASSED_ON in units[index].text:
        return units[index:]
    traceback = units[index].traceback
    return [unit for unit in units if unit.traceback == traceback] if traceback else []


def _find_frames_around(units: Sequence[Unit], index: int) -> Sequence[Unit]:
    """Return the frames that stand above an error whose traceback has lost its first line.

    Where the evidence is the line of code in a frame, it is among them, and so are those below it.
    """
    start = end = index
    while start and units[start - 1].frame is not None:
        start -= 1
    while end < len(units) and units[end].frame is not None:
        end += 1
    return units[start:end]


def _fill(entry: Entry, text: str, values: Mapping[str, str]) -> str:
    """Fill all values into prose, but into code only values that a shell cannot run as commands."""
    return entry.fill(text, values, keep_harmless(values))
