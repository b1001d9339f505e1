"""Run the checks of training code on files: in this process, in others, or from a cache."""
