"""What separates the parts of a path, in all forms that a text can have it in."""

# Doubled in source code, encoded in a URL, or as Japanese and Korean fonts show it.
SEPARATOR = r"(?:[\\/¥₩]|%5c|%2f)"
