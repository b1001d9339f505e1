"""Find whose account an address names: of the hosts on which everybody can have one."""

from collections.abc import Sequence

_HOSTS = frozenset((
    "api.github.com", "codeload.github.com", "gist.github.com", "gitee.com", "github.com", "gitlab.com",
    "hf-mirror.com", "hf.co", "huggingface.co", "modelscope.cn", "raw.githubusercontent.com",
    "raw.github.com", "www.github.com", "www.modelscope.cn",
))  # fmt: skip
# What stands before an owner on some of them.
_BEFORE_OWNER = frozenset(("api", "datasets", "models", "repos", "spaces", "sponsors", "users"))


def find_owner(host: str, parts: Sequence[str]) -> str | None:
    """Return the owner of what an address names, or None; `parts` are those of its path."""
    if host not in _HOSTS:
        return None
    return next((part for part in parts if part and part not in _BEFORE_OWNER), None)
