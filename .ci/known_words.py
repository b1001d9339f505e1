"""Write torchdoctor/redaction/words/known_words.txt: the words that a line of a text may be shown with.

    python .ci/known_words.py

They are the words of the entries and the documentation, and those that two samples of the tests have. Of
Chinese, Japanese and Korean, which have no blanks, they are pairs of letters.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from torchdoctor.redaction.words.vocabulary import EAST_ASIAN, WORD, list_pairs  # noqa: E402

TABLE = ROOT / "torchdoctor" / "redaction" / "words" / "known_words.txt"
SAMPLES = ROOT / "tests" / "samples"
OWN_TEXTS = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/**/*.md",
    "knowledge_base/*.md",
    "knowledge_base/programs/*.toml",
)
# A word has to be in so many samples.
MIN_TEXTS = 2
LONGEST = 24
# What Windows says in its own languages, of which one sample is enough.
SAID_BY_WINDOWS = re.compile(r"\[WinError \d{1,5}\]([^'\":\n]{5,200})")
# Names of people, and of computers, that are in examples.
NO_WORDS = frozenset(
    ("ali", "alice", "ana", "anna", "bob", "harry", "kowal", "kowalski", "kronos", "lee", "leo", "michael")
)


def find_words(text: str) -> set[str]:
    """Return the words of a text in small letters, and the pairs of letters in East Asian ones."""
    words = {word.casefold() for word in WORD.findall(text)}
    return words.union(*map(list_pairs, re.findall(rf"[{EAST_ASIAN}]{{2,}}", text)))


def find_hosts(text: str) -> set[str]:
    """Return the hosts of the addresses in a text."""
    return {host.strip(".-") for host in re.findall(r"https?://([a-z][a-z0-9.-]*\.[a-z]+)", text)}


def list_samples() -> Iterator[str]:
    """Yield the texts of the samples."""
    for path in sorted(SAMPLES.joinpath("explain").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)["text"]
    for path in sorted(SAMPLES.joinpath("readers").rglob("*.txt")):
        yield path.read_text(encoding="utf-8", errors="replace")


def write_table() -> None:
    """Find the words, and write them."""
    own: set[str] = set()
    for glob in OWN_TEXTS:
        for path in ROOT.glob(glob):
            text = path.read_text(encoding="utf-8")
            own |= find_words(text) | find_hosts(text)
    counts = Counter(word for text in list_samples() for word in find_words(text))
    for text in list_samples():
        own |= {word for said in SAID_BY_WINDOWS.findall(text) for word in find_words(said)}
    words = own | {word for word, count in counts.items() if count >= MIN_TEXTS}
    words = {word for word in words if len(word) <= LONGEST or "." in word} - NO_WORDS
    TABLE.write_text("\n".join(sorted(words)) + "\n", encoding="utf-8", newline="\n")
    print(f"{len(words)} words")


if __name__ == "__main__":
    write_table()
