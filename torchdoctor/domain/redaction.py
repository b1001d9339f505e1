"""Takes user names, host names and home folders out of what is made to be shared."""

import dataclasses
import re
from collections.abc import Mapping
from typing import TypeVar, cast

from torchdoctor.core.record import record

T = TypeVar("T")

# Facts may come from another machine: its home folders are known by their place.
_HOMES = re.compile(
    r"(?i)(?P<root>\b[a-z]:[\\/]+(?:users|documents and settings)[\\/]+|(?<![\w.])/(?:home|users)/)"
    r"(?P<user>[^\\/:*?\"<>|\s]+)"
)
_SHARED = frozenset({"public", "default", "shared", "all"})


@record
class Identity:
    """Who uses this machine: home folder, user name, host name; empty where unknown."""

    home: str = ""
    user: str = ""
    host: str = ""

    def redact(self, text: str) -> str:
        """Take this identity, and any home folder, out of a text."""
        for spelling in dict.fromkeys(
            (self.home, self.home.replace("\\", "/"), self.home.replace("\\", "\\\\"))
        ):
            if len(spelling) > 3:
                text = re.sub(re.escape(spelling) + r"(?![\w.-])", "~", text, flags=re.IGNORECASE)
        text = _HOMES.sub(_hide_home, text)
        if len(self.user) > 2:
            # Only as a part of a path: a user may be called "torch".
            text = re.sub(rf"(?i)(?<=[\\/]){re.escape(self.user)}(?=[\\/])", "<user>", text)
        if len(self.host) > 3 and self.host.lower() not in ("localhost", "windows", "linux"):
            text = re.sub(rf"(?i)(?<![\w-]){re.escape(self.host)}(?![\w-])", "<host>", text)
        return text


def _hide_home(match: re.Match[str]) -> str:
    return match[0] if match["user"].lower() in _SHARED else f"{match['root']}<user>"


def redact(value: T, identity: Identity) -> T:
    """Take an identity out of every text in a value: records, tuples and mappings are walked."""
    return cast("T", _redact(value, identity))


def _redact(value: object, identity: Identity) -> object:
    if isinstance(value, str):
        return identity.redact(value)
    if isinstance(value, (tuple, list)):
        return type(value)(_redact(item, identity) for item in value)
    if isinstance(value, Mapping):
        return {key: _redact(item, identity) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changed = {
            f.name: _redact(getattr(value, f.name), identity) for f in dataclasses.fields(value) if f.init
        }
        return dataclasses.replace(value, **changed)
    return value
