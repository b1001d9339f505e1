"""Find the concepts that a text is about, whatever its language and its words for them.

Texts in two languages share few words, but "unused" and "graphics card" are the same concepts in both. A
pair of concepts says more than each alone: a card that is unused, beside a processor that is busy.
"""

import functools
import itertools
from collections.abc import Mapping

from torchdoctor.core.bundled import read_bundled
from torchdoctor.core.patterns import pattern

# A text about more concepts is a log or a tutorial, whose pairs say nothing.
_MAX_PAIRED = 25
# Of a longer text, the start and the end are read.
_MAX_LENGTH = 3000


def find_concepts(text: str) -> list[str]:
    """Return the concepts of a text, as "@gpu", and its pairs of concepts, as "@cpu gpu"."""
    if len(text) > _MAX_LENGTH:
        text = f"{text[: _MAX_LENGTH // 2]}\n{text[-_MAX_LENGTH // 2 :]}"
    text = text.lower()
    names = [name for name, regex in read_concepts().items() if pattern(regex).search(text)]
    pairs = itertools.combinations(names, 2) if len(names) <= _MAX_PAIRED else ()
    return [f"@{name}" for name in names] + [f"@{first} {second}" for first, second in pairs]


@functools.lru_cache(maxsize=1)
def read_concepts() -> Mapping[str, str]:
    """Return the regular expressions of the concepts, for text in lower case, in the order of their names."""
    lines = read_bundled("torchdoctor.explain.own_words", "concepts.txt").decode("utf-8").splitlines()
    pairs = [line.split(": ", 1) for line in lines if not line.startswith("#")]
    return dict(sorted((name, regex) for name, regex in pairs))
