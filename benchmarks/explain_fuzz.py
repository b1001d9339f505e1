"""Feed `explain` with bytes that a coverage-guided fuzzer makes up; it has to answer every time.

    pip install atheris
    python benchmarks/explain_fuzz.py SEEDS -max_total_time=1800 -timeout=20

SEEDS is a folder of texts to begin with, or a JSONL corpus with a `text` in each line. An exception, a
control character in the answer, JSON that cannot be read and an answer that takes longer than the timeout
end the run, and libFuzzer leaves the input in a file.
"""

import json
import sys
import tempfile
import unicodedata
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["torchdoctor"]):
    from torchdoctor.engine.library import load_knowledge
    from torchdoctor.explain import explain_stream
    from torchdoctor.knowledge import parse_head
    from torchdoctor.renderers import explanation as renderer

KNOWLEDGE, BROKEN = load_knowledge(parse_head)
# Control characters, escape among them, and halves of characters; and what turns the direction of text.
CATEGORIES = {"Cc", "Cs"}
DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def explain_input(data: bytes) -> None:
    """Explain bytes that arrive in two pieces, and look at the answer as a terminal and a program would."""
    middle = len(data) // 2
    found = explain_stream(iter((data[:middle], data[middle:])), KNOWLEDGE)
    json.loads(renderer.render_json(found))
    shown = renderer.render_text(found, 80, False)
    strange = {character for character in shown.replace("\n", "") if is_dangerous(character)}
    if strange:
        raise AssertionError(f"the answer holds {sorted(strange)!r}")


def is_dangerous(character: str) -> bool:
    """Tell whether a character does something to a terminal instead of being shown."""
    return unicodedata.category(character) in CATEGORIES or unicodedata.bidirectional(character) in DIRECTIONS


def write_seeds(source: Path, folder: Path) -> None:
    """Write each text of a corpus to a file of its own, in the encodings in which people paste."""
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines()):
        text = json.loads(line)["text"]
        encoding = ("utf-8", "utf-16", "cp936", "cp1252")[number % 4]
        (folder / f"{number}").write_bytes(text.encode(encoding, errors="replace"))


def main() -> None:
    """Run libFuzzer with its own options."""
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    if BROKEN:
        raise SystemExit(f"{BROKEN[0].name}: {BROKEN[0].reason}")
    seeds = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        if seeds.is_file():
            write_seeds(seeds, Path(folder))
            sys.argv[1] = folder
        atheris.Setup(sys.argv, explain_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
