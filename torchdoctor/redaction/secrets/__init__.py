"""Passwords, tokens and keys: by the names of settings, by commands and formats, and by their own form."""
