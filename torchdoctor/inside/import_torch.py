"""Imports torch and, on request, uses CUDA.

Each stage is written before it begins, so that the answer of a process that dies or hangs names the stage.
"""

from __future__ import annotations

import time

from .answers import read_message, write_answer
from .memory import read_private_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# More than a path on Windows can have; torch may make a text of any length.
_MOST_CHARACTERS = 40_000


def main(answer_file: str, uses_cuda: str = "") -> None:
    """Import torch, and use CUDA if `uses_cuda` is not empty; write the answer."""
    result: dict[str, Any] = {"stage": "started", "private_bytes_before": read_private_bytes()}
    write_answer(answer_file, result)
    torch = import_torch(answer_file, result)
    if uses_cuda:
        result["cuda"] = {"stage": "started"}
    write_answer(answer_file, result)
    if uses_cuda:
        use_cuda(torch, result["cuda"])
        write_answer(answer_file, result)


def import_torch(answer_file: str, result: dict[str, Any]) -> Any:
    """Import torch, add the outcome to the result, and return the module.

    Raises:
        SystemExit: the import raised an exception, which is in the answer.
    """
    start_time = time.perf_counter()
    try:
        import torch
    except BaseException as error:
        # Imported here: a loaded module would hide a file that shadows it from torch.
        from .tracebacks import format_traceback

        result.update(
            stage="raised",
            seconds=time.perf_counter() - start_time,
            exception_type=type(error).__name__,
            exception_message=read_message(error)[:20000],
            winerror=_read(getattr, error, "winerror", None),
            traceback=_read(format_traceback, error),
        )
        write_answer(answer_file, result)
        raise SystemExit(1) from error
    result.update(
        stage="imported",
        seconds=time.perf_counter() - start_time,
        version=_read(_read_text, torch, "__version__") or None,
        file=_read(_read_text, torch, "__file__") or None,
        private_bytes_after=read_private_bytes(),
    )
    return torch


def _read_text(torch: Any, name: str) -> str:
    value = getattr(torch, name, None)
    return "" if value is None else str(value)[:_MOST_CHARACTERS]


def _read(function: Callable[..., Any], *arguments: object) -> Any:
    """Return what a function reads of an object that torch made, None if the object raises."""
    try:
        return function(*arguments)
    except BaseException:
        return None


def use_cuda(torch: Any, result: dict[str, Any]) -> None:
    """Query CUDA through torch and run a small kernel; add the result of each step to the result."""
    import warnings

    start_time = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught_warnings:
        warnings.simplefilter("always")
        try:
            result["available"] = bool(torch.cuda.is_available())
            result["device_count"] = int(torch.cuda.device_count())
            result["architectures"] = list(torch.cuda.get_arch_list())
            if result["available"]:
                _run_kernel(torch, result)
            else:
                # It answers False without a word; starting CUDA says why.
                result["refusal"] = _ask_why(torch)
            result["stage"] = "answered"
        except BaseException as error:
            result["stage"] = "raised"
            result["error"] = _describe_error(error)
    result["warnings"] = [read_message(item.message)[:2000] for item in caught_warnings][:5]
    result["seconds"] = time.perf_counter() - start_time


def _run_kernel(torch: Any, result: dict[str, Any]) -> None:
    try:
        result["device_name"] = torch.cuda.get_device_name(0)
        result["capability"] = list(torch.cuda.get_device_capability(0))
        total = (torch.ones(64, device="cuda:0") * 2).sum().item()
        result["kernel_ran"] = total == 128
        if total != 128:
            result["kernel_error"] = f"64 times 2 gave {total!r}"
    except BaseException as error:
        result["kernel_error"] = _describe_error(error)


def _ask_why(torch: Any) -> str | None:
    try:
        torch.cuda.init()
    except BaseException as error:
        return _describe_error(error)
    return None


def _describe_error(error: BaseException) -> str:
    return f"{type(error).__name__}: {read_message(error)}"[:2000]
