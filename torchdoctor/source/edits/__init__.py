"""Mechanical changes of training code, as replacements in its text."""
