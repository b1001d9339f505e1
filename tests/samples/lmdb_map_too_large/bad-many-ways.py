import argparse
from lmdb import open as open_lmdb

import lmdb

MAP_SIZE = 1 << 40
parser = argparse.ArgumentParser()
parser.add_argument("--map-size", type=int, default=1024**4)
args = parser.parse_args()

lmdb.open("a", map_size=int(1e12))
lmdb.open("b", 1099511627776 * 2, subdir=False, meminit=False, map_async=True)
lmdb.Environment("c", map_size=1e12, readonly=False)
open_lmdb("d", map_size=MAP_SIZE)
lmdb.open("e", map_size=args.map_size, writemap=True)


class Writer:
    def __init__(self, path, map_size=500 * 1024 * 1024 * 1024):
        self.env = lmdb.open(path, map_size=map_size, max_dbs=2)


class Store:
    def __init__(self, path, size=None):
        self.size = 10**11 * 2 if size is None else size
        self.env = lmdb.open(path, map_size=self.size)


def grow(path):
    env = lmdb.open(path)
    env.set_mapsize(2**40)
