"""Loaders, and the datasets and functions that they are given."""
