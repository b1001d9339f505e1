"""Remove user names, host names and home folders from output that is made to be shared."""

import dataclasses
import re
from collections.abc import Mapping
from typing import TypeVar, cast

from torchdoctor.core.record import record

T = TypeVar("T")

# Facts may come from another machine, so home folders are recognised by the folder that they are in.
_HOMES = re.compile(
    r"(?i)(?P<root>\b[a-z]:[\\/]+(?:users|documents and settings)[\\/]+|(?<![\w.])/(?:home|users)/)"
    r"(?P<user>[^\\/:*?\"<>|\s]+)"
)
_SHARED_HOMES = frozenset({"public", "default", "shared", "all"})


@record
class Identity:
    """The user of this machine: home folder, user name, host name; empty if unknown."""

    home: str = ""
    user: str = ""
    host: str = ""

    def redact(self, text: str) -> str:
        """Remove this identity, and every home folder, from a text."""
        for spelling in dict.fromkeys(
            (self.home, self.home.replace("\\", "/"), self.home.replace("\\", "\\\\"))
        ):
            if len(spelling) > 3:
                text = re.sub(re.escape(spelling) + r"(?![\w.-])", "~", text, flags=re.IGNORECASE)
        text = _HOMES.sub(_hide_home, text)
        if len(self.user) > 2:
            # Only as a component of a path, because a user may be called "torch".
            text = re.sub(rf"(?i)(?<=[\\/]){re.escape(self.user)}(?=[\\/])", "<user>", text)
        if len(self.host) > 3 and self.host.lower() not in ("localhost", "windows", "linux"):
            text = re.sub(rf"(?i)(?<![\w-]){re.escape(self.host)}(?![\w-])", "<host>", text)
        return text


def _hide_home(match: re.Match[str]) -> str:
    return match[0] if match["user"].lower() in _SHARED_HOMES else f"{match['root']}<user>"


def redact(value: T, identity: Identity) -> T:
    """Remove an identity from every text in a value, also inside records, tuples, lists and mappings."""
    return cast("T", _redact_value(value, identity))


def _redact_value(value: object, identity: Identity) -> object:
    if isinstance(value, str):
        return identity.redact(value)
    if isinstance(value, (tuple, list)):
        return type(value)(_redact_value(item, identity) for item in value)
    if isinstance(value, Mapping):
        return {key: _redact_value(item, identity) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        redacted = {
            field.name: _redact_value(getattr(value, field.name), identity)
            for field in dataclasses.fields(value)
            if field.init
        }
        return dataclasses.replace(value, **redacted)
    return value
