"""Texts that people paste."""

import json

from hypothesis import strategies as st
from mutations import damaged_bytes, damaged_lines, damaged_texts

from targets.table import IDENTITY, KNOWLEDGE, SAMPLES, read_samples, refuse, require_plain, target
from torchdoctor.explain import explain_stream
from torchdoctor.knowledge import Knowledge
from torchdoctor.redaction.redaction import redact
from torchdoctor.renderers import explanation as explanations

LINES = (SAMPLES / "explain" / "variants.jsonl").read_text(encoding="utf-8").splitlines()
ERRORS = (*(json.loads(line)["text"] for line in LINES), *read_samples("explain/*.txt"))
ENCODINGS = (
    "utf-8",
    "utf-16",
    "utf-16-le",
    "utf-8-sig",
    "cp936",
    "cp932",
    "cp1251",
    "cp1252",
    "cp850",
    "utf-32",
)


@target(
    damaged_texts(ERRORS) | damaged_lines(ERRORS) | st.text(),
    st.sampled_from(ENCODINGS),
    st.sampled_from(("", "cp936", "cp1252", "nonsense")),
    st.integers(0, 3),
)
def text(pasted: str, encoding: str, code_page: str, cut: int) -> None:
    """A text in any encoding is explained."""
    data = pasted.encode(encoding, errors="replace")[cut:]
    middle = len(data) // 2
    explanation = explain_stream((data[:middle], data[middle:]), KNOWLEDGE, code_page)
    assert len(explanation.diagnoses) <= 3
    json.loads(explanations.render_json(redact(explanation, IDENTITY, (Knowledge,))), parse_constant=refuse)
    for width in (30, 80):
        require_plain(explanations.render_text(explanation, width, False))


@target(st.binary(max_size=400) | damaged_bytes([each.encode() for each in ERRORS]))
def pasted_bytes(data: bytes) -> None:
    """Bytes that are no text are explained."""
    explanation = explain_stream((data,), KNOWLEDGE)
    json.loads(explanations.render_json(explanation), parse_constant=refuse)
    require_plain(explanations.render_text(explanation, 80, False))
