"""The published JSON Schemas, one an output."""
