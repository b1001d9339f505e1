"""Facts and checks to outcomes: plugins, the registry, probing, running checks; names no problem."""
