"""Measure how often `explain` names the labelled problem, and how often it raises a false alarm.

    python benchmarks/explain_quality.py CORPUS.jsonl [--knowledge DIR] [--verbose]

Each line of the corpus is a case: a JSON object with `id`, `text`, `label` and `also`. It is a hit if the
first diagnosis is the label or one of `also`. For the label `none`, it is a hit if there is no diagnosis or
the first one is only possible; a certain or likely one outside `also` is a false alarm.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from torchdoctor.explain import Confidence, Explanation, explain
from torchdoctor.knowledge import EntryError, Knowledge, index_entries, parse_entry

HERE = Path(__file__).resolve().parent


def load_knowledge(folder: Path) -> Knowledge:
    """Read every entry of a folder; a damaged entry, or an empty folder, ends the benchmark."""
    paths = sorted(folder.glob("*.md"))
    if not paths:
        raise SystemExit(f"{folder}: there are no entries")
    try:
        return index_entries(
            parse_entry(path.stem.replace("_", "-"), path.read_text(encoding="utf-8")) for path in paths
        )
    except EntryError as error:
        raise SystemExit(str(error)) from error


def is_hit(case: dict[str, object], explanation: Explanation) -> bool:
    """Return whether the explanation is right for a case."""
    first = explanation.diagnoses[0] if explanation.diagnoses else None
    name = first.name if first else "-"
    also = case["also"] if isinstance(case["also"], list) else []
    if case["label"] == "none":
        is_quiet = first is None or first.confidence is Confidence.POSSIBLE
        return is_quiet or name in also
    return name == case["label"] or name in also


def main() -> None:
    """Explain every case, and print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--knowledge", type=Path, default=HERE.parent / "knowledge_base")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    knowledge = load_knowledge(arguments.knowledge)
    cases = [json.loads(line) for line in arguments.corpus.read_text(encoding="utf-8").splitlines() if line]
    if not cases:
        raise SystemExit(f"{arguments.corpus}: there are no cases")
    hits: Counter[str] = Counter()
    totals: Counter[str] = Counter(case["label"] for case in cases)
    answers: list[str] = []
    confidences: Counter[str] = Counter()
    for case in cases:
        explanation = explain(case["text"], knowledge)
        right = is_hit(case, explanation)
        hits[case["label"]] += right
        level = explanation.diagnoses[0].confidence.value if explanation.diagnoses else "silent"
        kind = "none" if case["label"] == "none" else "labelled"
        confidences[f"{kind} {level} {'right' if right else 'wrong'}"] += 1
        if not right or arguments.verbose:
            others = ", ".join(f"{d.name} ({d.confidence.value})" for d in explanation.diagnoses)
            mark = " " if right else "!"
            answers.append(f"{mark} {case['id']}  {case['label']}  ->  {others or 'silence'}")
    print_figures(knowledge, hits, totals, answers, confidences)


def print_figures(
    knowledge: Knowledge,
    hits: Counter[str],
    totals: Counter[str],
    answers: list[str],
    confidences: Counter[str],
) -> None:
    """Print the rates, the labels with misses, and the wrong answers (all answers if verbose)."""
    labelled = totals.total() - totals["none"]
    right = hits.total() - hits["none"]
    print(f"entries       {len(knowledge.entries)}")
    print(f"hits          {right} of {labelled} ({right / max(labelled, 1):.1%})")
    print(f"false alarms  {totals['none'] - hits['none']} of {totals['none']}")
    for key in sorted(confidences):
        print(f"  {confidences[key]:4}  {key}")
    print("labels with misses:")
    for label in sorted(totals):
        if hits[label] < totals[label]:
            print(f"  {hits[label]:3} of {totals[label]:3}  {label}")
    print("answers:")
    for line in answers:
        print(f"  {line}")


if __name__ == "__main__":
    main()
