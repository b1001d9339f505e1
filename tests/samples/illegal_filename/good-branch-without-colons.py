import time
from pathlib import Path


def stamp(as_file=False):
    if as_file:
        text = time.strftime("%Y%m%d_%H%M%S")
    else:
        text = time.strftime("%Y-%m-%d %H:%M:%S")
    return text


def clock(plain):
    return time.strftime("%H%M") if plain else time.strftime("%H:%M")


print(stamp(), clock(False))
with open(Path("logs") / f"replay_{stamp(True)}", "w") as file:
    file.write(clock(plain=True))
Path("logs", clock(plain=True)).touch()
