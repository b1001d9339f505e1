"""Names the folders into which pip of this interpreter writes, and whom the interpreter belongs to."""

from __future__ import annotations

import os
import sys

from .answers import write_answer
from .describe import has_pip


def main(answer_file: str) -> None:
    """Write the answer to the answer file."""
    write_answer(answer_file, describe_folders())


def describe_folders() -> dict[str, object]:
    """Return the folders and the signs of an owner as a JSON object."""
    import site
    import sysconfig

    paths = sysconfig.get_paths()
    scheme = f"{os.name}_user"
    user_paths = {}
    if site.ENABLE_USER_SITE and scheme in sysconfig.get_scheme_names():
        user_paths = sysconfig.get_paths(scheme)
    stdlib = paths["stdlib"]
    return {
        "packages": sorted({paths["purelib"], paths["platlib"]}),
        "scripts": paths["scripts"],
        "data": paths["data"],
        "user_packages": sorted({user_paths[name] for name in ("purelib", "platlib") if name in user_paths}),
        "user_scripts": user_paths.get("scripts"),
        "prefix": sys.prefix,
        "base_prefix": sys.base_prefix,
        "externally_managed": os.path.isfile(os.path.join(stdlib, "EXTERNALLY-MANAGED")),
        "has_pip": has_pip(),
    }
