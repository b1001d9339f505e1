"""The edit of a loader that uses CUDA streams changes what its finding reports, and nothing else."""

import pytest

from tests.source.planned_edits import CHECKS, edit, plan_edit
from torchdoctor.check import Finding
from torchdoctor.source import SourceFile
from torchdoctor.source.files.reading import parse_source


def write_prefetcher(block: str, stream: str = "torch.cuda.Stream()", wait: str = "") -> str:
    """Return a prefetcher that runs a block of code in its stream, and waits for it with the line `wait`."""
    wait = wait or "torch.cuda.current_stream().wait_stream(self.stream)"
    lines = "".join(f"            {line}\n" for line in block.splitlines())
    return (
        "import torch\n\n\nclass Prefetcher:\n    def __init__(self, loader):\n        self.loader = iter(loader)\n"
        f"        self.stream = {stream}  # one a process\n\n    def preload(self):\n"
        f"        self.batch = next(self.loader)\n        with torch.cuda.stream(self.stream):\n{lines}\n"
        f"    def next(self):\n        {wait}\n        return self.batch\n"
    )


MOVE = "self.batch = self.batch.cuda()"


@pytest.mark.parametrize(
    "block",
    [
        "self.batch = self.batch.cuda(non_blocking=True)",
        "for name in self.batch:\n    if torch.is_tensor(self.batch[name]):\n        self.batch[name] = self.batch[name].to(\n            device=0, non_blocking=True\n        )",
        "self.images, self.targets = self.images.to(0), self.targets.to(0)",
        "self.batch = {name: value.cuda() for name, value in self.batch.items()}",
        "self.batch = [each.cuda() if torch.is_tensor(each) else each for each in self.batch]",
    ],
    ids=["one", "loop", "pair", "dictionary", "list"],
)
def test_loader_uses_streams_only_where_there_is_a_gpu(block: str) -> None:
    text = write_prefetcher(block)
    changed = edit("background-loader-stream", text)
    assert changed is not None
    for line in (
        "with torch.cuda.stream(self.stream):",
        "torch.cuda.current_stream().wait_stream(self.stream)",
    ):
        assert f"        if torch.cuda.is_available():\n            {line}\n" in changed
    before = text.replace("Stream()  #", "Stream() if torch.cuda.is_available() else None  #")
    lines = [line.strip() for line in changed.splitlines() if line.strip() != "if torch.cuda.is_available():"]
    assert lines == [line.strip() for line in before.splitlines()]


@pytest.mark.parametrize(
    "text",
    [
        write_prefetcher("self.batch = self.batch.cuda().float().sub_(self.mean)"),
        write_prefetcher("self.batch = self.batch.to(0, torch.float16)"),
        write_prefetcher("self.batch = self.batch.to(0, dtype=torch.float16)"),
        write_prefetcher("self.batch = {k: v.cuda() for k, v in self.batch.items() if torch.is_tensor(v)}"),
        write_prefetcher("self.batch = next(self.loader)"),
        write_prefetcher("self.other = self.batch.cuda()"),
        write_prefetcher(MOVE, wait="x = 1; self.stream.synchronize()"),
        write_prefetcher(MOVE, wait="batch = self.batch.cuda()"),
        write_prefetcher(MOVE, wait="return self.share(self.stream)"),
        write_prefetcher(MOVE, stream="wrap(torch.cuda.Stream())"),
        write_prefetcher("self.batch = self.batch.to(self.dtype)"),
        write_prefetcher("self.batch = self.batch.to(*self.places)"),
        write_prefetcher("self.batch = {**self.batch}"),
        write_prefetcher("if (more := next(self.loader)) is not None:\n    self.batch = self.batch.cuda()"),
        write_prefetcher("for self.batch in self.loader:\n    self.batch = self.batch.cuda()"),
        write_prefetcher(MOVE, wait="self.queue.put(self.batch.cuda())"),
        write_prefetcher(MOVE, wait="self.ready.append((self.batch, torch.cuda.current_stream()))"),
        write_prefetcher(MOVE, wait="self.load(self.stream)"),
        write_prefetcher(MOVE, wait="self.record_stream(self.batch)"),
        write_prefetcher(MOVE, wait="threading.Thread(target=self.work, args=(self.stream,)).start()"),
        write_prefetcher(MOVE, wait="zeros = torch.zeros(3, device='cuda')"),
        write_prefetcher(MOVE, wait="batch = self.batch.type(torch.cuda.FloatTensor)"),
        write_prefetcher(MOVE, wait="self.streams.append(torch.cuda.Stream())"),
        write_prefetcher(MOVE, wait="torch.cuda.set_device(self.choose())"),
        write_prefetcher(MOVE)
        + "\n\nclass Other(Prefetcher):\n    def last(self):\n        self.stream.synchronize()\n",
        write_prefetcher(MOVE)
        .replace("import torch\n", "")
        .replace("        self.loader =", "        import torch\n        self.loader ="),
        write_prefetcher(MOVE, wait="torch.cuda.synchronize()").replace(
            "(self, loader)", "(self, loader, torch=torch)"
        ),
        write_prefetcher(
            MOVE,
            stream="None\n        try:\n            self.stream = torch.cuda.Stream()\n        except Exception:\n            pass",
        ),
        write_prefetcher(MOVE, stream="Stream()").replace(
            "torch\n", "torch\nfrom torch.cuda import Stream\n", 1
        ),
    ],
    ids=[
        "arithmetic",
        "type",
        "type by name",
        "filter",
        "reads there",
        "other place",
        "two on a line",
        "moved elsewhere",
        "stream passed on",
        "wrapped stream",
        "type of its own",
        "starred",
        "copy",
        "read in a condition",
        "read by a loop",
        "put into a queue",
        "kept in a list",
        "own method",
        "own method of a tensor's name",
        "thread",
        "other call that needs CUDA",
        "CUDA type",
        "list of streams",
        "device by a call",
        "derived class",
        "late import",
        "other name of torch",
        "caught",
        "imported name",
    ],
)
def test_stream_edit_that_could_change_batches_is_not_offered(text: str) -> None:
    source = parse_source("a.py", text.encode())
    assert isinstance(source, SourceFile)
    assert any(isinstance(each, Finding) for each in CHECKS["background-loader-stream"].function(source))
    assert plan_edit("background-loader-stream", text) is None


def test_stream_edit_keeps_tabs_and_strings() -> None:
    text = write_prefetcher(MOVE, wait="torch.cuda.set_device(RANKS['''a\n'''])").replace("    ", "\t")
    changed = edit("background-loader-stream", text)
    assert changed is not None
    assert "\t\tif torch.cuda.is_available():\n\t\t\ttorch.cuda.set_device(RANKS['''a\n'''])\n" in changed
