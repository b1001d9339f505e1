"""The formats: one module each, with a function `read` from lines to statements."""
