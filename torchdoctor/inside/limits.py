"""The limit of what can be sent to a worker."""

# The C runtime of Windows writes at most INT_MAX bytes in one call; above that, users report
# "[Errno 22] Invalid argument" (github.com/lshiwjx/2s-AGCN/issues/35).
PIPE_LIMIT_BYTES = 2 << 30
