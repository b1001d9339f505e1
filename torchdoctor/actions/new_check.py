"""Write a new check."""

import os

from torchdoctor.actions.showing import write
from torchdoctor.terminal import screen


def new_check(name: str, family: str) -> int:
    """Write the files of a new check, and say what to do next."""
    from pathlib import Path

    from torchdoctor.commands.new_check import make_check

    made = make_check(name, family, Path())
    for path, text in made.files.items():
        os.makedirs(path.parent, exist_ok=True)
        screen.write_output(path, text)
    lines = [*map(str, made.files), "", "Next:", *(f"  {step}" for step in made.next_steps)]
    write("".join(f"{line}\n" for line in lines), None)
    return 0
