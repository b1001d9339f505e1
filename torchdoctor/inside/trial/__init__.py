"""The trial of a dataset: it is built, pickled and sampled, then loaded from as a spawned worker does."""

# So many members of each kind are reported.
MAX_MEMBERS = 50
# A pickle of this size takes a worker seconds to read.
LARGE_PICKLE_BYTES = 100_000_000
# torch's default of a DataLoader with workers.
PREFETCH_FACTOR = 2
