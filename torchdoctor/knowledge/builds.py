"""Ask for the build of torch in a step whose command needs it, if the build is not known."""

import re
from collections.abc import Mapping

# The fields that keep the build of torch in a command, and an example: {build_index|cu126}.
_FIELD = re.compile(r"\{(torch_release|build_index)\|([^{}\n]+)\}")


def ask_for_build(step: str, values: Mapping[str, str]) -> str:
    """Return the Markdown of a step, with a question in front if it needs a build that is not known.

    With the example in the command, pip would replace the build: a CPU build by a CUDA build, for instance.
    """
    examples = {name: example for name, example in _FIELD.findall(step) if not values.get(name)}
    if not examples:
        return step
    version = f"{examples.get('torch_release', '2.4.0')}+{examples.get('build_index', 'cu121')}"
    replaced = " and ".join(f"`{example}`" for example in examples.values())
    return (
        f"First see which torch you have: `python -m pip show torch` prints its version, such as `{version}`."
        " What follows the `+` is the build; without a `+` it is `cpu`. In the command below, put your own in"
        f" place of {replaced}.\n\n   {step}"
    )
