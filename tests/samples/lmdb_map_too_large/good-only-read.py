import lmdb

lmdb.open("a", map_size=1099511627776, readonly=True, lock=False)
lmdb.open("b", 1099511627776, True, True)


class Data:
    def __init__(self, path, readonly=True, **kwargs):
        self.env = lmdb.open(path, map_size=1024**4, readonly=readonly)
        self.other = lmdb.open(path, map_size=1024**4, **kwargs)
        self.third = lmdb.open(path, readonly=True, map_size=1 << 41, meminit=False)


def read(path, write):
    return lmdb.open(path, map_size=1024**4, readonly=not write)


def read_again(path, read_only=True):
    if is_protected(path):
        read_only = True
    return lmdb.open(path, map_size=1024**4, readonly=read_only)


def read_by_mode(path, mode):
    return lmdb.open(path, map_size=1024**4, readonly=mode == "r")
