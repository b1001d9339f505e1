"""Other processes: starting them, time limits, ending what they leave running, decoding how they ended."""
