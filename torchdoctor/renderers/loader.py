"""The answer of `loader` on a screen: the trial, the measurements as table and picture, plan and script."""

from collections.abc import Iterator

from torchdoctor.domain.sizes import describe_bytes
from torchdoctor.explain.clean import strip_controls
from torchdoctor.facts import Absent, DatasetTrial, Measurement
from torchdoctor.loader.plan import LoaderPlan
from torchdoctor.loader.trial import describe_seconds
from torchdoctor.loader.troubles import find_troubles
from torchdoctor.renderers.plain import style, wrap
from torchdoctor.renderers.terminal import render_plan

_INDENT = "      "


def render(plan: LoaderPlan, *, width: int = 80, colour: bool = False) -> str:
    """Render the trial where one was made, the plan with its bounds, and the script to paste."""
    lines: list[str] = []
    if plan.trial is not None:
        lines += [*_render_trial(plan.trial, width, colour), ""]
    if plan.measurements:
        lines += [*_render_measurements(plan, width, colour), ""]
    lines += render_plan(plan, width, colour=colour)[:-1]
    lines += ["", style("What bounds num_workers", "strong", colour=colour)]
    for bound in plan.bounds:
        lines += wrap(bound.reason, width, " " * 18, f"  {bound.name}: {bound.workers}".ljust(18))
    return "\n".join([*lines, "", *plan.snippet.splitlines()]) + "\n"


def _render_trial(trial: DatasetTrial, width: int, colour: bool) -> Iterator[str]:
    yield style(strip_controls(f"Trial of {trial.target}"), "strong", colour=colour)
    troubles = tuple(find_troubles(trial))
    for trouble in troubles:
        yield from _render_line(trouble.level, trouble.text, width, colour)
        for detail in trouble.details:
            yield from wrap(detail, width, _INDENT)
    for text in _describe_healthy(trial):
        yield from _render_line("ok", text, width, colour)
    for name in dict.fromkeys(trouble.entry for trouble in troubles if trouble.entry):
        yield from wrap(f"More: torchdoctor explain {name}", width, _INDENT, "  ")


def _describe_healthy(trial: DatasetTrial) -> Iterator[str]:
    is_readable = trial.failure is None or trial.failure.stage != "unpickle"
    if trial.parts and is_readable and not trial.unpicklable and not trial.on_device:
        shared = sum(part.shared_bytes for part in trial.parts if part.sent)
        and_shared = f", {_describe_size(shared)} of tensors in shared memory" if shared else ""
        yield f"can be sent to workers: {_describe_size(trial.pickled_bytes)}{and_shared}"
    if not isinstance(trial.sample_seconds, Absent):
        length = "" if isinstance(trial.length, Absent) else f" of {trial.length:,}"
        yield f"a sample{length} takes {describe_seconds(trial.sample_seconds)} in the training process"
    worker = trial.worker
    if worker is not None:
        text = f"one worker started in {describe_seconds(worker.start_up_seconds)}"
        if not isinstance(worker.private_bytes, Absent):
            text += f", holds {describe_bytes(worker.private_bytes)}"
        if not isinstance(worker.samples_per_second, Absent):
            text += f", gives {worker.samples_per_second:,.0f} samples/s"
        yield text


def _describe_size(size: int) -> str:
    return describe_bytes(size) if size >= 1024 else "less than 1 KiB"


def _render_line(level: str, text: str, width: int, colour: bool) -> list[str]:
    lines = wrap(text, width, " " * 11) or [""]
    return [f"  {style(level.ljust(7), level, colour=colour)}  {lines[0].strip()}", *lines[1:]]


def _render_measurements(plan: LoaderPlan, width: int, colour: bool) -> Iterator[str]:
    length = plan.trial.measured_length if plan.trial else None
    title = (
        "Measured" if length is None else f"Measured for an epoch of {length:,} samples, start-up included"
    )
    yield style(title, "strong", colour=colour)
    yield "  workers  start-up     epoch  samples/s"
    most = max(measured.samples_per_second for measured in plan.measurements)
    room = max(8, width - 46)
    for measured in sorted(plan.measurements, key=lambda item: item.workers):
        yield _render_row(measured, most, room, is_chosen=measured.workers == plan.num_workers)
    if plan.trial is not None and plan.trial.stopped:
        yield from wrap(f"stopped there: {plan.trial.stopped}", width, "  ")


def _render_row(measured: Measurement, most: float, room: int, *, is_chosen: bool) -> str:
    start = describe_seconds(measured.start_up_seconds) if measured.workers else "-"
    about = "~" if measured.projected else ""
    epoch = about + describe_seconds(measured.epoch_seconds)
    bar = "#" * max(1, round(room * measured.samples_per_second / most)) if most else ""
    mark = " <" if is_chosen else ""
    return (
        f"  {measured.workers:7d}  {start:>8}  {epoch:>8}  {measured.samples_per_second:9,.0f}  {bar}{mark}"
    )
