"""Finding files of training code, reading them, and choosing which ones to parse."""
