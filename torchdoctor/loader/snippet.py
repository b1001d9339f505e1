"""Write the loader plan as a Python program that can be pasted and run."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import PureWindowsPath

from torchdoctor.facts import DatasetTrial


def write_snippet(settings: Iterable[tuple[str, str]], trial: DatasetTrial | None) -> str:
    """Return a program with a main guard that uses the settings, and the tried dataset if there is one."""
    arguments = [f"        {name}={value}," for name, value in settings if name != "generator"]
    lines = ["import torch", "from torch.utils.data import DataLoader"]
    lines += _write_import(trial) if trial else []
    lines += ["", "", *_write_function(arguments, trial)]
    lines += ["", "", 'if __name__ == "__main__":', *_write_main_block(trial)]
    return "\n".join(lines) + "\n"


def _name_function(trial: DatasetTrial | None) -> str:
    """Return a name for the program's function that differs from the name it imports."""
    imported_name = trial.target.rpartition(":")[2].partition(".")[0] if trial else ""
    return "make_safe_loader" if imported_name == "make_loader" else "make_loader"


def _write_function(arguments: list[str], trial: DatasetTrial | None) -> Iterator[str]:
    if trial is not None and trial.is_loader:
        yield from _write_loader_function(arguments, trial)
        return
    yield f"def {_name_function(trial)}(dataset, batch_size=32, seed=0, **options):"
    yield "    generator = torch.Generator()"
    yield "    generator.manual_seed(seed)"
    yield "    return DataLoader("
    yield "        dataset,"
    yield "        batch_size=batch_size,"
    if trial is None or not trial.is_iterable:
        yield "        shuffle=True,"
    yield "        generator=generator,"
    yield from arguments
    yield "        **options,"
    yield "    )"


def _write_loader_function(arguments: list[str], trial: DatasetTrial) -> Iterator[str]:
    """Yield the lines of a function that rebuilds a DataLoader with the settings of the plan."""
    yield f"def {_name_function(trial)}(given, seed=0):"
    yield "    generator = torch.Generator()"
    yield "    generator.manual_seed(seed)"
    yield '    if getattr(given.sampler, "generator", generator) is None:'
    yield "        given.sampler.generator = generator"
    yield "    return DataLoader("
    yield "        given.dataset,"
    if trial.is_iterable:
        yield "        batch_size=given.batch_size,"
        yield "        drop_last=given.drop_last,"
    elif trial.batch_size is None:
        yield "        batch_size=None,"
        yield "        sampler=given.sampler,"
    else:
        yield "        batch_sampler=given.batch_sampler,"
    yield "        collate_fn=given.collate_fn,"
    yield "        worker_init_fn=given.worker_init_fn,"
    yield "        generator=generator,"
    yield from arguments
    yield "    )"


def _write_import(trial: DatasetTrial) -> Iterator[str]:
    place, _, name = trial.target.rpartition(":")
    imported_name = name.partition(".")[0]
    yield ""
    if not place.endswith(".py"):
        yield f"from {place} import {imported_name}"
        return
    path = PureWindowsPath(place)
    if path.stem.isidentifier():
        yield f"from {path.stem} import {imported_name}  # save this script beside {path.name}"
        return
    # An import statement cannot name a file like train-v2.py. Workers find the module in the same way.
    yield "import importlib"
    yield ""
    module = f"importlib.import_module({path.stem!r})"
    yield f"{imported_name} = {module}.{imported_name}  # save this script beside {path.name}"


def _write_main_block(trial: DatasetTrial | None) -> Iterator[str]:
    if trial is None:
        yield "    # Build the dataset and start training here, not at the top level of the file."
        yield "    ..."
        return
    name = trial.target.rpartition(":")[2]
    argument = name if trial.kind == "object" else f"{name}({_write_arguments(trial.arguments)})"
    if trial.collate_error is not None:
        yield "    # torch cannot make one batch of these samples: they come as a list."
        argument += ", collate_fn=list"
    yield f"    loader = {_name_function(trial)}({argument})"
    yield "    for batch in loader:"
    yield "        pass  # train with the batch here"


def _write_arguments(texts: tuple[str, ...]) -> str:
    """Return the values of --arg as Python arguments: those without a name first, as in a call."""
    positional, named = [], []
    for text in texts:
        name, equals, value = text.partition("=")
        if equals and name.isidentifier():
            named.append(f"{name}={_write_value(value)}")
        else:
            positional.append(_write_value(text))
    return ", ".join(positional + named)


def _write_value(text: str) -> str:
    """Return the text if it is a Python literal, else as a string literal."""
    try:
        return repr(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return repr(text)
