"""How often `explain` names the labelled problem, and how often it cries wolf.

    python benchmarks/explain_quality.py CORPUS.jsonl [--knowledge DIR] [--verbose]

A case is a JSON object a line with `id`, `text`, `label` and `also`. The first diagnosis counts as a hit
when it is the label or one of `also`; for the label `none`, silence and `possible` are hits, and a certain
or likely answer outside `also` is a false alarm.
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
    """Read every entry of a folder; a damaged one, or none at all, ends the benchmark."""
    paths = sorted(folder.glob("*.md"))
    if not paths:
        raise SystemExit(f"{folder}: there are no entries")
    try:
        return index_entries(
            parse_entry(path.stem.replace("_", "-"), path.read_text(encoding="utf-8")) for path in paths
        )
    except EntryError as error:
        raise SystemExit(str(error)) from error


def judge(case: dict[str, object], explanation: Explanation) -> bool:
    """Say whether the answer is right."""
    first = explanation.diagnoses[0] if explanation.diagnoses else None
    name = first.name if first else "-"
    also = case["also"] if isinstance(case["also"], list) else []
    if case["label"] == "none":
        quiet = first is None or first.confidence is Confidence.POSSIBLE
        return quiet or name in also
    return name == case["label"] or name in also


def main() -> None:
    """Print the figures."""
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
    confusions: list[str] = []
    confidences: Counter[str] = Counter()
    for case in cases:
        explanation = explain(case["text"], knowledge)
        right = judge(case, explanation)
        hits[case["label"]] += right
        level = explanation.diagnoses[0].confidence.value if explanation.diagnoses else "silent"
        kind = "none" if case["label"] == "none" else "labelled"
        confidences[f"{kind} {level} {'right' if right else 'wrong'}"] += 1
        if not right or arguments.verbose:
            others = ", ".join(f"{d.name} ({d.confidence.value})" for d in explanation.diagnoses)
            mark = " " if right else "!"
            confusions.append(f"{mark} {case['id']}  {case['label']}  ->  {others or 'silence'}")
    report(knowledge, hits, totals, confusions, confidences)


def report(
    knowledge: Knowledge,
    hits: Counter[str],
    totals: Counter[str],
    confusions: list[str],
    confidences: Counter[str],
) -> None:
    """Print rates, the weak labels and each wrong answer."""
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
    for line in confusions:
        print(f"  {line}")


if __name__ == "__main__":
    main()
