"""Automatic edits of training code, as replacements in its text."""
