"""Output to the terminal and to files, and the progress line."""
