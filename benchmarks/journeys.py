"""Write docs/journeys.md from what the journeys noted.

Run as: python benchmarks/journeys.py FOLDER > docs/journeys.md. The journeys are the tests in tests/journeys;
with TORCHDOCTOR_JOURNEYS=FOLDER they note there what came of each fault.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HEAD = """# From a fault to its cure

Each row is a fault that a test plants in a real Windows Python with a real torch and 290 other
packages, under Wine. The program fails; the person asks `scan`, or pastes the output into `explain`; what the
doctor prints is typed as it stands, or the code is changed as it says; the program runs again. The tests have
packages from an index of their own, so they leave `--index-url` out; "here" is the machine of the tests.
"""

REPAIR_HEAD = """## What `repair` mends alone

Here nobody types anything but `torchdoctor repair --yes`; the program then runs, and
`torchdoctor repair --undo` brings the fault back, which is compared byte for byte.
"""


def main() -> None:
    """Print the table of the rows in all files of a folder."""
    files = sorted(Path(sys.argv[1]).glob("*.json"), key=lambda file: file.stat().st_mtime)
    read = (row for file in files for row in json.loads(file.read_text(encoding="utf-8")))
    # A journey that was made again counts once, as it ended last.
    all_rows = list({(row["group"], row["fault"]): row for row in read}.values())
    repairs = [row for row in all_rows if row["asked"].startswith("repair")]
    rows = [row for row in all_rows if row not in repairs]
    groups: dict[str, list[dict]] = {}
    for row in rows:
        groups.setdefault(row["group"], []).append(row)
    print(HEAD)
    counts = Counter(row["outcome"].partition(":")[0] for row in rows)
    named = sum(bool(row["expected"]) and row["named"].split()[0] == row["expected"] for row in rows)
    outcomes = ", ".join(f"{count} {name}" for name, count in counts.items())
    print(f"{len(rows)} faults: {named} named first; {outcomes}.\n")
    for group in sorted(groups):
        print(f"## {group.removeprefix('Journeys with ').capitalize()}\n")
        print("| Fault | Asked | Named first | Done | Then |\n| --- | --- | --- | --- | --- |")
        for row in sorted(groups[group], key=lambda row: row["fault"]):
            fault = f"[{row['fault']}]({row['source']})" if row["source"] else row["fault"]
            done = "; ".join(row["done"]).replace("|", "\\|") or "-"
            print(f"| {fault} | `{row['asked']}` | `{row['named']}` | {done} | {row['outcome']} |")
        print()
    if repairs:
        print("\n".join(list_repairs(repairs)))


def list_repairs(rows: list[dict]) -> Iterator[str]:
    """Yield the lines of the table of faults that `repair` mended alone."""
    yield REPAIR_HEAD
    faults = [row for row in rows if row["done"]]
    yield f"{len(faults)} faults: {sum(row['outcome'] == 'mended' for row in faults)} mended.\n"
    yield "| Fault | Run by `repair` | Then |\n| --- | --- | --- |"
    for row in sorted(rows, key=lambda row: row["fault"]):
        done = "; ".join(f"`{each}`" for each in row["done"] if each) or "nothing"
        yield f"| {row['fault']} | {done} | {row['outcome']} |"


if __name__ == "__main__":
    main()
