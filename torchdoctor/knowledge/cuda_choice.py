"""Write the expressions by which a command chooses the CUDA build for the torch that it reads.

An entry names one in its commands: `<<cuda-build>>`.
"""

import re

# The first release of torch that the command takes each build for, newest first. All are for Windows, and
# drivers of CUDA 12 run them: domain/cuda_builds.csv, and for cu110
# https://download.pytorch.org/whl/torch_stable.html
CUDA_BUILDS = (
    ("cu126", (2, 6)),
    ("cu121", (2, 1)),
    ("cu118", (2, 0)),
    ("cu117", (1, 13)),
    ("cu116", (1, 12)),
    ("cu113", (1, 10)),
    ("cu111", (1, 8)),
    ("cu110", (1, 7)),
)
# `n` is the release of torch, as [2, 6]; '' where its only build has no name.
_CHAIN = " else ".join([*(f"'{build}' if n >= [{a}, {b}]" for build, (a, b) in CUDA_BUILDS), "''"])
# `c` is the compute capability of the newest card, `d` the installed packages with their numbers. The names
# are `b`, the build, `f`, where pip finds it, and `w`, the packages.
_FOR_CARD = (
    f"b = ('cu130' if n >= [2, 12] else 'cu128') if c >= 10 else {_CHAIN};"
    " f = ['-f' if n < [1, 10] and c < 10 else '--extra-index-url' if n < [2, 0] and c < 10"
    " else '--index-url', 'https://download.pytorch.org/whl/'"
    " + ('torch_stable.html' if n < [1, 10] and c < 10 else b)];"
    " w = [k if c >= 10 and n < [2, 7] else k + ('==' if b else '===') + d[k]"
    " + ('+' + b if b and n < [2, 0] and k[-1] != 'o' else '')"
    " for k in ('torch', 'torchvision', 'torchaudio') if k in d]"
)
_EXPRESSIONS = {"cuda-build": _CHAIN, "torch-for-card": _FOR_CARD}
_NAME = re.compile(r"<<([a-z-]{1,30})>>")


def write_choices(markdown: str) -> str:
    """Return the Markdown of an entry with the expressions that it names; another name stays."""
    if "<<" not in markdown:
        return markdown
    return _NAME.sub(lambda name: _EXPRESSIONS.get(name[1], name[0]), markdown)
