"""Keep values that a shell could run or replace out of the code that people copy."""

import re
from collections.abc import Mapping

# Texts and facts may come from another machine. A path of Windows stands in quotes in the code of entries.
_HARMLESS = r"[\w .:\\/+~=,\[\]-]{1,400}|[A-Za-z]:[\\/][\w .:\\/+~=,()\[\]@'-]{1,400}"


def keep_harmless(values: Mapping[str, str]) -> dict[str, str]:
    """Return the values that PowerShell and cmd read as plain text."""
    return {name: value for name, value in values.items() if re.fullmatch(_HARMLESS, value)}
