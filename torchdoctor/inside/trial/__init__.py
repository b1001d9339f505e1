"""The trial of a dataset: it is built, pickled and sampled, then loaded from as a spawned worker does."""

# So many members of each kind are reported.
MAX_MEMBERS = 50
