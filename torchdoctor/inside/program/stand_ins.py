"""Stand-ins for functions and classes of torch.cuda, used inside a scope where there is no CUDA device."""

from __future__ import annotations

import contextlib

import torch
from torch.overrides import TorchFunctionMode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class _NullStream:
    """A CUDA stream or event that does nothing."""

    device = torch.device("cpu")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __enter__(self) -> _NullStream:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def query(self) -> bool:
        return True

    def record_event(self, event: Any = None) -> Any:
        return event or _NullStream()

    def _do_nothing(self, *args: Any, **kwargs: Any) -> None:
        return None

    wait_stream = wait_event = synchronize = record = wait = _do_nothing


def _do_nothing(*args: Any, **kwargs: Any) -> None:
    return None


_STAND_INS: dict[str, Callable[..., Any]] = {
    "Stream": _NullStream,
    "Event": _NullStream,
    "current_stream": _NullStream,
    "default_stream": _NullStream,
    "stream": lambda *args: contextlib.nullcontext(),
    "device": lambda *args: contextlib.nullcontext(),
    "set_stream": _do_nothing,
    "set_device": _do_nothing,
    "synchronize": _do_nothing,
    "current_device": lambda: 0,
}


def install(find_scope: Callable[[], object]) -> None:
    """Replace members of torch.cuda by switches, which use the original member outside of a scope.

    `find_scope` returns the scope of the calling thread, or None.
    """
    for name, stand_in in _STAND_INS.items():
        original = getattr(torch.cuda, name)
        if not isinstance(original, _Switch):
            setattr(torch.cuda, name, _Switch(original, stand_in, find_scope))


class _Switch:
    """A function or class that is replaced by its stand-in inside a scope."""

    def __init__(self, original: Any, stand_in: Callable[..., Any], find_scope: Callable[[], object]) -> None:
        self._original = original
        self._stand_in = stand_in
        self._find_scope = find_scope

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return (self._stand_in if self._find_scope() is not None else self._original)(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)

    def __instancecheck__(self, value: object) -> bool:
        return isinstance(value, (self._original, _NullStream))

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self._original,)


class StayOnCpu(TorchFunctionMode):
    """Mode in which tensors stay on the CPU when they are sent to a CUDA device."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        if function in (torch.Tensor.cuda, torch.Tensor.pin_memory):
            return args[0]
        if function is torch.Tensor.record_stream:
            return None
        if function is torch.Tensor.to and len(args) > 1 and _is_cuda(args[1]):
            args = (args[0], "cpu", *args[2:])
        if _is_cuda(kwargs.get("device")):
            kwargs["device"] = "cpu"
        return function(*args, **kwargs)


def _is_cuda(device: object) -> bool:
    if isinstance(device, torch.device):
        return device.type == "cuda"
    if isinstance(device, str):
        return device.startswith("cuda")
    return isinstance(device, int) and not isinstance(device, bool)
