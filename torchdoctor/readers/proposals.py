"""The parts of a text that propose something or show an example: their figures are of no machine.

A program proposes a command with a version in it, and names another one as an example. What it says of the
machine stands elsewhere.
"""

from collections.abc import Iterator

from torchdoctor.core.patterns import pattern

# Words that the quick look finds before any pattern is compiled.
_WORDS = (
    "example",
    "e.g",
    "such as",
    "something like",
    "please ",
    "try",
    "consider ",
    "with:",
    "using:",
    "via:",
    "by:",
    "you can ",
    "you could ",
    "you should ",
    "例如",
    "比如",
    "例えば",
    "たとえば",
    "например",
    "beispiel",
    "exemple",
    "ejemplo",
    "exemplo",
    "esempio",
)
# Behind these, the rest of the sentence or of the bracket is an example, if it begins with one: a command, an
# assignment, an option, a path or a number. uv writes the tag of its own Python as an example.
_EXAMPLE = (
    r"(?:\bfor example|(?<!tag \()(?<!platform \()\be\.g\.?|\bexamples?(?=:)|\bsuch as"
    r"|\bsomething like|\bzum Beispiel|\bz\. ?B\."
    r"|\bpar exemple|\bpor ejemplo|\bpor exemplo|\bper esempio|\bнапример|例如|比如|例えば|たとえば)"
    r"(?:(?![^\n]{0,40}\bI(?:['’]m| am| have| use)\b) ?(?:by (?:adding|setting)[^\n:]{3,80}:"
    r"|with|to|on|in|use|run"
    r"|of|in order to use)?)?[,:：，]?\s{0,4}"
    r"(?P<example>(?:`[^`\n]{1,200}`|'[^'\n]{1,200}'|\"[^\"\n]{1,200}\"|[^\s()（）`'\"。；;][^\n()（）。；;]{0,200}?)"
    r"(?=[`'\")）。；;]|\.(?:\s|$)|,? (?:but|and then|because)\b|\n|$))"
)
# A command that a program proposes: its pins, its indexes and the names of its files. Its Python is a fact:
# pip writes its own.
_PROPOSED = (
    r"(?:\bplease (?:try |first |do |manually |also )?(?:re-?)?(?:install|run|use|set|type"
    r"|execute|compile|build|upgrade"
    r"|downgrade|choose|add)\b|\btry(?::| again with| to| running| with| `)|\bconsider \w{3,12}ing\b"
    r"|\byou (?:can|could|should|may|need to|must|have to) (?:try |also |first "
    r"|manually )?(?:re-?)?(?:install|run|use|set|type"
    r"|execute|compile|build|upgrade|downgrade)\b"
    r"|\b(?:re-?)?install\w{0,3} [^.\n]{1,60} (?:with|by|via|using):)"
    r"(?P<proposed>(?:(?!(?<=\w)\.\s)[^\n]){1,200})"
)
_FIGURES = (
    r"[A-Za-z]:[\\/][^\n`'\"]{1,200}"
    r"|\d[\w.]{0,40}|(?<=cu)\d{2,3}|(?<=cuda)\d{2,3}|(?<=sm_)\d{2,3}|(?<=cp)\d{2,3}"
)
_OF_A_PIN = (
    r"(?<=[=<>~])\d[\w.+]{0,30}|(?<=whl/cu)\d{2,3}|(?<=whl/nightly/cu)\d{2,3}|(?<=\+cu)\d{2,3}|(?<=-cp)\d{2,3}"
    r"|(?<=torch-)\d[\w.]{0,30}"
)


def find_proposals(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the figures and paths that a text gives as an example or in a proposed command."""
    lowered = text.lower()
    if not any(word in lowered for word in _WORDS):
        return
    for regex, group, parts in (
        (_EXAMPLE, "example", _FIGURES),
        (_PROPOSED, "proposed", _OF_A_PIN),
    ):
        for found in pattern(regex, True).finditer(text):
            for part in pattern(parts, True).finditer(text, *found.span(group)):
                yield part.span()


def clear_proposals(text: str) -> str:
    """Return a text of the same length, with blanks in the place of what it only proposes."""
    for start, end in find_proposals(text):
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text
