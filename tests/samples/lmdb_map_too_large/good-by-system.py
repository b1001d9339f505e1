import os
import platform

import lmdb

lmdb.open("a", map_size=1099511627776 * 2 if platform.system() == "Linux" else 128 * 10**6)

map_size = 1 << 40
if os.name == "nt":
    map_size = 1 << 32
lmdb.open("b", map_size=map_size)

if os.name == "posix":
    lmdb.open("c", map_size=int(1e12))
