"""The code that the entry for loaders with streams prints makes such a loader work where there is no GPU."""

import subprocess
import sys

import pytest

THREAD = "def run(self):\n    torch.cuda.set_device(self.local_rank)\n    self.queue.put(None)\n"


@pytest.mark.torch
def test_printed_code_gives_the_batches_of_a_plain_loader(write_streaming_loader) -> None:
    program = write_streaming_loader()
    result = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=240)
    assert result.stdout.split() == ["True", "3"], result.stderr


@pytest.mark.parametrize("thread", [None, THREAD], ids=["both repaired", "thread left as it was"])
def test_scan_passes_only_after_the_whole_repair(
    torchdoctor, write_streaming_loader, thread: str | None
) -> None:
    result = torchdoctor("scan", write_streaming_loader(thread), "--select", "background-loader-stream")
    assert (result.returncode, "selects a CUDA device" in result.stdout) == (
        (1, True) if thread else (0, False)
    )
