"""The commands, one module each: a command returns a value with an exit code, and prints nothing."""
