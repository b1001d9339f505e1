"""What each command does: call it, show what a renderer returns, and return the exit code."""
