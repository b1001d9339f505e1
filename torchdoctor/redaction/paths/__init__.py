"""Paths: which of their parts programs have, and which people name."""
