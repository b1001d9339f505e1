"""Answers for torch.cuda on a machine without a CUDA device, for code inside a scope only."""

from __future__ import annotations

import contextlib

import torch
from torch.overrides import TorchFunctionMode

from .scope import find_scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class _NullStream:
    """A stream or event of a device that does nothing."""

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


_ANSWERS: dict[str, Callable[..., Any]] = {
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


def install() -> None:
    """Put switches in torch.cuda: outside of a scope they are what was there."""
    for name, answer in _ANSWERS.items():
        original = getattr(torch.cuda, name)
        if not isinstance(original, _Switch):
            setattr(torch.cuda, name, _Switch(original, answer))


class _Switch:
    """A function or class that is replaced by a stand-in inside a scope."""

    def __init__(self, original: Any, answer: Callable[..., Any]) -> None:
        self._original = original
        self._answer = answer

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return (self._answer if find_scope() is not None else self._original)(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)

    def __instancecheck__(self, value: object) -> bool:
        return isinstance(value, (self._original, _NullStream))

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self._original,)


def make_mode() -> TorchFunctionMode:
    """Return the mode in which tensors that are sent to a CUDA device stay where they are."""
    return _StayOnCpu()


class _StayOnCpu(TorchFunctionMode):
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
