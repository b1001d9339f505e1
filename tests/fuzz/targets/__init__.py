"""What the campaign feeds, and what must hold for any input: one module for each kind."""

from targets import children, code, entries, facts, images, installed, plugins, policy, texts
from targets.table import TARGETS, Target

__all__ = [
    "TARGETS",
    "Target",
    "children",
    "code",
    "entries",
    "facts",
    "images",
    "installed",
    "plugins",
    "policy",
    "texts",
]
