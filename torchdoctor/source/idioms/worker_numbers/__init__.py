"""The numbers of workers that a program sets, and what they count."""
