"""The one exception for what a person can put right."""


class UsageError(Exception):
    """An argument or a file that a person named is not usable; the message is one line."""
