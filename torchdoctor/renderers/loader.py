"""Render the result of `loader` as text: the trial, the measurements with bars, the plan, and the script."""

from collections.abc import Iterator, Sequence

from torchdoctor.check import Bound
from torchdoctor.core.controls import strip_controls
from torchdoctor.domain.sizes import describe_bytes
from torchdoctor.facts import Absent, DatasetTrial, Measurement
from torchdoctor.loader.plan import LoaderPlan
from torchdoctor.loader.trial import describe_seconds
from torchdoctor.loader.troubles import find_troubles
from torchdoctor.renderers.plain import style, wrap
from torchdoctor.renderers.plan import render_plan

_INDENT = "      "


def render(plan: LoaderPlan, *, width: int = 80, colour: bool = False) -> str:
    """Render the trial if there is one, the plan with its bounds, and the script to paste."""
    lines: list[str] = []
    if plan.trial is not None:
        lines += [*_render_trial(plan.trial, plan.bounds, width, colour), ""]
    if plan.measurements:
        lines += [*_render_measurements(plan, width, colour), ""]
    lines += render_plan(plan, width, colour=colour)[:-1]
    lines += ["", style("What bounds num_workers", "strong", colour=colour)]
    for bound in plan.bounds:
        lines += wrap(bound.reason, width, " " * 18, f"  {bound.name}: {bound.workers}".ljust(18))
    return "\n".join([*lines, "", *plan.snippet.splitlines()]) + "\n"


def _render_trial(trial: DatasetTrial, bounds: Sequence[Bound], width: int, colour: bool) -> Iterator[str]:
    yield style(strip_controls(f"Trial of {trial.target}"), "strong", colour=colour)
    troubles = tuple(find_troubles(trial, bounds))
    for trouble in troubles:
        yield from _render_line(trouble.level, trouble.text, width, colour)
        for detail in trouble.details:
            yield from wrap(detail, width, _INDENT)
    is_too_large = any(
        trouble.entry == "pickle-too-large" and trouble.level == "error" for trouble in troubles
    )
    for text in _describe_healthy(trial, is_too_large=is_too_large):
        yield from _render_line("ok", text, width, colour)
    for name in dict.fromkeys(trouble.entry for trouble in troubles if trouble.entry):
        yield from wrap(f"More: torchdoctor explain {name}", width, _INDENT, "  ")


def _describe_healthy(trial: DatasetTrial, *, is_too_large: bool) -> Iterator[str]:
    is_readable = trial.failure is None or trial.failure.stage != "unpickle"
    if trial.parts and is_readable and not is_too_large and not trial.unpicklable and not trial.on_device:
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
    highest_rate = max(measurement.samples_per_second for measurement in plan.measurements)
    room = max(8, width - 46)
    for measurement in sorted(plan.measurements, key=lambda measurement: measurement.workers):
        is_chosen = measurement.workers == plan.num_workers
        yield _render_row(measurement, highest_rate, room, is_chosen=is_chosen)
    if plan.trial is not None and plan.trial.stopped:
        yield from wrap(f"stopped there: {plan.trial.stopped}", width, "  ")


def _render_row(measurement: Measurement, highest_rate: float, room: int, *, is_chosen: bool) -> str:
    rate = measurement.samples_per_second
    start_up = describe_seconds(measurement.start_up_seconds) if measurement.workers else "-"
    epoch = ("~" if measurement.projected else "") + describe_seconds(measurement.epoch_seconds)
    bar = "#" * max(1, round(room * rate / highest_rate)) if highest_rate else ""
    mark = " <" if is_chosen else ""
    return f"  {measurement.workers:7d}  {start_up:>8}  {epoch:>8}  {rate:9,.0f}  {bar}{mark}"
