"""A parsed module: its names, constants, conditions and platform branches."""
