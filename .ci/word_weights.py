"""Write explain/own_words/word_weights.csv: the weights of words, learned from texts whose entry is known.

    python -m pip install scikit-learn
    python .ci/word_weights.py

The texts are the samples of the tests and what the entries say of their problem. For each entry, a linear
support vector machine tells its texts from all others by their words and concepts (`concepts.txt`). Of those
that occur often enough, those that tell most are kept, and the classifier learns again with these alone.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy  # noqa: TID251 - the doctor is not run here
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from torchdoctor.explain.own_words.words import NONE, find_features  # noqa: E402
from torchdoctor.explain.text.clean import clean, number_lines  # noqa: E402
from torchdoctor.explain.text.split import join_units, split  # noqa: E402

TABLE = ROOT / "torchdoctor" / "explain" / "own_words" / "word_weights.csv"
SAMPLES = ROOT / "tests" / "samples" / "explain"
HEADER = (
    "# The weights of words and concepts, learned from the samples of the tests and from the entries.\n"
    "# Written by .ci/word_weights.py, which says how. First the intercept of each label; then of each word\n"
    "# its inverse document frequency, and its weights for labels, which are numbered from 0.\n"
    "# Intercepts and weights are in hundredths.\n"
)
# A word has to be in this many texts; of so many words, the weights for an entry are kept: large ones first,
# and of two that are alike that of the word in more texts. With these figures, texts that were not learned
# from are told apart nearly as well as by all weights; with 300 or the largest alone, one in twenty is lost.
MIN_TEXTS, KEPT_WORDS = 2, 600
# How much an error in the texts costs, against weights that are large. An error costs more where a label has
# fewer texts, and most in a text that no entry is about: a wrong answer to it is worse than none.
PENALTY, NONE_FACTOR = 2.0, 4


def read_text(text: str) -> str:
    """Return a text as `explain` reads it."""
    return join_units(split(clean(number_lines(text), lambda line: False)))


def list_samples() -> Iterator[tuple[str, str]]:
    """Yield the texts of the samples, each once, with its first label that is an entry, or `NONE`."""
    labels = {NONE, *(name_entry(path) for path in list_files())}
    known: set[str] = set()
    for name in ("cures.jsonl", "variants.jsonl", "questions.jsonl", "asked.jsonl"):
        for line in (SAMPLES / name).read_text(encoding="utf-8").splitlines():
            sample = json.loads(line)
            names = [sample["entry"]] if "entry" in sample else [sample["label"], *sample.get("also", ())]
            label = next((each for each in names if each in labels), None)
            text = read_text(sample["text"])
            if label and text not in known:
                known.add(text)
                yield text, label


def list_files() -> list[Path]:
    """Return the files of the entries."""
    return sorted((ROOT / "knowledge_base").glob("*.md"))


def name_entry(path: Path) -> str:
    """Return the name of the entry in a file."""
    return path.stem.replace("_", "-")


def list_entries() -> Iterator[tuple[str, str]]:
    """Yield what each entry says of its problem, and the titles and sentences of its cases."""
    for path in list_files():
        label = name_entry(path)
        _, head, body = path.read_text(encoding="utf-8").split("```", 2)
        yield body.split("## Fix")[0], label
        for sentence in re.findall(r'(?:title|says) = "([^"]+)"', head):
            yield re.sub(r"\{[^}|]*\|?([^}]*)\}", r"\1", sentence), label


def learn(
    texts: Sequence[str], labels: Sequence[str], words: Sequence[str] | None
) -> tuple[TfidfVectorizer, LinearSVC]:
    """Learn from texts by all words that are in enough of them, or by these words."""
    vectorizer = TfidfVectorizer(
        analyzer=find_features, min_df=1 if words else MIN_TEXTS, vocabulary=words, sublinear_tf=True
    )
    classifier = LinearSVC(C=PENALTY, class_weight=weigh_labels(labels), random_state=0)
    return vectorizer, classifier.fit(vectorizer.fit_transform(texts), labels)


def weigh_labels(labels: Sequence[str]) -> dict[str, float]:
    """Return what an error in a text of each label costs."""
    counts = Counter(labels)
    mean = len(labels) / len(counts)
    return {label: mean / count * (NONE_FACTOR if label == NONE else 1) for label, count in counts.items()}


def find_telling(vectorizer: TfidfVectorizer, classifier: LinearSVC) -> list[set[int]]:
    """Return for each label the places of the words that tell most: of a large weight, and in many texts."""
    counts = numpy.exp(1 - vectorizer.idf_)
    return [
        set(numpy.argsort(-numpy.abs(row) * numpy.cbrt(counts), kind="stable")[:KEPT_WORDS].tolist())
        for row in classifier.coef_
    ]


def write_table() -> None:
    """Learn the weights, and write them."""
    texts, labels = zip(*(*list_samples(), *list_entries()), strict=True)
    vectorizer, classifier = learn(texts, labels, None)
    names = vectorizer.get_feature_names_out()
    kept = sorted(set().union(*find_telling(vectorizer, classifier)))
    vectorizer, classifier = learn(texts, labels, [names[place] for place in kept])
    telling = find_telling(vectorizer, classifier)
    intercepts = zip(classifier.classes_, classifier.intercept_, strict=True)
    rows = [",".join(f"{label}:{round(intercept * 100)}" for label, intercept in intercepts)]
    for place, word in enumerate(vectorizer.get_feature_names_out()):
        weights = (
            f"{row}:{round(classifier.coef_[row, place] * 100)}"
            for row in range(len(classifier.classes_))
            if place in telling[row] and round(classifier.coef_[row, place] * 100)
        )
        if row := ",".join(weights):
            rows.append(f"{word},{vectorizer.idf_[place]:.2f},{row}")
    TABLE.write_text(HEADER + "\n".join(rows) + "\n", encoding="utf-8", newline="\n")
    print(f"{len(texts)} texts, {len(classifier.classes_)} labels ({NONE} among them), {len(rows) - 1} words")


if __name__ == "__main__":
    write_table()
