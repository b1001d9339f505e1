import shutil

import lmdb
import numpy as np

lmdb.open("a", map_size=images.nbytes * 10)
lmdb.open("b", map_size=len(paths) * 3 * 1024**2)
lmdb.open("c", map_size=min(1 << 40, shutil.disk_usage(".").free // 2))
lmdb.open("d", map_size=int(10e9))
lmdb.open("e", map_size=32 * 1024**3)
limit = int(1e12)
lmdb.open("f", map_size=limit // parts)
size = 1 << 40
size //= 100
lmdb.open("g", map_size=size)
room = min(1 << 40, 3 * np.prod(shape))
lmdb.open("h", map_size=room)
env = lmdb.open("i")
env.set_mapsize(env.info()["map_size"] * 2)
lmdb.open("j", map_size=float("inf"))
lmdb.open("l", **{"map_size": 1 << 40})
