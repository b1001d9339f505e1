"""Training code: finding, reading and understanding it, suppressions and edits."""

from torchdoctor.source.files import find_sources
from torchdoctor.source.reading import Sources, parse_source, read_source, read_sources
from torchdoctor.source.unreadable import Unreadable

__all__ = ["Sources", "Unreadable", "find_sources", "parse_source", "read_source", "read_sources"]
