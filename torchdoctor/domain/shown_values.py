"""The values of a text as they may be shown: the only way from what was read to a sentence or an output."""

from collections.abc import Iterator, Mapping

from torchdoctor.domain.public_words import NO_NAMES, Names, leave_out_private


class ShownValues(Mapping[str, str]):
    """Values by name, in which three dots stand for each word that is not public.

    There is no other way to make one than to judge the values, and what is shown takes no other values. Of
    values that are shared (`is_shared`), those are left out as well that only whoever has the text may see.
    """

    __slots__ = ("_shown", "_whole")

    def __init__(
        self, values: Mapping[str, str] = {}, own: Names = NO_NAMES, *, is_shared: bool = False
    ) -> None:
        shown = {name: leave_out_private(value, own) for name, value in values.items()}
        if is_shared:
            # Imported here: what is shown on a screen alone does not need the table of places.
            from torchdoctor.domain.shared_names import show_value

            shown = {name: show_value(value, name) for name, value in shown.items()}
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
