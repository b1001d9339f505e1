"""Leave out of the prompts of shells the environments and folders that people name."""

import re

from torchdoctor.domain.masks import LEFT_OUT
from torchdoctor.redaction.paths.path_parts import is_public_part

# (x) PS C:\data>, (x) C:\data>, (x) <user>@<host>:~$
_ENVIRONMENT = re.compile(
    r"(?<!\S)\((?P<name>[^\s()<>]{2,60})\)(?=[ ](?:PS[ ])?(?:[A-Za-z]:[\\/][^>\n]{0,200}>|<user>@<host>))"
)
# [<user>@<host> x]$
_FOLDER = re.compile(r"(?<=<user>@<host>[ ])(?P<name>[^\]\n/\\~]{2,80})(?=\][$#])")


def leave_out_named_prompts(text: str) -> str:
    """Return a text in which three dots stand for what people have named in prompts."""
    if ">" not in text:
        return text
    return _FOLDER.sub(_show, _ENVIRONMENT.sub(_show, text))


def _show(match: re.Match[str]) -> str:
    return match[0] if is_public_part(match["name"]) else match[0].replace(match["name"], LEFT_OUT, 1)
