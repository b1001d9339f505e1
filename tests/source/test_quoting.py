"""Long expressions are shortened, and no part of a text in them is shown without the rest."""

import ast

import pytest

from torchdoctor.source.quoting import quote_expression

# The beginnings say that a name follows; the names are made up.
PRIVATE = {
    "home": r"C:\Users\Rosalind Quux\p.pt",
    "linux-home": "/home/rosalind.quux/vit.pth",
    "company": r"D:\OneDrive - Globexo GmbH\t.pt",
    "share": r"\\globexo-nas\quux\p.pt",
    "address": "https://rosalind:quux@globexo.example/w.pt",
    "two-lines": "C:\\Users\\Rosalind Quux\\p.pt\nD:\\globexo",
}
FORMS = {
    "second-argument": "load({padding!r}, {text!r}).cuda()",
    "keyword": "build(name={padding!r}, weights={text!r}).to('cuda')",
    "default": "torch.load(os.environ.get({padding!r}) or {text!r}).cuda()",
    "format": "torch.load(f{text!r} + {padding!r} + suffix_of_the_checkpoint(name)).cuda()",
    "bytes": "load({padding!r}, b{text!r}.decode(encoding)).cuda()",
}


@pytest.mark.parametrize("text", PRIVATE.values(), ids=PRIVATE)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_text_in_an_expression_is_shown_whole_or_not_at_all(text: str, form: str) -> None:
    for length in range(60):
        expression = ast.parse(form.format(padding="p" * length, text=text), mode="eval").body
        quoted = quote_expression(expression)
        is_whole = " ".join(text.split()) in quoted.replace("\\\\", "\\").replace("\\n", " ")
        assert len(quoted) <= 60
        assert is_whole or not any(name in quoted.lower() for name in ("rosalind", "quux", "globexo"))


def test_short_expression_is_shown_as_it_is() -> None:
    expression = ast.parse("torch.load( 'models/best.pt' ).cuda()", mode="eval").body
    assert quote_expression(expression) == "torch.load('models/best.pt').cuda()"


def test_beginning_and_end_of_a_long_expression_without_texts_are_shown() -> None:
    expression = ast.parse(f"model_of_{'x' * 80}.to(device)", mode="eval").body
    assert quote_expression(expression) == f"model_of_{'x' * 18} ... {'x' * 16}.to(device)"


def test_expression_of_many_texts_is_quoted_at_once() -> None:
    expression = ast.parse(
        f"load([{', '.join(repr(f'/home/u{n}') for n in range(20_000))}])", mode="eval"
    ).body
    assert "/home" not in quote_expression(expression)


def test_no_text_of_a_long_expression_is_shown_without_its_key() -> None:
    code = "Net(connect({'password': 'hunter2', 'user': 'rosalind', 'host': 'heart-of-gold'})).cuda()"
    shown = quote_expression(ast.parse(code, mode="eval").body)
    assert [word for word in ("hunter2", "rosalind", "gold") if word in shown] == []
