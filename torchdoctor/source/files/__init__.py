"""Files of training code: which there are, what they hold, which are worth parsing."""
