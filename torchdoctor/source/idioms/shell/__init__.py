"""The commands of a shell, and the programs that they name."""
