"""Computes a dataset once and keeps its samples as files, which any worker can read."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import torch  # noqa: TID251 (this part of the package is for programs that have it)
from torch.utils.data import Dataset  # noqa: TID251

_MANIFEST = "precomputed.json"


class PrecomputedDataset(Dataset[Any]):
    """The samples that `precompute` wrote; it holds a folder and a length, so workers get it at once."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.path.abspath(folder)
        manifest = _read_manifest(Path(self.folder))
        if not manifest.get("complete"):
            raise ValueError(f"{self.folder} holds no finished samples: run precompute on it again")
        self._length = int(manifest["length"])

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Any:
        if not -self._length <= index < self._length:
            raise IndexError(index)
        # A sample may be any object, and the file is one's own.
        return torch.load(_find_file(Path(self.folder), index % self._length), weights_only=False)


def precompute(
    dataset: Dataset[Any], folder: str | os.PathLike[str], *, progress: bool = True
) -> PrecomputedDataset:
    """Make every sample once, in this process, and give a dataset that reads them from the folder.

    Tensors go to the CPU, so the slow or CUDA part may stay in the dataset, and workers work. A sample is
    written whole or not at all; after an interruption the same call goes on where it stopped. Random
    augmentation is frozen as well: leave it out of `dataset` and put it on the result.

    Raises:
        ValueError: the folder holds another dataset's samples.
    """
    root, length = Path(folder), len(dataset)  # type: ignore[arg-type]
    root.mkdir(parents=True, exist_ok=True)
    known = _read_manifest(root).get("length", length)
    if known != length:
        raise ValueError(f"{root} holds {known} samples, this dataset has {length}: use another folder")
    missing = [index for index in range(length) if not _find_file(root, index).exists()]
    _write_manifest(root, length, complete=not missing)
    report = _Progress(length, length - len(missing), shown=progress)
    for index in missing:
        file = _find_file(root, index)
        file.parent.mkdir(exist_ok=True)
        _write(file, _to_cpu(dataset[index]))
        report.step()
    _write_manifest(root, length, complete=True)
    return PrecomputedDataset(root)


def _read_manifest(root: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((root / _MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return manifest


def _write_manifest(root: Path, length: int, *, complete: bool) -> None:
    partial = root / f"{_MANIFEST}.{os.getpid()}"
    partial.write_text(json.dumps({"length": length, "complete": complete}), encoding="utf-8")
    partial.replace(root / _MANIFEST)


def _find_file(root: Path, index: int) -> Path:
    # A thousand a folder: Explorer and antivirus programs suffer from very large ones.
    return root / f"{index // 1000:06d}" / f"{index:09d}.pt"


def _write(file: Path, sample: object) -> None:
    partial = file.with_suffix(f".{os.getpid()}")
    torch.save(sample, partial)
    partial.replace(file)


def _to_cpu(sample: Any) -> Any:
    if isinstance(sample, torch.Tensor):
        # A view would be saved with all of its storage.
        return sample.detach().cpu().clone()
    if isinstance(sample, dict):
        return {key: _to_cpu(value) for key, value in sample.items()}
    if isinstance(sample, tuple) and hasattr(sample, "_fields"):
        return type(sample)(*map(_to_cpu, sample))
    if isinstance(sample, (list, tuple)):
        return type(sample)(map(_to_cpu, sample))
    return sample


class _Progress:
    """A line on standard error, once a second, if that is a terminal."""

    def __init__(self, total: int, done: int, *, shown: bool) -> None:
        self._total, self._done = total, done
        self._shown = shown and sys.stderr.isatty()
        self._started = self._told = time.monotonic()
        self._fresh = 0

    def step(self) -> None:
        self._done += 1
        self._fresh += 1
        now = time.monotonic()
        if self._shown and (now - self._told > 1 or self._done == self._total):
            self._told = now
            left = (now - self._started) / self._fresh * (self._total - self._done)
            end = "\n" if self._done == self._total else ""
            sys.stderr.write(f"\rprecompute: {self._done} of {self._total}, {left:.0f} s left   {end}")
            sys.stderr.flush()
