"""The terminal and files: what is written to the screen, the progress line, output files."""
