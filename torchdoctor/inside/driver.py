"""Reads the NVIDIA driver, with the bindings that torchdoctor brings if it brings any."""

from __future__ import annotations

import sys

from .answers import write_answer


def main(answer_file: str, *folders: str) -> None:
    """Write the driver and its GPUs to the answer file; `folders` are the first to import from."""
    sys.path[:0] = folders
    from .nvml import read_driver

    write_answer(answer_file, read_driver())
