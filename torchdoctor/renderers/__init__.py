"""Renderers turn a value into text. They are deterministic and do not read the clock."""
