"""What the writer of a text says: what was done, works, is solved, quoted, or of another computer."""
