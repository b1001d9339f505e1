"""Write the loader plan as a Python program that can be pasted and run."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PureWindowsPath

from torchdoctor.facts import DatasetTrial

# The settings that DataLoader refuses without workers.
_WORKER_SETTINGS = ("persistent_workers", "prefetch_factor", "timeout")


def write_snippet(settings: Iterable[tuple[str, str]], trial: DatasetTrial | None) -> str:
    """Return a program with a main guard that uses the settings, and the tried dataset if there is one."""
    planned = [(name, value) for name, value in settings if name != "generator"]
    lines = ["import torch", "from torch.utils.data import DataLoader"]
    lines += _write_import(trial) if trial else []
    lines += ["", "", *_write_function(planned, trial)]
    lines += ["", "", 'if __name__ == "__main__":', *_write_main_block(trial)]
    return "\n".join(lines) + "\n"


def _name_function(trial: DatasetTrial | None) -> str:
    """Return a name for the program's function that differs from the name it imports."""
    imported_name = trial.target.rpartition(":")[2].partition(".")[0] if trial else ""
    return "make_safe_loader" if imported_name == "make_loader" else "make_loader"


def _write_function(planned: Sequence[tuple[str, str]], trial: DatasetTrial | None) -> Iterator[str]:
    """Yield the lines of a function that makes a DataLoader; its options replace the settings of the plan."""
    is_loader = trial is not None and trial.is_loader
    first = "given" if is_loader else "dataset"
    yield f"def {_name_function(trial)}({first}, *, seed=0, **options):"
    yield "    generator = torch.Generator()"
    yield "    generator.manual_seed(seed)"
    if is_loader:
        yield '    if getattr(given.sampler, "generator", generator) is None:'
        yield "        given.sampler.generator = generator"
    arguments = _list_arguments(trial)
    yield "    settings = dict("
    yield from (f"        {name}={value}," for name, value in (*arguments, *planned))
    yield "    )"
    yield from _write_exclusions([name for name, _ in arguments], [name for name, _ in planned])
    yield f"    return DataLoader({'given.dataset' if is_loader else 'dataset'}, **{{**settings, **options}})"


def _list_arguments(trial: DatasetTrial | None) -> list[tuple[str, str]]:
    """Return the arguments that are not of the plan: for a loader, those that it was made with."""
    if trial is None or not trial.is_loader:
        shuffle = [] if trial is not None and trial.is_iterable else [("shuffle", "True")]
        return [("batch_size", "32"), *shuffle, ("generator", "generator")]
    if trial.is_iterable:
        names = ["batch_size", "drop_last"]
    elif trial.batch_size is None:
        names = ["batch_size", "sampler"]
    else:
        names = ["batch_sampler"]
    given = [(name, f"given.{name}") for name in (*names, "collate_fn", "worker_init_fn")]
    return [*given, ("generator", "generator")]


def _write_exclusions(arguments: Sequence[str], planned: Sequence[str]) -> Iterator[str]:
    """Yield the lines that leave out a setting that does not go together with a passed option."""
    if "shuffle" in arguments:
        yield '    if "sampler" in options or "batch_sampler" in options:'
        yield '        del settings["shuffle"]'
        yield '    if "batch_sampler" in options:'
        yield '        del settings["batch_size"]'
    worker_settings = [f'settings["{name}"]' for name in _WORKER_SETTINGS if name in planned]
    if worker_settings:
        yield '    if options.get("num_workers") == 0:'
        yield f"        del {', '.join(worker_settings)}"


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
