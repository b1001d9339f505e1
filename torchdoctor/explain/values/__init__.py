"""What a text names, as values for the steps of an answer: Python, packages, builds, commands, DLLs."""
