"""Patterns of what loggers and launchers write before each line of a program."""

TIMESTAMP = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
# SD.Next writes a hyphen before the microseconds.
TIME_OF_DAY = r"\d\d:\d\d:\d\d(?:[.,-]\d{1,6})?"
# torchrun, MPI, Ray and Docker Compose.
LAUNCHERS = (
    r"\[(?:default)?\d{1,3}\]:|\[?rank\s?\d{1,4}\]?:|\[\d+,\d+\]<std(?:err|out)>:"
    r"|\([\w.<>:-]{1,60}(?:\s+pid=\d+)(?:,\s*ip=[\d.]+)?\)|[\w.-]{1,60}(?:_|-)\d{1,3}\s+\|"
)
