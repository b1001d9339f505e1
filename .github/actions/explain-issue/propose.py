"""Write the comment on an issue whose text, in the variable BODY, torchdoctor is certain about.

    python propose.py TORCHDOCTOR COMMENT.md

A comment that is wrong costs more than none: an answer that is only likely is not proposed.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

_ENDING = """
---
*This answer was made by torchdoctor from the text above, and nobody has read it. If it does not fit,
please say so.*
"""


def propose(command: str, body: str) -> str:
    """Return the comment, "" if the answer is not certain."""
    answer = json.loads(_explain(command, body, "json"))
    first = next(iter(answer["diagnoses"]), None)
    if not answer["recognised"] or first is None or first["confidence"] != "certain":
        return ""
    return _explain(command, body, "markdown") + _ENDING


def _explain(command: str, body: str, form: str) -> str:
    result = subprocess.run(
        [command, "explain", "--file", "-", "--format", form], input=body.encode(), stdout=subprocess.PIPE
    )
    # 1 is an answer: the text was not recognised.
    if result.returncode not in (0, 1):
        raise SystemExit(result.returncode)
    return result.stdout.decode("utf-8")


def main() -> None:
    """Write the comment, and say in the outputs and the summary of the job whether there is one."""
    command, target = sys.argv[1:]
    comment = propose(command, os.environ.get("BODY", ""))
    if comment:
        Path(target).write_text(comment, encoding="utf-8")
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
        file.write(f"proposed={'true' if comment else 'false'}\n")
    with open(os.environ["GITHUB_STEP_SUMMARY"], "a", encoding="utf-8") as file:
        file.write(comment or "No comment is proposed: the text does not make the answer certain.\n")


if __name__ == "__main__":
    main()
