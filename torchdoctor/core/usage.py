"""The base of every error that the user can correct."""


class UsageError(Exception):
    """An argument, file or interpreter that the user named cannot be used; the message is one line."""
