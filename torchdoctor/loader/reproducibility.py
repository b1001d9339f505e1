"""Makes a run repeatable, and proves whether a loader is."""

import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch  # noqa: TID251 (this part of the package is for programs that have it)

from torchdoctor.core.record import record


@record
class Reproducibility:
    """Whether two runs gave the same batches; `difference` says what differed first, and where."""

    same: bool
    batches: int
    difference: str | None = None

    def __bool__(self) -> bool:
        return self.same


def seed_everything(seed: int, deterministic: bool = True) -> None:
    """Seed `random`, NumPy and torch on every device, and choose repeatable algorithms.

    `deterministic` costs speed; operators that have no repeatable algorithm warn when they are used.
    What it cannot do: change the hashing of strings in this process (PYTHONHASHSEED is read at start; it
    is set for processes started from here) or seed generator objects that exist already.
    """
    random.seed(seed)
    torch.manual_seed(seed)
    os.environ.setdefault("PYTHONHASHSEED", str(seed % 2**32))
    try:
        import numpy  # noqa: TID251 (seeded where it is installed)
    except ImportError:
        pass
    else:
        numpy.random.seed(seed % 2**32)
    if deterministic:
        # cuBLAS reads it when it is first used (docs.nvidia.com/cuda/cublas, "Results reproducibility").
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.backends.cudnn.benchmark = False
        torch.backends.cudnn.deterministic = True
        torch.use_deterministic_algorithms(True, warn_only=True)


def verify_reproducibility(
    make_loader: Callable[[], Iterable[Any]], *, epochs: int = 1, max_batches: int | None = None
) -> Reproducibility:
    """Make the loader twice, read both to the end, one after the other, and compare batch by batch.

    Nothing is seeded in between: a loader that follows the program's random numbers is found out. The
    batches of the first run are kept in memory; `max_batches` limits them for each epoch.
    """
    first = [_freeze(batch) for _, batch in _run(make_loader(), epochs, max_batches)]
    count = 0
    for place, batch in _run(make_loader(), epochs, max_batches):
        if count == len(first):
            return Reproducibility(False, count, "the second run gave more batches than the first")
        difference = _compare(first[count], batch, "")
        if difference:
            return Reproducibility(False, count, place + difference)
        count += 1
    if count < len(first):
        return Reproducibility(False, count, "the second run gave fewer batches than the first")
    return Reproducibility(True, count)


def _run(loader: Iterable[Any], epochs: int, limit: int | None) -> Iterator[tuple[str, Any]]:
    for epoch in range(epochs):
        for number, batch in enumerate(loader):
            if number == limit:
                break
            yield f"epoch {epoch}, batch {number}", batch


def _freeze(value: Any) -> Any:
    """Keep a batch as it is now: a loader may fill the same tensors again."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, Mapping):
        return {key: _freeze(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_freeze(item) for item in value]
    return value


def _compare(one: Any, other: Any, path: str) -> str | None:
    """Say what differs first, None when nothing does."""
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return _compare_tensors(one, other, path)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        if list(one) != list(other):
            return f"{path}: keys {list(one)} and {list(other)}"
        return next(filter(None, (_compare(one[k], other[k], f"{path}[{k!r}]") for k in one)), None)
    if _is_sequence(one) and _is_sequence(other):
        if len(one) != len(other):
            return f"{path}: {len(one)} and {len(other)} items"
        pairs = enumerate(zip(one, other, strict=True))
        return next(filter(None, (_compare(a, b, f"{path}[{i}]") for i, (a, b) in pairs)), None)
    return None if _is_same(one, other) else f"{path}: {str(one)[:80]} and {str(other)[:80]}"


def _compare_tensors(one: torch.Tensor, other: torch.Tensor, path: str) -> str | None:
    if one.shape != other.shape or one.dtype != other.dtype:
        return f"{path}: {one.dtype} {tuple(one.shape)} and {other.dtype} {tuple(other.shape)}"
    other = other.to(one.device)
    differs = one != other
    if one.is_floating_point() or one.is_complex():
        differs &= ~(one.isnan() & other.isnan())
    if not bool(differs.any()):
        return None
    place = tuple(differs.nonzero()[0].tolist())
    where = f" at {list(place)}" if place else ""
    return f"{path}: {one[place].item()} and {other[place].item()}{where}, {int(differs.sum())} values differ"


def _is_sequence(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _is_same(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    try:
        # An array compares to an array; the bytes are what counts.
        return bool(one.tobytes() == other.tobytes()) if hasattr(one, "tobytes") else bool(one == other)
    except Exception:
        return repr(one) == repr(other)
