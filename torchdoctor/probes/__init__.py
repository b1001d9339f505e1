"""Probes: the only code that touches the machine; each gives facts, or why there are none."""
