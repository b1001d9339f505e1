"""Reads the first line that the lab's launcher prints: `LAB-ENV torch=2.9.1+cu128 driver=451.48`."""

import re
from collections.abc import Iterator

from torchdoctor.readers import Lines, Statement, Topic

WORDS = ("lab-env",)
_TOPICS = {"torch": Topic.TORCH, "driver": Topic.DRIVER, "cuda": Topic.TORCH_CUDA}


def read(lines: Lines) -> Iterator[Statement]:
    """Yield what the line says."""
    for number, line in lines:
        if line.startswith("LAB-ENV "):
            for name, value in re.findall(r"(\w+)=(\S+)", line):
                if name in _TOPICS:
                    yield Statement(_TOPICS[name], value, number)
