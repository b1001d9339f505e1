"""Imports one package and nothing else, to compare with what it does to the import of torch."""

from __future__ import annotations

from .answers import write_answer


def main(answer_file: str, package: str) -> None:
    """Import the package, and write whether that succeeded."""
    try:
        __import__(package)
    except BaseException as error:
        write_answer(answer_file, {"stage": "raised", "exception_type": type(error).__name__})
        raise SystemExit(1) from error
    write_answer(answer_file, {"stage": "imported"})
