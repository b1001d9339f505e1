"""Pasted text to ranked diagnoses: clean, split, match, rank, fill."""

from collections.abc import Callable, Iterable

from torchdoctor.explain.answer import Confidence, Diagnosis, Evidence, Explanation
from torchdoctor.knowledge import Knowledge

__all__ = ["Confidence", "Diagnosis", "Evidence", "Explanation", "explain", "explain_stream"]

# A shorter literal in a foreign script could arise by chance from a wrong decoding.
_MIN_PROOF = 4


def explain(text: str | bytes, knowledge: Knowledge) -> Explanation:
    """Explain a text: an error, a traceback, a log; bytes may be in any encoding."""
    if isinstance(text, str):
        text = text.encode("utf-8", errors="replace")
    return explain_stream((text,), knowledge)


def explain_stream(chunks: Iterable[bytes], knowledge: Knowledge) -> Explanation:
    """Explain a text of any size in bounded memory; of a long log only what stands near errors is kept."""
    # Imported here: renderers ask this package for a word or two, and most runs explain nothing.
    from torchdoctor.explain.clean import clean
    from torchdoctor.explain.fill import fill
    from torchdoctor.explain.match import find_candidates
    from torchdoctor.explain.rank import rank
    from torchdoctor.explain.split import split
    from torchdoctor.explain.stream import read_lines
    from torchdoctor.explain.values import read_values

    known = _find_known(knowledge)
    units = split(clean(read_lines(chunks, known), known))
    values = read_values(units)
    ranked = rank(find_candidates(units, knowledge), units, values)
    if not ranked:
        # Imported here: most texts are recognised.
        from torchdoctor.explain.nearest import find_nearest

        ranked = find_nearest(units, knowledge)
    return Explanation(
        recognised=any(one.confidence is not Confidence.POSSIBLE for one in ranked),
        diagnoses=tuple(fill(one, units, values) for one in ranked),
        values=values,
    )


def _find_known(knowledge: Knowledge) -> Callable[[str], bool]:
    """Say whether a text holds a literal that is not ASCII: proof that it was decoded rightly."""
    from torchdoctor.explain.fold import fold
    from torchdoctor.explain.match import fold_literal

    literals = {
        fold_literal(symptom.text)
        for entry in knowledge.entries.values()
        for symptom in entry.symptoms
        if not symptom.text.isascii() and len(symptom.text) >= _MIN_PROOF
    }

    def known(text: str) -> bool:
        folded = fold(text)
        return any(literal in folded for literal in literals)

    return known
