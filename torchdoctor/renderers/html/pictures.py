"""Pictures of a report: the commit budget, the chains of missing DLLs, and the measured loader."""

from torchdoctor.domain.commit import find_worker_bytes
from torchdoctor.domain.sizes import describe_bytes
from torchdoctor.facts import Absent, DllClosure, Measurement, Memory, MissingDll, TorchImportTrial
from torchdoctor.facts.partial import find_value
from torchdoctor.loader.plan import LoaderPlan
from torchdoctor.renderers.html.elements import Content, Markup, element
from torchdoctor.report import Report

_WIDTH = 640
_MARGIN = 8
# More bars could not be told apart.
_MOST_BARS = 64
_MOST_CHAINS = 100


def draw_commit(report: Report) -> tuple[Content, ...]:
    """Return the commit limit, what is in use, and what the workers of the plan take; () if not known."""
    memory = report.whole_facts.get(Memory)
    if isinstance(memory, Absent):
        return ()
    limit, used = find_value(memory, "commit_limit_bytes"), find_value(memory, "commit_total_bytes")
    if isinstance(limit, Absent) or isinstance(used, Absent) or limit <= 0:
        return ()
    plan = report.known_plan
    worker = find_worker_bytes(report.whole_facts.get(TorchImportTrial), report.whole_facts.get(DllClosure))
    count = 0 if plan is None or isinstance(worker, Absent) else plan.num_workers
    cost = 0 if isinstance(worker, Absent) else worker[0]
    # The training process itself takes as much as a worker.
    processes = count + 1 if cost else 0
    whole = max(limit, used + processes * cost)
    room = _WIDTH - 2 * _MARGIN

    def scale(size: int) -> float:
        return float(room * size / whole)

    bars = [_bar(_MARGIN, scale(limit), "room"), _bar(_MARGIN, scale(used), "used")]
    start = _MARGIN + scale(used)
    shown = min(processes, _MOST_BARS)
    for _ in range(shown):
        width = scale(processes * cost) / shown
        bars.append(_bar(start, width, "worker"))
        start += width
    end = _MARGIN + scale(limit)
    bars.append(element("line", x1=f"{end:.1f}", x2=f"{end:.1f}", y1="4", y2="52", class_="axis"))
    sentences = [f"Commit limit {describe_bytes(limit)}, {describe_bytes(used)} in use."]
    if cost:
        each = f"{describe_bytes(cost)} a process"
        workers = f"{count} worker{'s' * (count != 1)}"
        sentences.append(
            f"Training with {workers} takes {describe_bytes(processes * cost)} more ({each}), so that "
            f"{describe_bytes(max(0, limit - used - processes * cost))} are left."
        )
    if not memory.commit_limit_enforced:
        sentences.append("This system does not enforce its commit limit.")
    text = " ".join(sentences)
    picture = element(
        "svg", *bars, viewBox=f"0 0 {_WIDTH} 56", role="img", aria_label=f"Commit budget. {text}"
    )
    legend = "Grey: in use. Blue: the training process and each worker. Green: free."
    return (element("h2", "Commit budget"), picture, element("p", text), element("p", legend, class_="dim"))


def _bar(start: float, width: float, kind: str) -> Markup:
    return element("rect", x=f"{start:.1f}", y="12", width=f"{max(0.0, width):.1f}", height="32", class_=kind)


def draw_missing(report: Report) -> tuple[Content, ...]:
    """Return the chains that lead to missing DLLs as a tree; () if none is missing or none was looked for."""
    closure = report.whole_facts.get(DllClosure)
    if isinstance(closure, Absent):
        return ()
    missing = find_value(closure, "missing")
    if isinstance(missing, Absent) or not missing:
        return ()
    needed = [each for each in missing if not each.delayed] or list(missing)
    tree: dict[str, object] = {}
    suppliers: dict[str, MissingDll] = {}
    for each in needed[:_MOST_CHAINS]:
        suppliers[each.name.lower()] = each
        branch = tree
        for name in each.chain:
            child = branch.setdefault(name, {})
            branch = child if isinstance(child, dict) else {}
    more = len(needed) - _MOST_CHAINS
    rest = (element("p", f"and {more} more", class_="dim"),) if more > 0 else ()
    return (
        element("h2", "Missing DLLs"),
        element("p", "Each DLL needs those below it; the last one of a chain was not found."),
        element("div", _draw_branch(tree, suppliers), class_="tree"),
        *rest,
    )


def _draw_branch(branch: dict[str, object], suppliers: dict[str, MissingDll]) -> Markup:
    items = []
    for name, below in branch.items():
        if isinstance(below, dict) and below:
            items.append(element("li", element("code", name), _draw_branch(below, suppliers)))
            continue
        missing = suppliers.get(name.lower())
        supplier = f", from {missing.supplier}" if missing is not None and missing.supplier else ""
        label = element("span", f"{name}: missing{supplier}", class_="missing")
        items.append(element("li", label))
    return element("ul", *items)


def draw_curve(plan: LoaderPlan) -> tuple[Content, ...]:
    """Return the measured seconds of an epoch by number of workers; () if they were not measured."""
    measurements = sorted(plan.measurements, key=lambda each: each.workers)
    if len(measurements) < 2:
        return ()
    height, left, bottom = 180, 46, 24
    most_workers = max(each.workers for each in measurements) or 1
    slowest = max(each.epoch_seconds for each in measurements) or 1.0

    def place(each: Measurement) -> tuple[float, float]:
        x = left + (_WIDTH - left - _MARGIN * 2) * each.workers / most_workers
        return x, _MARGIN + (height - bottom - _MARGIN) * (1 - each.epoch_seconds / slowest)

    points = [place(each) for each in measurements]
    base = height - bottom
    parts = [
        element("line", x1=str(left), x2=str(_WIDTH), y1=str(base), y2=str(base), class_="axis"),
        element("text", f"{slowest:.3g} s", x="0", y="18"),
        element("text", "0 s", x="0", y=str(base)),
        element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_="curve"),
    ]
    for (x, y), each in zip(points, measurements, strict=True):
        kind = "chosen" if each.workers == plan.num_workers else "dot"
        parts.append(element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="5", class_=kind))
        parts.append(element("text", str(each.workers), x=f"{x - 4:.1f}", y=str(height - 6)))
    listed = ", ".join(f"{each.workers}: {each.epoch_seconds:.3g} s" for each in measurements)
    label = f"Measured seconds of an epoch by number of workers. {listed}."
    picture = element("svg", *parts, viewBox=f"0 0 {_WIDTH} {height}", role="img", aria_label=label)
    chosen = f"Seconds by number of workers, start-up included; {plan.num_workers} is in the plan."
    return (element("h2", "Measured loader"), picture, element("p", chosen, class_="dim"))
