"""From pasted bytes to cleaned lines, and to units: errors, the frames of their tracebacks, loose lines."""
