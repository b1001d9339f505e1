"""The trial of a dataset: builds it, pickles it, takes samples, and loads from it with a spawned worker."""

# The number of members of each kind that are reported.
MAX_MEMBERS = 50
# A worker needs seconds to read a pickle of this size.
LARGE_PICKLE_BYTES = 100_000_000
# torch's default for a DataLoader with workers.
PREFETCH_FACTOR = 2
