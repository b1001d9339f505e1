"""What the PCs of a lab need."""
