import lmdb
import plyvel

settings = dict(map_size=1 << 40)
plyvel.DB("a", map_size=1 << 40)
open("lmdb", map_size=1 << 40)
Environment("b", map_size=1 << 40)
print(lmdb.version(), map_size := 1 << 40)
