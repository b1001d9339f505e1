"""The decorator of values: a frozen dataclass with slots, made in a quarter of the time.

`dataclass(frozen=True, slots=True)` compiles six methods for every class, which was a fifth of a scan's time.
Here one is compiled, `__init__`; the others are the same for all records and go by the fields' names.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[object], object]:
        """Stand in for what only type checkers read; `typing` has it from Python 3.11 on."""
        return lambda decorator: decorator


T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Make a class a frozen dataclass with slots; `dataclasses.field`, `fields` and `replace` go with it."""
    made = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    own = fields(made)  # type: ignore[arg-type]
    compared = [field.name for field in own if field.compare]
    shared = {
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__eq__": _is_equal,
        "__hash__": _hash,
        "__repr__": _show,
        "__reduce__": _reduce,
        "_key": attrgetter(*compared) if compared else type,
        "__init__": _compile_init(own),
    }
    for name, method in shared.items():
        # What the class itself defines, stays.
        if name not in cls.__dict__:
            setattr(made, name, method)
    return made


def _compile_init(own: tuple[Field[Any], ...]) -> object:
    namespace: dict[str, object] = {"_set": object.__setattr__, "_MISSING": MISSING}
    parameters, body = ["self"], []
    for field in own:
        name = value = parameter = field.name
        if field.default_factory is not MISSING:
            namespace[f"_make_{name}"] = field.default_factory
            parameter, value = f"{name}=_MISSING", f"_make_{name}() if {name} is _MISSING else {name}"
        elif field.default is not MISSING:
            namespace[f"_{name}"] = field.default
            parameter = f"{name}=_{name}"
        parameters.append(parameter)
        body.append(f"_set(self, {name!r}, {value})")
    exec(f"def __init__({', '.join(parameters)}):\n {'; '.join(body) or 'pass'}", namespace)
    return namespace["__init__"]


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    raise FrozenInstanceError(f"{type(self).__name__}.{name} cannot be changed")


def _is_equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self._key(self) == self._key(other)


def _hash(self: Any) -> int:
    return hash(self._key(self))


def _show(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _reduce(self: Any) -> tuple[object, ...]:
    return type(self), tuple(getattr(self, field.name) for field in fields(self))
