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
# Control characters (including escape) and surrogates.
CATEGORIES = {"Cc", "Cs"}
# Characters that change the direction of text.
DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def explain_input(data: bytes) -> None:
    """Explain bytes that arrive in two chunks, and check the answer as JSON and as text.

    Raises:
        AssertionError: the text has a dangerous character.
    """
    middle = len(data) // 2
    explanation = explain_stream(iter((data[:middle], data[middle:])), KNOWLEDGE)
    json.loads(renderer.render_json(explanation))
    text = renderer.render_text(explanation, 80, False)
    dangerous = {character for character in text.replace("\n", "") if is_dangerous(character)}
    if dangerous:
        raise AssertionError(f"the answer holds {sorted(dangerous)!r}")


def is_dangerous(character: str) -> bool:
    """Return whether a terminal interprets a character instead of showing it."""
    return unicodedata.category(character) in CATEGORIES or unicodedata.bidirectional(character) in DIRECTIONS


def write_seeds(source: Path, folder: Path) -> None:
    """Write each text of a corpus to its own file, in the encodings in which people paste, in turn."""
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
