"""The loader plan as a Python program that runs when it is pasted."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import PureWindowsPath

from torchdoctor.facts import DatasetTrial


def write_snippet(settings: Iterable[tuple[str, str]], trial: DatasetTrial | None) -> str:
    """Write a program with a main guard: the settings, and the examined dataset where there is one."""
    arguments = [f"        {name}={value}," for name, value in settings if name != "generator"]
    lines = ["import torch", "from torch.utils.data import DataLoader"]
    lines += _import_target(trial) if trial else []
    lines += ["", "", *_define(arguments, trial)]
    lines += ["", "", 'if __name__ == "__main__":', *_use(trial)]
    return "\n".join(lines) + "\n"


def _name_function(trial: DatasetTrial | None) -> str:
    """Give a name that the examined one does not already have."""
    taken = trial.target.rpartition(":")[2].partition(".")[0] if trial else ""
    return "make_safe_loader" if taken == "make_loader" else "make_loader"


def _define(arguments: list[str], trial: DatasetTrial | None) -> Iterator[str]:
    if trial is not None and trial.is_loader:
        yield from _define_for_loader(arguments, trial)
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


def _define_for_loader(arguments: list[str], trial: DatasetTrial) -> Iterator[str]:
    """Define a function that keeps what a DataLoader has and replaces how it loads."""
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


def _import_target(trial: DatasetTrial) -> Iterator[str]:
    place, _, name = trial.target.rpartition(":")
    first = name.partition(".")[0]
    yield ""
    if not place.endswith(".py"):
        yield f"from {place} import {first}"
        return
    path = PureWindowsPath(place)
    if path.stem.isidentifier():
        yield f"from {path.stem} import {first}  # save this script beside {path.name}"
        return
    # A name that no import statement can spell, as in train-v2.py; workers find it in the same way.
    yield "import importlib"
    yield ""
    yield f"{first} = importlib.import_module({path.stem!r}).{first}  # save this script beside {path.name}"


def _use(trial: DatasetTrial | None) -> Iterator[str]:
    if trial is None:
        yield "    # Build the dataset and start training here, not at the top level of the file."
        yield "    ..."
        return
    name = trial.target.rpartition(":")[2]
    given = name if trial.kind == "object" else f"{name}({_write_arguments(trial.arguments)})"
    if trial.collate_error is not None:
        yield "    # torch cannot make one batch of these samples: they come as a list."
        given += ", collate_fn=list"
    yield f"    loader = {_name_function(trial)}({given})"
    yield "    for batch in loader:"
    yield "        pass  # train with the batch here"


def _write_arguments(texts: tuple[str, ...]) -> str:
    positional, named = [], []
    for text in texts:
        name, equals, value = text.partition("=")
        if equals and name.isidentifier():
            named.append(f"{name}={_write_value(value)}")
        else:
            positional.append(_write_value(text))
    return ", ".join(positional + named)


def _write_value(text: str) -> str:
    try:
        return repr(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return repr(text)
