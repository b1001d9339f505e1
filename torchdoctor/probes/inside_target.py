"""Runs in the examined interpreter: imports the target, and builds the dataset or loader.

Standard library only, Python 3.8 syntax.
"""

import ast
import importlib
import inspect
import multiprocessing
import os
import sys
import types


class TargetError(Exception):
    """The target is not usable; the message says why."""


def load(target):
    """Import the file or module and give the named object; give its folder a place on the import path."""
    name, _, attribute = target.rpartition(":")
    # A worker refuses to start processes while it imports: so shall this.
    process = multiprocessing.process.current_process()
    process._inheriting = True
    try:
        module = load_file(name) if name.endswith(".py") else load_module(name)
    finally:
        del process._inheriting
    value = module
    for part in attribute.split("."):
        try:
            value = getattr(value, part)
        except AttributeError:
            raise TargetError(
                "%s has no %s when it is imported (what stands under its main guard is not run)"
                % (name, part)
            ) from None
    return value


def load_file(path):
    """Run a file as a spawned worker runs the script that it belongs to: as __mp_main__."""
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


def load_module(name):
    """Import a module as `python -m` in the current folder would."""
    sys.path.insert(0, os.getcwd())
    sys.argv[:] = [name]
    return importlib.import_module(name)


def read_arguments(texts):
    """Read `value` and `name=value`: Python literals, anything else is a string."""
    positional, named = [], {}
    for text in texts:
        name, equals, value = text.partition("=")
        if equals and name.isidentifier():
            named[name] = read_literal(value)
        else:
            positional.append(read_literal(text))
    return positional, named


def read_literal(text):
    """Read a Python literal, or give the text."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def build(value, arguments):
    """Give kind and dataset or loader: of an object as it is, of a class or factory by calling it."""
    positional, named = read_arguments(arguments)
    if isinstance(value, type):
        kind = "class"
    elif (hasattr(value, "__getitem__") or hasattr(value, "__iter__")) and not isinstance(
        value, types.FunctionType
    ):
        if arguments:
            raise TargetError("it is an object, so it takes no --arg; name its class or a factory")
        return "object", value
    elif callable(value):
        kind = "factory"
    else:
        raise TargetError("%s is neither a dataset nor something that makes one" % type(value).__name__)
    check_arguments(value, positional, named)
    built = value(*positional, **named)
    if isinstance(built, (tuple, dict)) or not (hasattr(built, "__getitem__") or hasattr(built, "__iter__")):
        raise TargetError(
            "it gave a %s, not one dataset or DataLoader; name a factory of one" % type(built).__name__
        )
    return kind, built


def check_arguments(value, positional, named):
    """Refuse arguments that a class or factory does not take, or does not get."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*positional, **named)
    except TypeError as error:
        names = ", ".join(signature.parameters) or "nothing"
        raise TargetError("%s; it takes %s, each given as --arg NAME=VALUE" % (error, names)) from None


def read_length(dataset):
    """Give the number of samples, None where there is none."""
    if not hasattr(type(dataset), "__len__"):
        return None
    try:
        return len(dataset)
    except (TypeError, NotImplementedError):
        return None
