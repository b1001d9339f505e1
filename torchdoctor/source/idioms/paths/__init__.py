"""Paths and names of files: which expressions are some, and what a program makes of them."""
