"""The command line: the commands, their arguments and their help."""
