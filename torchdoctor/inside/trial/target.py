"""Imports the target, and builds the dataset or loader that it names."""

from __future__ import annotations

import ast
import importlib
import inspect
import multiprocessing.process
import os
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any


class TargetError(Exception):
    """The target cannot be used; the message is the reason."""


def load(target: str) -> Any:
    """Import the file or module of a target, with its folder on the import path, and return its object.

    Raises:
        TargetError: the file or module has no such object.
    """
    name, _, attribute = target.rpartition(":")
    # A worker refuses to start processes while it imports the main file; with this, so does this process.
    process: Any = multiprocessing.process.current_process()
    process._inheriting = True
    try:
        value: Any = load_file(name) if name.endswith(".py") else load_module(name)
    finally:
        del process._inheriting
    for part in attribute.split("."):
        try:
            value = getattr(value, part)
        except AttributeError:
            raise TargetError(
                f"{name} has no {part} when it is imported (code under its main guard is not run)"
            ) from None
    return value


def load_file(path: str) -> types.ModuleType:
    """Run a file as __mp_main__, as a spawned worker runs the script of its parent process."""
    path = os.path.abspath(path)
    sys.path.insert(0, os.path.dirname(path))
    sys.argv[:] = [path]
    module = types.ModuleType("__mp_main__")
    module.__file__ = path
    sys.modules["__main__"] = sys.modules["__mp_main__"] = module
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec")
    exec(code, module.__dict__)
    return module


def load_module(name: str) -> types.ModuleType:
    """Import a module as `python -m` in the current folder would."""
    sys.path.insert(0, os.getcwd())
    sys.argv[:] = [name]
    return importlib.import_module(name)


def parse_arguments(texts: Iterable[str]) -> tuple[list[object], dict[str, object]]:
    """Parse `value` and `name=value`, where the value is a Python literal or any other text."""
    positional, named = [], {}
    for text in texts:
        name, equals, value = text.partition("=")
        if equals and name.isidentifier():
            named[name] = parse_literal(value)
        else:
            positional.append(parse_literal(text))
    return positional, named


def parse_literal(text: str) -> object:
    """Parse a Python literal; return any other text unchanged."""
    try:
        value: object = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return value


def build(value: Any, arguments: Sequence[str]) -> tuple[str, Any]:
    """Return the kind of the target ("object", "class" or "factory") and its dataset or loader.

    An object is returned as it is; a class or factory is called with the arguments.

    Raises:
        TargetError: the target gives no dataset, or does not accept these arguments.
    """
    positional, named = parse_arguments(arguments)
    if isinstance(value, type):
        kind = "class"
    elif _has_samples(value) and not isinstance(value, types.FunctionType):
        if arguments:
            raise TargetError("it is an object, so it takes no --arg; name its class or a factory")
        return "object", value
    elif callable(value):
        kind = "factory"
    else:
        raise TargetError(f"{type(value).__name__} is neither a dataset nor something that makes one")
    check_arguments(value, positional, named)
    source = value(*positional, **named)
    if isinstance(source, (tuple, dict)) or not _has_samples(source):
        raise TargetError(
            f"it gave a {type(source).__name__}, not one dataset or DataLoader; name a factory of one"
        )
    return kind, source


def _has_samples(value: object) -> bool:
    return hasattr(value, "__getitem__") or hasattr(value, "__iter__")


def check_arguments(value: Any, positional: Sequence[object], named: Mapping[str, object]) -> None:
    """Check the arguments of a class or factory against its signature.

    Raises:
        TargetError: an argument is missing or not accepted.
    """
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*positional, **named)
    except TypeError as error:
        names = ", ".join(signature.parameters) or "nothing"
        raise TargetError(f"{error}; it takes {names}, each given as --arg NAME=VALUE") from None


def read_length(dataset: Any) -> int | None:
    """Return the number of samples, or None if the dataset has no length."""
    if not hasattr(type(dataset), "__len__"):
        return None
    try:
        return len(dataset)
    except (TypeError, NotImplementedError):
        return None
