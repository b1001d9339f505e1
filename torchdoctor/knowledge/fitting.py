"""Leave out steps that a text rules out: for another maker's card, for conda, for another kind of program.

Also left out is an update of a package that would break what is installed beside it.
"""

import re
from collections.abc import Mapping, Sequence

from torchdoctor.knowledge.bodies import Step
from torchdoctor.knowledge.builds import removes_torch

_BLOCK = re.compile(r"^[ ]*```\w+\n(?P<code>.*?)^[ ]*```", re.MULTILINE | re.DOTALL)
# What the commands of a step for a maker's cards hold; a step for several makers names none in its commands.
_MAKERS = {
    "nvidia": re.compile(r"/whl/cu\d|\bnvidia-smi\b"),
    "intel": re.compile(r"/whl/xpu\b"),
    "amd": re.compile(r"/whl/rocm|directml"),
}
# An index that is filled in, whose example is one for NVIDIA.
_FILLED_INDEX = re.compile(r"/whl/\{(?P<value>\w+)\|(?P<example>cu\d+)\}")
_CONDA = re.compile(r"[ ]*(?:conda|mamba)\b|[^\n]*\$env:CONDA_PREFIX\b")
# An update of the package that failed.
_UPDATE = re.compile(r"-m pip install --upgrade [^\n]*\{package\|")
# Packages that are not updated alone. An update of torch takes the CPU build of PyPI. Those of OpenMMLab
# work only in the versions of its tables, and the newest MMCV goes into the folder of mmcv-full. The others
# have several names on PyPI for one folder, and pip writes the files of one over those of the other:
# https://pypi.org/project/opencv-python, https://onnxruntime.ai/docs/install,
# https://github.com/triton-lang/triton-windows.
_NOT_UPDATED = re.compile(
    r"mm(?:action|agic|cls|cv|deploy|det|det3d|edit|engine|gen|ocr|pose|pretrain|razor|rotate"
    r"|seg|selfsup|track|yolo)"
    r"|faiss|onnxruntime|opencv-python|triton|torch|torchaudio|torchvision",
    re.IGNORECASE,
)
_INSTALLATION = re.compile(r"-m pip install [^\n]*(?<![\w-])torch(?![\w-])")
# The place of a Python that is no part of conda.
_NOT_CONDA = re.compile(
    r"\\Scripts\\python\.exe$|\\python_embed\w*\\python\.exe$|\\Programs\\Python\\"
    # An environment of conda can have such a name, too.
    r"|(?<!\\envs)\\Python3\d{1,2}\\python\.exe$",
    re.IGNORECASE,
)


def keep_fitting(steps: Sequence[Step], values: Mapping[str, str]) -> tuple[Step, ...]:
    """Return the steps that the values of a text do not rule out; all of them if none would be left."""
    meant = [step for step in steps if is_meant(step, values)]
    fitting = [step for step in meant if not _is_ruled_out(step, values)]
    if any(map(_installs, meant)) and not any(map(_installs, fitting)):
        # Nobody is told to remove what no step brings back.
        fitting = [step for step in fitting if not removes_torch(step.text)]
    return tuple(fitting) or tuple(meant) or tuple(steps)


def _installs(step: Step) -> bool:
    return _INSTALLATION.search(step.text) is not None


def is_meant(step: Step, values: Mapping[str, str]) -> bool:
    """Return whether the condition of a step is met."""
    has_needed = not step.needs or bool(values.get(step.needs))
    return has_needed and not any(values.get(name) for name in step.excluded_by)


def _is_ruled_out(step: Step, values: Mapping[str, str]) -> bool:
    blocks = [block["code"] for block in _BLOCK.finditer(step.text)]
    if not blocks:
        return False
    if _NOT_UPDATED.fullmatch(values.get("package", "")) and any(map(_UPDATE.search, blocks)):
        return True
    maker = values.get("maker")
    if maker is not None:
        named = {name for name, regex in _MAKERS.items() if any(regex.search(block) for block in blocks)}
        filled = [index for block in blocks for index in _FILLED_INDEX.finditer(block)]
        builds = {values.get(index["value"], index["example"]) for index in filled}
        # A CUDA build that is there computes on the CPU as well.
        if any(build.startswith("cu") and build != values.get("keeps_cuda") for build in builds):
            named.add("nvidia")
        if named and maker not in named:
            return True
    lines = [line for block in blocks for line in block.splitlines() if line.strip()]
    is_for_conda = all(_CONDA.match(line) for line in lines)
    return is_for_conda and _NOT_CONDA.search(values.get("python", "")) is not None
