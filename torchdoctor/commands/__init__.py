"""The commands, one module each: arguments in, a value with an exit code out; nothing is printed."""
