"""The base class of errors that the user can correct."""


class UsageError(Exception):
    """An argument, file or interpreter that the user named cannot be used; the message is one line."""
