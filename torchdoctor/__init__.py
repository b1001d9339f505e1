"""torchdoctor finds out why PyTorch fails on Windows, proves it, and gives the fix that works."""

__version__ = "0.1.0"
