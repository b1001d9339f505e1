"""The checks: one file a problem, each named after the problem."""
