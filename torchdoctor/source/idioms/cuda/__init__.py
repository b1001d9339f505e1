"""CUDA devices, and the values that are on them."""
