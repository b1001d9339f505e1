"""The values of a text as they may be shown: the only way from what was read to a sentence or an output."""

from collections.abc import Collection, Iterator, Mapping

from torchdoctor.core.patterns import pattern
from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.redaction.words.public_words import NO_NAMES, Names, leave_out_private

_PIECE = r"[^\W_]+"


class ShownValues(Mapping[str, str]):
    """Values by name, in which three dots stand for each word that is not public.

    There is no other way to make one than to judge the values, and what is shown takes no other values. Of
    values that are shared (`is_shared`), those are left out as well that only whoever has the text may see.
    `written` names those that a check has written: only what is `stated` in the text, in pieces in small
    letters, is judged of them.
    """

    __slots__ = ("_shown", "_whole")

    def __init__(
        self,
        values: Mapping[str, str] = {},
        own: Names = NO_NAMES,
        *,
        is_shared: bool = False,
        written: Collection[str] = (),
        stated: frozenset[str] = frozenset(),
    ) -> None:
        shown = {name: leave_out_private(value, own) for name, value in values.items()}
        if is_shared:
            # Imported here: what is shown on a screen alone does not need the table of places.
            from torchdoctor.redaction.words.shared_values import show_value

            shown = {name: show_value(value, name) for name, value in shown.items()}
        shown.update((name, _judge_stated(values[name], shown[name], stated)) for name in written)
        self._shown = shown
        self._whole = {name: value for name, value in shown.items() if value == values[name]}

    @property
    def whole(self) -> Mapping[str, str]:
        """The values that may be shown as they are: a sentence has no half of a name."""
        return self._whole

    def __getitem__(self, name: str) -> str:
        return self._shown[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shown)

    def __len__(self) -> int:
        return len(self._shown)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(other) == self._shown

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"ShownValues({self._shown!r})"


def find_pieces(text: str) -> frozenset[str]:
    """Return the words, the names and the numbers in a text, in small letters."""
    return frozenset(pattern(_PIECE).findall(text.lower()))


def _judge_stated(value: str, shown: str, stated: frozenset[str]) -> str:
    """Return a sentence of a check as it is shown: whole, unless a word is left out that the text states."""
    words, kept = value.split(" "), shown.split(" ")
    if shown == value or len(words) != len(kept):
        return shown
    return " ".join(
        word if LEFT_OUT not in each or stated.isdisjoint(find_pieces(word)) else each
        for word, each in zip(words, kept, strict=True)
    )
