"""Answers for torch.cuda on a machine without a CUDA device, for code inside a scope only."""

import contextlib

import torch
from _torchdoctor_startup.scope import find_scope
from torch.overrides import TorchFunctionMode


class _Null:
    """A stream or event of a device that does nothing."""

    device = torch.device("cpu")

    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass

    def query(self):
        return True

    def record_event(self, event=None):
        return event or _Null()

    def _do_nothing(self, *args, **kwargs):
        return None

    wait_stream = wait_event = synchronize = record = wait = _do_nothing


def _give_nothing(*args, **kwargs):
    return None


_ANSWERS = {
    "Stream": _Null,
    "Event": _Null,
    "current_stream": _Null,
    "default_stream": _Null,
    "stream": lambda *args: contextlib.nullcontext(),
    "device": lambda *args: contextlib.nullcontext(),
    "set_stream": _give_nothing,
    "set_device": _give_nothing,
    "synchronize": _give_nothing,
    "current_device": lambda: 0,
}


def install():
    """Put switches in torch.cuda: outside of a scope they are what was there."""
    for name, answer in _ANSWERS.items():
        original = getattr(torch.cuda, name)
        if not isinstance(original, _Switch):
            setattr(torch.cuda, name, _Switch(original, answer))


class _Switch:
    def __init__(self, original, answer):
        self._original = original
        self._answer = answer

    def __call__(self, *args, **kwargs):
        return (self._answer if find_scope() is not None else self._original)(*args, **kwargs)

    def __getattr__(self, name):
        return getattr(self._original, name)

    def __instancecheck__(self, value):
        return isinstance(value, (self._original, _Null))

    def __mro_entries__(self, bases):
        return (self._original,)


def make_mode():
    """Give the mode in which tensors that are sent to a CUDA device stay where they are."""
    return _StayOnCpu()


class _StayOnCpu(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
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


def _is_cuda(device):
    if isinstance(device, torch.device):
        return device.type == "cuda"
    if isinstance(device, str):
        return device.startswith("cuda")
    return isinstance(device, int) and not isinstance(device, bool)
