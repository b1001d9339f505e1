"""Training code: its files, what a module does, the idioms that checks look for, and edits."""

from torchdoctor.source.source_file import ConfigFile, ConfigSetting, SourceFile

__all__ = ["ConfigFile", "ConfigSetting", "SourceFile"]
