"""Read from a text by which name its program sets the number of worker processes."""

from torchdoctor.core.patterns import pattern

# Names that the number of a DataLoader's worker processes has in programs.
_NAME = (
    r"(?:(?:data|dataloader|data_loader|loader|train|test|val)[-_]{1,2})?"
    r"(?:num[-_]?workers?|n[-_]?workers|workers(?:_per_(?:gpu|device|node))?|n[-_]?cpu|num_works?)"
)
# argparse prints what it read; each name in it is an option of the command.
_READ_OPTION = rf"\bNamespace\((?:[^\n]{{0,4000}}[( ])?({_NAME})=[1-9]\d{{0,2}}[,)]"
_OPTION = rf"(?<![\w-])(--{_NAME})([ =])([1-9]\d{{0,2}})\b(?!\.?\w)"
_ARGUMENT = rf"(?<![\w.-])({_NAME} ?= ?)([1-9]\d{{0,2}})\b(?!\.?\w)"
_SETTING = rf"(?<![\w-])['\"]?({_NAME})['\"]? ?: ?([1-9]\d{{0,2}})\b(?!\.?\w)"
# The options that CycleGAN and the projects made from it print.
_DUMPED = r"-{5,} Options -{5,}[\s\S]{0,6000}?[\s-](num_threads|nThreads|n_threads): ?[1-9]\d?\b"
# A name of its own, which a person writes without the number.
_OWN_NAME = r"(?<![\w-])(workers_per_gpu|workers_per_device|n_cpu|num_worker)\b"


def read_no_workers(text: str) -> str | None:
    """Return how the program of a text is told to start no worker processes, or None if it does not say.

    It completes the sentence of a step, as a setting of a program does.
    """
    found = pattern(_READ_OPTION, True).search(text)
    found = found or pattern(_DUMPED).search(text)
    if found:
        return f"add `--{found[1]} 0` at the end of the command"
    found = pattern(_OPTION, True).search(text)
    if found:
        return f"write `{found[1]}{found[2]}0` in place of `{found[1]}{found[2]}{found[3]}` in the command"
    found = pattern(_ARGUMENT, True).search(text)
    if found:
        old, new = f"{found[1]}{found[2]}", f"{found[1]}0"
        return f"write `{new}` in place of `{old}`, for each loader, that for validation too"
    found = pattern(_SETTING, True).search(text)
    if found:
        return f"set `{found[1]}` to 0 in the configuration, where it is {found[2]}"
    found = pattern(_OWN_NAME, True).search(text)
    return f"set `{found[1]}` to 0 in the configuration" if found else None
