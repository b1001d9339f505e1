"""Processes: where they start, and what they and their queues are given."""
