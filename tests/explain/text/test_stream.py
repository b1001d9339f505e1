"""Long logs are read in chunks, with bounded memory."""

import tracemalloc
from collections.abc import Iterator

import pytest

from torchdoctor.explain import explain_stream
from torchdoctor.knowledge import Knowledge

ERROR = b"\nAssertionError: Torch not compiled with CUDA enabled\n"
STEP = b"2026-01-01 12:00:00 INFO step 1 loss 0.5 lr 0.001\n" * 20_000
NOISE = b"".join(b"ERROR item %x%x failed\n" % (i * 7919, i) for i in range(30_000))


def repeat_chunks(*chunks: bytes, repeat: int = 3) -> Iterator[bytes]:
    for _ in range(repeat):
        yield from chunks


def test_finds_an_error_in_the_middle_of_a_log(knowledge: Knowledge) -> None:
    chunks = [*repeat_chunks(STEP), ERROR, *repeat_chunks(STEP)]
    (evidence,) = explain_stream(chunks, knowledge).diagnoses[0].evidence
    assert evidence.line == 3 * 20_000 + 2


def test_finds_an_error_among_many_others(knowledge: Knowledge) -> None:
    assert explain_stream([*repeat_chunks(NOISE), ERROR, *repeat_chunks(STEP)], knowledge).recognised


def test_finds_an_error_across_chunks(knowledge: Knowledge) -> None:
    data = STEP * 2 + ERROR
    assert explain_stream((data[i : i + 999] for i in range(0, len(data), 999)), knowledge).recognised


def test_decodes_long_utf_16(knowledge: Knowledge) -> None:
    assert explain_stream([(STEP * 2 + ERROR).decode().encode("utf-16")], knowledge).recognised


def test_survives_very_long_lines(knowledge: Knowledge) -> None:
    assert explain_stream([*repeat_chunks(b"x error " * 200_000), ERROR], knowledge).recognised


@pytest.mark.parametrize("length", [10_000, 200_000, 2_000_000])
def test_reads_the_start_and_the_end_of_a_line_that_is_cut(length: int, knowledge: Knowledge) -> None:
    filling = b"x " * length
    assert explain_stream([ERROR.strip() + b" " + filling], knowledge).recognised
    assert explain_stream([filling + b"\r" + ERROR.strip()], knowledge).recognised


def test_memory_is_bounded(knowledge: Knowledge) -> None:
    tracemalloc.start()
    explain_stream(repeat_chunks(STEP, repeat=30), knowledge)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 << 20
