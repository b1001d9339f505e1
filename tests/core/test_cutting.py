"""A text that is cut has no part of a name, a path or a secret."""

import pytest

from torchdoctor.inside.cutting import cut_end

TEXTS = {
    "home": (
        r"FileNotFoundError: No such file: ",
        r"C:\Users\Rosalind Maria Quux\data of 2024\p.pt",
        "",
    ),
    "share": ("cannot read ", r"\\globexo-nas\Rosalind Quux\p.pt", " and others"),
    "address": ("failed: ", "https://globexo.example/Rosalind/w.pt", " was refused"),
    "token": ("the server refused ", "hf_QuuxQuuxQuuxQuuxQuuxQuuxQuuxQuux", " and ended"),
}


@pytest.mark.parametrize(("before", "private", "behind"), TEXTS.values(), ids=TEXTS)
def test_private_part_is_there_whole_or_not_at_all(before: str, private: str, behind: str) -> None:
    text = f"{before}{private}{behind}"
    for limit in range(1, len(text)):
        cut = cut_end(text, limit)
        assert len(cut) <= limit + 4
        kept = "" if cut == "..." else cut.removesuffix(" ...")
        assert text.startswith(kept)
        assert before.startswith(kept.rstrip()) or kept.startswith(f"{before}{private}"), cut


def test_short_text_and_quoted_path_stay() -> None:
    assert cut_end("as it is", 8) == "as it is"
    assert (
        cut_end("cannot open 'C:\\a b\\c.pt' for the reader", 36) == "cannot open 'C:\\a b\\c.pt' for the ..."
    )
