"""The checks: one file for each problem, named after it."""
