"""Recognise by their names the DLLs of Windows, of the Visual C++ runtime and of the interpreter."""

import re
from functools import cache

from torchdoctor.core.bundled import read_bundled

_API_SET = re.compile(r"(?:api-ms-win|ext-ms)-", re.IGNORECASE)
_PYTHON = re.compile(r"python3\d*(?:t|_d)?\.dll", re.IGNORECASE)
_VC_RUNTIME = re.compile(r"(?:vcruntime|msvcp|concrt|vcomp|vccorlib|vcamp)\d", re.IGNORECASE)


def normalise_dll_name(name: str) -> str:
    """Return a name as the loader compares it: in lower case, and with ".dll" if it has no extension."""
    lowered = name.lower()
    return lowered if "." in lowered else f"{lowered}.dll"


def is_api_set(name: str) -> bool:
    """Return whether the API-set schema of Windows 10 and 11 resolves a name, so that no file is needed."""
    return _API_SET.match(name) is not None


def is_system_dll(name: str) -> bool:
    """Return whether every supported 64-bit Windows has this DLL."""
    return is_api_set(name) or normalise_dll_name(name) in system_dll_names()


def is_python_dll(name: str) -> bool:
    """Return whether this is the interpreter's own DLL, which is loaded before any extension module."""
    return _PYTHON.fullmatch(name) is not None


def is_vc_runtime(name: str) -> bool:
    """Return whether this is a Visual C++ runtime DLL: often in System32, never part of Windows."""
    return _VC_RUNTIME.match(name) is not None


def is_assumed(name: str) -> bool:
    """Return whether a DLL counts as present when no System32 or Python folder can be listed."""
    return is_system_dll(name) or is_python_dll(name)


@cache
def system_dll_names() -> frozenset[str]:
    """Read the bundled list of system DLLs."""
    text = read_bundled("torchdoctor.pe", "system_dlls.txt").decode("ascii")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))
