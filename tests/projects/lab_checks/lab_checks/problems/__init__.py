"""The problems: a module and an entry for each."""
