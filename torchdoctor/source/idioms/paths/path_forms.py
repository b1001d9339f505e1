"""What an expression is known to be, as far as paths of the system are made of it."""

from collections.abc import Iterable
from enum import Enum, auto

from torchdoctor.core.record import record


class Form(Enum):
    """A kind of value that is a path, or from which one is made."""

    # What says nothing: None, an empty list, a name that is bound to itself.
    NOTHING = auto()
    OTHER = auto()
    # The name of a file or folder, without a separator.
    NAME = auto()
    # A text whose last part stands behind a separator of the system.
    PATH = auto()
    # A text that has no other separators than those of the system.
    WHOLE = auto()
    # A path of pathlib.
    OBJECT = auto()
    # What `os.scandir` yields.
    ENTRY = auto()


@record
class Shape:
    """The form of a value, or of the items of a list; `lists` is how many lists are around it."""

    form: Form
    lists: int = 0

    @property
    def items(self) -> "Shape":
        """The shape of the items, if this is that of a list."""
        if self.form is Form.NOTHING:
            return self
        return Shape(self.form, self.lists - 1) if self.lists else OTHER

    @property
    def listed(self) -> "Shape":
        """The shape of a list of such values."""
        return self if self.form in (Form.NOTHING, Form.OTHER) else Shape(self.form, self.lists + 1)

    @property
    def is_text(self) -> bool:
        """Whether this is a text with separators of the system."""
        return self.form in (Form.PATH, Form.WHOLE) and not self.lists


NOTHING = Shape(Form.NOTHING)
OTHER = Shape(Form.OTHER)
NAME = Shape(Form.NAME)
PATH = Shape(Form.PATH)
WHOLE = Shape(Form.WHOLE)
OBJECT = Shape(Form.OBJECT)
ENTRY = Shape(Form.ENTRY)
_TEXTS = frozenset({Form.PATH, Form.WHOLE})


def merge(shapes: Iterable[Shape]) -> Shape:
    """Return the shape of a value that has one of these shapes."""
    found = set(shapes) - {NOTHING}
    if len(found) < 2:
        return found.pop() if found else NOTHING
    depths = {each.lists for each in found}
    if len(depths) == 1 and {each.form for each in found} <= _TEXTS:
        return Shape(Form.PATH, depths.pop())
    return OTHER
