"""Probes: the only code that touches the machine. Each module observes the facts of its twin in `facts`."""
