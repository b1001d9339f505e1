"""What all actions do with a value: take out what is private, render it, and write it."""

import importlib
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from torchdoctor.terminal import screen

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from torchdoctor.engine.plugins import Broken

T = TypeVar("T")


def is_for_user(form: str, no_redact: bool) -> bool:
    """Return whether an output in a format is for the user alone: as text, or where nothing is taken out."""
    return form == "text" or no_redact


def make_shareable(
    value: T, form: str, no_redact: bool, *, is_pasted: bool = False, keeps_paths: bool = False
) -> T:
    """Return a value for an output format, redacted unless the format is text, which only the user sees.

    `is_pasted` is whether the value was read from a text that somebody pasted, and `keeps_paths` whether its
    paths are looked at apart. Every command passes what it
    renders through here. Entries are the same on every machine, and stay as they are.
    """
    if is_for_user(form, no_redact):
        return value
    from torchdoctor.knowledge import Knowledge
    from torchdoctor.probes.identity import read_identity
    from torchdoctor.redaction.redaction import redact

    return redact(value, read_identity(), (Knowledge,), is_pasted=is_pasted, keeps_paths=keeps_paths)


def make_place_shareable(path: "Path", form: str, no_redact: bool) -> "Path":
    """Return a path, as an absolute one if the relative one leads through folders of people.

    What is found there is named by that path, and only an absolute one tells whose folders it names.
    """
    if is_for_user(form, no_redact) or path.is_absolute():
        return path
    from torchdoctor.probes.identity import read_identity
    from torchdoctor.redaction.paths.given_files import leads_through_people

    identity = read_identity()
    is_of_people = leads_through_people(str(path), identity.folder, identity.redact_places)
    return path.absolute() if is_of_people else path


def make_name_shareable(name: str, form: str, no_redact: bool, *, keeps_file: bool = False) -> str:
    """Return the name of a text for an output format: it can name people and projects."""
    if is_for_user(form, no_redact):
        return name
    from torchdoctor.redaction.paths.unusual_paths import hide_name_of_text

    return hide_name_of_text(name, keeps_file=keeps_file)


def wants_colour(output: "Path | None") -> bool:
    """Return whether what goes to that file, None for the screen, is written in colour."""
    return output is None and screen.wants_colour(sys.stdout)


def write(text: str, output: "Path | None") -> None:
    """Write a text to a file, or to the screen if there is none.

    Raises:
        UsageError: the file cannot be written.
    """
    if output is None:
        screen.show(text)
    else:
        screen.write_output(output, text)


def load_renderer(form: str) -> "ModuleType":
    """Return the module that renders a report in a format."""
    module = {"text": "terminal", "html": "html.report"}.get(form, form)
    return importlib.import_module(f"torchdoctor.renderers.{module}")


def show_broken(broken: "Iterable[Broken]") -> None:
    """Print which plugins and entries could not be used, and why."""
    for item in broken:
        screen.show_message(f"{item.name}: {item.reason}")


def show_examined(python: str | None, form: str) -> None:
    """Print which interpreter was examined, if the user did not name it and the text has no line for it."""
    if python is None and form == "text":
        from torchdoctor.probes.project_python import find_python

        chosen = find_python()
        screen.show_message(f"examined: {chosen.executable} ({chosen.reason})")
