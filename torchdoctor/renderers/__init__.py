"""Renderers: a value in, text out; deterministic and without a clock."""
