"""Ask for the build of torch in a step whose command needs it, if the build is not known."""

from collections.abc import Mapping

# The fields that keep the build of torch in a command: {torch_release|2.6.0} and {build_index|cu126}.
BUILD_FIELDS = ("torch_release", "build_index")
_QUESTION = (
    "First see which build of torch you have: `python -m pip show torch` prints its version, such as"
    " `2.6.0+cu126`. That is release 2.6.0 and build `cu126`; without a `+`, the build is `cpu`. Put your own"
    " {parts} into the command below."
)


def ask_for_build(step: str, values: Mapping[str, str]) -> str:
    """Return the Markdown of a step, with a question in front if it needs a build that is not known.

    With the example in the command, pip would replace the build: a CUDA build by a CPU build, for instance.
    """
    if not any("{" + name + "|" in step and not values.get(name) for name in BUILD_FIELDS):
        return step
    parts = "release and build" if "{torch_release|" in step else "build"
    return f"{_QUESTION.format(parts=parts)}\n\n   {step}"
