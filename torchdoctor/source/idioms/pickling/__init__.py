"""Values that cannot be sent to a spawned process."""
