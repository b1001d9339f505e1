"""Compute the samples of a dataset once and keep them in files that any worker can read."""

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
    """A dataset that reads the samples that `precompute` wrote.

    It holds only the path of the folder and the length, so sending it to a worker takes no time.

    Raises:
        ValueError: the folder has no samples, or `precompute` did not finish.
    """

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
        # Not weights_only: a sample may be any object, and the user's own program wrote the file.
        return torch.load(_find_file(Path(self.folder), index % self._length), weights_only=False)


def precompute(
    dataset: Dataset[Any], folder: str | os.PathLike[str], *, progress: bool = True
) -> PrecomputedDataset:
    """Compute every sample once, in this process, and return a dataset that reads them from a folder.

    The dataset may be slow or use CUDA: tensors are moved to the CPU before they are saved, so workers can
    load the result. A sample is written completely or not at all; after an interruption, the same call
    continues with the missing samples. Random augmentation is saved with the sample and no longer varies:
    leave it out of `dataset` and apply it to the result.

    Args:
        dataset: a map-style dataset with a length.
        folder: where the samples are written, one file each; it is created if it does not exist.
        progress: whether to show the progress on standard error, if that is a terminal.

    Raises:
        ValueError: the folder holds the samples of another dataset, one with another length.
    """
    root, length = Path(folder), len(dataset)  # type: ignore[arg-type]
    root.mkdir(parents=True, exist_ok=True)
    stored_length = _read_manifest(root).get("length", length)
    if stored_length != length:
        raise ValueError(
            f"{root} holds {stored_length} samples, this dataset has {length}: use another folder"
        )
    missing = [index for index in range(length) if not os.path.exists(_find_file(root, index))]
    _write_manifest(root, length, complete=not missing)
    progress_line = _ProgressLine(length, length - len(missing), is_wanted=progress)
    for index in missing:
        file = _find_file(root, index)
        file.parent.mkdir(exist_ok=True)
        _write_sample(file, _copy_to_cpu(dataset[index]))
        progress_line.step()
    _write_manifest(root, length, complete=True)
    return PrecomputedDataset(root)


def _read_manifest(root: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((root / _MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return manifest


def _write_manifest(root: Path, length: int, *, complete: bool) -> None:
    temporary = root / f"{_MANIFEST}.{os.getpid()}"
    temporary.write_text(json.dumps({"length": length, "complete": complete}), encoding="utf-8")
    temporary.replace(root / _MANIFEST)


def _find_file(root: Path, index: int) -> Path:
    # A thousand files per folder: very large folders slow down Explorer and antivirus programs.
    return root / f"{index // 1000:06d}" / f"{index:09d}.pt"


def _write_sample(file: Path, sample: object) -> None:
    temporary = file.with_suffix(f".{os.getpid()}")
    torch.save(sample, temporary)
    temporary.replace(file)


def _copy_to_cpu(sample: Any) -> Any:
    if isinstance(sample, torch.Tensor):
        # Cloned, because torch.save writes a view with its whole storage.
        return sample.detach().cpu().clone()
    if isinstance(sample, dict):
        return {key: _copy_to_cpu(value) for key, value in sample.items()}
    if isinstance(sample, tuple) and hasattr(sample, "_fields"):
        return type(sample)(*map(_copy_to_cpu, sample))
    if isinstance(sample, (list, tuple)):
        return type(sample)(map(_copy_to_cpu, sample))
    return sample


class _ProgressLine:
    """A line on standard error that is updated once a second; nothing if that is not a terminal."""

    def __init__(self, total: int, done: int, *, is_wanted: bool) -> None:
        self._total, self._done = total, done
        self._is_shown = is_wanted and sys.stderr.isatty()
        self._started = self._updated = time.monotonic()
        self._done_in_this_run = 0

    def step(self) -> None:
        self._done += 1
        self._done_in_this_run += 1
        now = time.monotonic()
        if self._is_shown and (now - self._updated > 1 or self._done == self._total):
            self._updated = now
            left_seconds = (now - self._started) / self._done_in_this_run * (self._total - self._done)
            end = "\n" if self._done == self._total else ""
            sys.stderr.write(
                f"\rprecompute: {self._done} of {self._total}, {left_seconds:.0f} s left   {end}"
            )
            sys.stderr.flush()
