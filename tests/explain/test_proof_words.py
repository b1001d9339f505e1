"""Of a proof, the words that an entry has are public, and what its pattern matches in between is not."""

import pytest

from torchdoctor.explain.proof_words import find_words_of_pattern


@pytest.mark.parametrize(
    ("expression", "proof", "words"),
    [
        (r"failed to compil\w+ (?P<package>\S+)", "failed to compile kranich", {"failed", "to", "compile"}),
        (r"\bcompil", "compilkranich", set()),
        (r"\bis", "island", set()),
        (r"(?P<kranich>\w+) is missing", "kranich is missing", {"is", "missing"}),
        (r"[kranich]{7} is missing", "kranich is missing", {"is", "missing"}),
        ("找不到指定的(?:模块|程序)", "找不到指定的程序 kranich", set()),
        ("找不到指定的模块", "找不到指定的模块 kranich", {"找不到指定的模块"}),
    ],
    ids=["ending", "no-ending", "short", "group", "letters", "part", "chinese"],
)
def test_words_of_a_proof_are_those_of_its_pattern(expression: str, proof: str, words: set[str]) -> None:
    assert find_words_of_pattern(expression, proof) == words
