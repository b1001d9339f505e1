"""Runs the command line: `torchdoctor`, and `python -m torchdoctor`."""

import os
import sys

# `python -m` puts the current folder first on the import path: a random.py there would run in the doctor.
# The doctor's own folder stays there, or its plugins would not be found.
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if __name__ == "__main__" and os.path.abspath(sys.path[0]) == os.getcwd() != _OWN:
    del sys.path[0]


def _put_library_first() -> None:
    """Keep a random.py of a folder on PYTHONPATH out of the doctor; the examined Python still gets it."""
    library = os.path.normcase(os.path.dirname(os.__file__))
    places = (library, os.path.join(library, "lib-dynload"), os.path.join(os.path.dirname(library), "dlls"))
    sys.path.sort(key=lambda folder: os.path.normcase(str(folder)) not in places)


def main() -> None:
    """Run the command line; `run` goes straight to the program, without loading what only others need.

    Raises:
        SystemExit: always, with the exit code.
    """
    if sys.argv[1:2] != ["run"] or sys.argv[2:3] in ([], ["-h"], ["--help"]):
        _put_library_first()
        from torchdoctor import cli

        cli.main()
    from torchdoctor.running import run
    from torchdoctor.usage import UsageError

    try:
        raise SystemExit(run(sys.argv[2:]))
    except UsageError as error:
        print(f"torchdoctor: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except Exception as error:
        from torchdoctor.screen import complain, describe_defect

        complain(describe_defect(error))
        raise SystemExit(3) from None


if __name__ == "__main__":
    main()
