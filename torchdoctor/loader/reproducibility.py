"""Make a run repeatable, and check whether a loader is."""

import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch  # noqa: TID251 (this part of the package is for programs that have it)

from torchdoctor.core.record import record
from torchdoctor.inside.cutting import cut_end


@record
class Reproducibility:
    """The result of comparing two runs of a loader; it is true if all batches were the same.

    `batches` is the number of batches that were the same. `difference` names the first difference and its
    place; None if there is none.
    """

    same: bool
    batches: int
    difference: str | None = None

    def __bool__(self) -> bool:
        return self.same


def seed_everything(seed: int, deterministic: bool = True) -> None:
    """Seed `random`, NumPy (if it is installed) and torch on every device, and select repeatable algorithms.

    This does not change the hashing of strings in this process, because Python reads PYTHONHASHSEED when
    it starts; the variable is set for the processes that this one starts. It does not seed generator
    objects that already exist. PYTHONHASHSEED and CUBLAS_WORKSPACE_CONFIG keep a value that they have.

    Args:
        seed: the seed; NumPy and PYTHONHASHSEED get it modulo 2**32.
        deterministic: whether torch uses repeatable algorithms. They are slower; an operator that has
            none warns when it is used.
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
        # cuBLAS reads this on first use (docs.nvidia.com/cuda/cublas, "Results reproducibility").
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.backends.cudnn.benchmark = False
        torch.backends.cudnn.deterministic = True
        torch.use_deterministic_algorithms(True, warn_only=True)


def verify_reproducibility(
    make_loader: Callable[[], Iterable[Any]], *, epochs: int = 1, max_batches: int | None = None
) -> Reproducibility:
    """Return whether two loaders from `make_loader`, read one after the other, yield the same batches.

    Nothing is seeded in between, so a loader that depends on the program's random numbers is detected. The
    batches of the first run are kept in memory.

    Args:
        make_loader: returns a new loader, which is any iterable of batches.
        epochs: how many times each loader is read.
        max_batches: how many batches of each epoch are read at most; None means all.
    """
    first = [_copy_tensors(batch) for _, batch in _read_batches(make_loader(), epochs, max_batches)]
    count = 0
    for place, batch in _read_batches(make_loader(), epochs, max_batches):
        if count == len(first):
            return Reproducibility(False, count, "the second run gave more batches than the first")
        difference = _find_difference(first[count], batch, "")
        if difference:
            return Reproducibility(False, count, place + difference)
        count += 1
    if count < len(first):
        return Reproducibility(False, count, "the second run gave fewer batches than the first")
    return Reproducibility(True, count)


def _read_batches(loader: Iterable[Any], epochs: int, max_batches: int | None) -> Iterator[tuple[str, Any]]:
    """Yield each batch after its place, such as "epoch 0, batch 3"."""
    for epoch in range(epochs):
        for number, batch in enumerate(loader):
            if number == max_batches:
                break
            yield f"epoch {epoch}, batch {number}", batch


def _copy_tensors(value: Any) -> Any:
    """Return a batch with copies of its tensors, because a loader may reuse them for its next batch."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, Mapping):
        return {key: _copy_tensors(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_copy_tensors(item) for item in value]
    return value


def _find_difference(first: Any, second: Any, path: str) -> str | None:
    """Return a description of the first difference, None if there is none."""
    if isinstance(first, torch.Tensor) and isinstance(second, torch.Tensor):
        return _find_tensor_difference(first, second, path)
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        if list(first) != list(second):
            return f"{path}: keys {list(first)} and {list(second)}"
        differences = (_find_difference(first[key], second[key], f"{path}[{key!r}]") for key in first)
        return next(filter(None, differences), None)
    if _is_sequence(first) and _is_sequence(second):
        if len(first) != len(second):
            return f"{path}: {len(first)} and {len(second)} items"
        pairs = enumerate(zip(first, second, strict=True))
        differences = (_find_difference(a, b, f"{path}[{index}]") for index, (a, b) in pairs)
        return next(filter(None, differences), None)
    if _is_same(first, second):
        return None
    one, other = (cut_end(str(value), 80) for value in (first, second))
    return f"{path}: {one} and {other}"


def _find_tensor_difference(first: torch.Tensor, second: torch.Tensor, path: str) -> str | None:
    if first.shape != second.shape or first.dtype != second.dtype:
        return f"{path}: {first.dtype} {tuple(first.shape)} and {second.dtype} {tuple(second.shape)}"
    second = second.to(first.device)
    differs = first != second
    if first.is_floating_point() or first.is_complex():
        differs &= ~(first.isnan() & second.isnan())
    if not bool(differs.any()):
        return None
    place = tuple(differs.nonzero()[0].tolist())
    where = f" at {list(place)}" if place else ""
    values = f"{first[place].item()} and {second[place].item()}"
    return f"{path}: {values}{where}, {int(differs.sum())} values differ"


def _is_sequence(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _is_same(first: Any, second: Any) -> bool:
    if type(first) is not type(second):
        return False
    try:
        if hasattr(first, "tobytes"):
            # Comparing two arrays gives an array, so their bytes are compared.
            return bool(first.tobytes() == second.tobytes())
        return bool(first == second)
    except Exception:
        return repr(first) == repr(second)
