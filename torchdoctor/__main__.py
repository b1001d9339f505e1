"""Run the command line, as `torchdoctor` or `python -m torchdoctor`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

# `python -m` puts the current folder first on the import path, so the doctor would import a random.py from
# there. The folder that holds the doctor stays on it, or its plugins would not be found.
_OWN_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if __name__ == "__main__":
    try:
        if os.path.abspath(sys.path[0]) == os.getcwd() != _OWN_FOLDER:
            del sys.path[0]
    except FileNotFoundError:
        # The current folder was deleted.
        pass

_NO_MEMORY = b"torchdoctor: the system gives no more memory: close other programs, and try again\n"


def main() -> None:
    """Run the command line, without the parser of options where there are none: its import takes long.

    Raises:
        SystemExit: always, with the exit code.
    """
    if sys.version_info < (3, 10):  # noqa: UP036 - a clone can be run by any Python
        version = sys.version.split()[0]
        print(
            f"torchdoctor: this is Python {version}; torchdoctor runs on Python 3.10 or later, and "
            "examines older ones with --python PATH",
            file=sys.stderr,
        )
        raise SystemExit(3)
    try:
        _open_missing_streams()
        from torchdoctor.core.damaged_caches import read_around_damaged_caches

        read_around_damaged_caches(_OWN_FOLDER)
        if sys.argv[1:2] == ["run"] and sys.argv[2:3] not in ([], ["-h"], ["--help"]):
            raise SystemExit(_run_program(sys.argv[2:]))
        _put_library_first()
        from torchdoctor.terminal.ending import end_with

        end_with(_act)
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except (MemoryError, SystemError):
        # Where memory is short, to tell of it can fail as well, and Python itself raises a SystemError.
        os.write(2, _NO_MEMORY)
        os._exit(3)
    finally:
        # Where Ctrl-C interrupted code in a text, as dataclasses have, Python ends by the signal whatever the
        # exit code is, unless other code in a text has run since.
        exec("")


def _act() -> int:
    """Do what the command line says, and return the exit code."""
    try:
        action = _find_plain_action(sys.argv[1:])
        if action is None:
            from torchdoctor.cli.parsing import parse_and_run

            action = parse_and_run
    except ModuleNotFoundError as error:
        # This is a clone: it has no copies of packages, and those are not installed.
        print(
            f"torchdoctor: the package {error.name} is not installed for {sys.executable}; "
            f'"{sys.executable}" -m pip install "{_OWN_FOLDER}" installs torchdoctor with a copy of it, '
            "for the command torchdoctor",
            file=sys.stderr,
        )
        return 3
    return action()


def _open_missing_streams() -> None:
    """Open the null device for standard streams that are closed, as in pythonw.exe, where they are None."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - open as long as the process


def _put_library_first() -> None:
    """Move the standard library to the front of the import path.

    A random.py in a folder on PYTHONPATH is then not imported by the doctor. The examined Python has its own
    import path, and still imports it.
    """
    library = os.path.normcase(os.path.dirname(os.__file__))
    folders = (library, os.path.join(library, "lib-dynload"), os.path.join(os.path.dirname(library), "dlls"))
    sys.path.sort(key=lambda folder: os.path.normcase(str(folder)) not in folders)


def _find_plain_action(arguments: Sequence[str]) -> Callable[[], int] | None:
    """Return what `explain` and `scan` do if they are given no options, None for another command line.

    Raises:
        ModuleNotFoundError: a package is not installed.
    """
    command, *values = arguments or [""]
    if command not in ("explain", "scan") or any(each.startswith("-") and each != "-" for each in values):
        return None
    if command == "explain":
        from torchdoctor.actions.explain import explain
        from torchdoctor.commands.explain import ExplainRequest

        return lambda: explain(ExplainRequest(" ".join(values)))
    # The parser refuses an empty path, and replaces patterns and variables in arguments, which the shells of
    # Windows leave to programs.
    is_for_parser = sys.platform == "win32" and any(each in value for value in values for each in "*?[~%$")
    if is_for_parser or "" in values:
        return None
    if sys.platform != "win32" and not (_is_there("psutil") or _is_there("torchdoctor.vendored")):
        raise ModuleNotFoundError("a clone without what a scan needs", name="psutil")
    from pathlib import Path

    from torchdoctor.actions.scan import scan
    from torchdoctor.commands.scan_arguments import ScanArguments

    return lambda: scan(ScanArguments(tuple(map(Path, values))))


def _is_there(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


def _run_program(arguments: Sequence[str]) -> int:
    """Run a program, explain its failure, and return its exit code; a failure of the doctor is one line."""
    try:
        return _run(arguments)
    except Exception as error:
        # Imported here: the program is to start soon.
        from torchdoctor.core.failures import describe_failure
        from torchdoctor.terminal.screen import show_message

        message, code = describe_failure(error)
        show_message(message)
        return code


def _run(arguments: Sequence[str]) -> int:
    """Run a program, explain its failure, and return its exit code; end by the signal that ended it."""
    from torchdoctor.commands.run import run
    from torchdoctor.processes.program import exit_as
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
        from torchdoctor.terminal.screen import show_message, write_output

        write_output(Path(result.launcher.path), result.launcher.text)
        show_message(render_launcher_note(result.launcher.path, result.launcher.program))
    return exit_as(result.exit_code)


if __name__ == "__main__":
    main()
