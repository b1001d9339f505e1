"""Runs the command line: `torchdoctor`, and `python -m torchdoctor`."""

import os
import sys
from collections.abc import Sequence

# `python -m` puts the current folder first on the import path: a random.py there would run in the doctor.
# The doctor's own folder stays there, or its plugins would not be found.
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if __name__ == "__main__" and os.path.abspath(sys.path[0]) == os.getcwd() != _OWN:
    del sys.path[0]


def main() -> None:
    """Run the command line; `run` starts the program without loading what only other commands need.

    Raises:
        SystemExit: always, with the exit code.
    """
    if sys.argv[1:2] != ["run"] or sys.argv[2:3] in ([], ["-h"], ["--help"]):
        _put_library_first()
        _run_command_line()
    from torchdoctor.core.usage import UsageError

    try:
        raise SystemExit(_run(sys.argv[2:]))
    except UsageError as error:
        print(f"torchdoctor: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except Exception as error:
        from torchdoctor.terminal.screen import describe_defect, show_message

        show_message(describe_defect(error))
        raise SystemExit(3) from None


def _put_library_first() -> None:
    """Keep a random.py of a folder on PYTHONPATH out of the doctor; the examined Python still gets it."""
    library = os.path.normcase(os.path.dirname(os.__file__))
    places = (library, os.path.join(library, "lib-dynload"), os.path.join(os.path.dirname(library), "dlls"))
    sys.path.sort(key=lambda folder: os.path.normcase(str(folder)) not in places)


def _run_command_line() -> None:
    try:
        from torchdoctor import cli
    except ModuleNotFoundError as error:
        # A clone that nothing was installed for.
        print(
            f"torchdoctor: the package {error.name} is not installed for {sys.executable}; "
            f'"{sys.executable}" -m pip install "{_OWN}" installs torchdoctor with what it needs',
            file=sys.stderr,
        )
        raise SystemExit(3) from None
    cli.main()


def _run(arguments: Sequence[str]) -> int:
    """Run a program, say what its failure means, and return the exit code; end as a signal ended it."""
    from torchdoctor.commands.run import run
    from torchdoctor.processes.program import end_as
    from torchdoctor.terminal.progress_line import ProgressLine

    with ProgressLine() as progress:
        result = run(arguments, progress.watch)
    if result.failure is not None:
        from torchdoctor.renderers.run import render_failure
        from torchdoctor.terminal.screen import show_error, wants_colour

        show_error(render_failure(result.failure, colour=wants_colour(sys.stderr)))
    if result.launcher is not None:
        from pathlib import Path

        from torchdoctor.renderers.run import render_launcher_note
        from torchdoctor.terminal.screen import show_error, write_output

        write_output(Path(result.launcher.path), result.launcher.text)
        show_error(render_launcher_note(result.launcher.path, result.launcher.program))
    return end_as(result.exit_code)


if __name__ == "__main__":
    main()
