"""Measure how long torchdoctor.pe and pefile take to read the DLL import graph of a folder, in one process.

python benchmarks/pe_graph.py FOLDER [RUNS]     FOLDER: an installed or unpacked torch (its torch\\ folder)
"""

import statistics
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pefile

from torchdoctor.pe import collect_images, read_image

Edges = frozenset[tuple[str, str]]
_IMPORTS = [
    pefile.DIRECTORY_ENTRY["IMAGE_DIRECTORY_ENTRY_IMPORT"],
    pefile.DIRECTORY_ENTRY["IMAGE_DIRECTORY_ENTRY_DELAY_IMPORT"],
]


def read_own_edges(images: tuple[Path, ...]) -> Edges:
    """Read the import graph with torchdoctor.pe."""
    return frozenset((path.name, dll.dll.lower()) for path in images for dll in read_image(path).imports)


def read_pefile_edges(images: tuple[Path, ...]) -> Edges:
    """Read the import graph with pefile, in its fastest mode that gives the right answer."""
    edges = set()
    for path in images:
        with pefile.PE(path, fast_load=True) as image:
            image.parse_data_directories(_IMPORTS, import_dllnames_only=True)
            for table in ("DIRECTORY_ENTRY_IMPORT", "DIRECTORY_ENTRY_DELAY_IMPORT"):
                edges |= {(path.name, entry.dll.decode().lower()) for entry in getattr(image, table, ())}
    return frozenset(edges)


def measure(
    read_edges: Callable[[tuple[Path, ...]], Edges], images: tuple[Path, ...], runs: int
) -> tuple[float, Edges]:
    """Return the median time of the runs in seconds, after one that warms the page cache, and the edges."""
    edges = read_edges(images)
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        read_edges(images)
        times.append(time.perf_counter() - start)
    return statistics.median(times), edges


def main(folder: Path, runs: int) -> None:
    """Print the edges and times of both readers, and the ratio of the times."""
    with collect_images(folder) as found:
        size = sum(path.stat().st_size for path in found.images)
        print(f"{len(found.images)} files, {size / 1e6:.0f} MB, {runs} runs")
        own_seconds, own = measure(read_own_edges, found.images, runs)
        peer_seconds, peer = measure(read_pefile_edges, found.images, runs)
    for name, seconds, edges in (("torchdoctor.pe", own_seconds, own), ("pefile", peer_seconds, peer)):
        digest = sha256("\n".join(map(str, sorted(edges))).encode()).hexdigest()[:10]
        print(f"{name:15} {seconds * 1000:8.2f} ms  {len(edges)} edges  digest {digest}")
    if own != peer or not own:
        raise SystemExit("the graphs differ, or there is none: the times say nothing")
    print(f"ratio {peer_seconds / own_seconds:.1f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 15)
