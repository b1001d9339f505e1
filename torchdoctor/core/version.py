"""The version of torchdoctor."""

__version__ = "0.1.0"
