import time
from pathlib import Path


def clock(plain=False):
    if not plain:
        text = time.strftime("%H:%M")
    else:
        text = time.strftime("%H%M")
    return text


Path("logs", clock()).touch()
