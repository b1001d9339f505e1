"""Input from the terminal, output to the terminal and to files, and the progress line."""
