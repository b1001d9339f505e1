"""Ask for the build of torch in a step whose command needs it, if the build is not known."""

import re
from collections.abc import Iterator, Mapping, Sequence

_CPU_INDEX = re.compile(r" --index-url https://download\.pytorch\.org/whl/cpu(?![\w/])")
# The fields that keep the build of torch in a command, and an example: {build_index|cu126}.
_FIELD = re.compile(r"\{(torch_release|build_index)\|([^{}\n]+)\}")


def name_default_index(step: str) -> str:
    """Return the Markdown of a step whose commands take a CPU build from the index that pip has by itself.

    That may be a mirror, and is where the build is from that is installed.
    """
    return _CPU_INDEX.sub("", step)


def ask_for_build(step: str, values: Mapping[str, str], *, again: bool = False) -> str:
    """Return the Markdown of a step, with a question in front if it needs a build that is not known.

    With the example in the command, pip would replace the build: a CPU build by a CUDA build, for instance.
    `again` is whether a step above has asked for it.
    """
    step = _FIELD.sub(lambda field: _write_example(field, values), step)
    examples = {name: example for name, example in _FIELD.findall(step) if not values.get(name)}
    if not examples:
        return step
    replaced = " and ".join(f"`{example}`" for example in examples.values())
    if again:
        return f"In the command below, put your own in place of {replaced}.\n\n   {step}"
    if "build_index" not in examples:
        return (
            "First see which torch you have:\n\n   ```powershell\n   python -m pip show torch\n   ```\n\n"
            f"   In the command below, put the number before its `+` in place of {replaced}: then pip keeps"
            f" this torch.\n\n   {step}"
        )
    version = f"{examples.get('torch_release', '2.4.0')}+{examples.get('build_index', 'cu121')}"
    return (
        "First see which torch you have:\n\n   ```powershell\n   python -m pip show torch\n   ```\n\n"
        f"   It prints its version, such as `{version}`{_name_traceback(values)}. What follows the `+` is the"
        " build. Without a `+`, torch from pip is `cpu`, and one before 2.0 from PyTorch's list is a CUDA"
        " build; `conda list torch` names conda's. In the command below, put your own in place of"
        f" {replaced}.\n\n   {step}"
    )


def _name_traceback(values: Mapping[str, str]) -> str:
    releases = values.get("traceback_torch")
    return f" (the lines of the traceback are those of {releases})" if releases else ""


def _write_example(field: re.Match[str], values: Mapping[str, str]) -> str:
    """Return a field with an example that the Python of a text can install, if one is known."""
    name = "example_release" if field[1] == "torch_release" else "example_index"
    return f"{{{field[1]}|{values.get(name) or field[2]}}}"


def ask_once(steps: Sequence[str], values: Mapping[str, str]) -> Iterator[str]:
    """Yield steps that are read in this order; the first that needs an unknown build says how to see it."""
    has_asked = False
    for step in steps:
        asked = ask_for_build(step, values, again=has_asked)
        has_asked = has_asked or asked != step
        yield asked
