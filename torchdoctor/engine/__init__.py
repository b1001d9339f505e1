"""Find plugins, load checks and entries, run probes and checks; nothing here is about a single problem."""
