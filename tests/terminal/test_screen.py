"""What is said on standard error is one line that can be read."""

import pytest

from torchdoctor.commands.schema import SCHEMAS
from torchdoctor.terminal.screen import show_message


@pytest.mark.parametrize("value", ["a" * 100_000, "a b " * 25_000, "\n" * 100 + "a\u0300" * 50_000])
def test_message_about_a_value_without_an_end_is_short(value: str, capsys) -> None:
    show_message(f"a.toml: {value} is neither a check nor a family")
    line = capsys.readouterr().err
    assert (line.count("\n"), len(line) < 11_000, line[:22]) == (1, True, "torchdoctor: a.toml: a")
    assert line.endswith(" is neither a check nor a family\n")


def test_message_that_names_two_long_paths_is_whole(capsys) -> None:
    message = f"{'/a' * 2048}: cannot be moved to {'/b' * 2048}"
    show_message(message)
    assert capsys.readouterr().err == f"torchdoctor: {message}\n"


def test_help_names_each_schema(torchdoctor) -> None:
    words = torchdoctor("schema", "--help").stdout.replace(",", " ").replace(".", " ").split()
    assert set(SCHEMAS) <= set(words)
