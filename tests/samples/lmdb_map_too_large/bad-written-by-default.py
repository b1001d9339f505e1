import lmdb


class Cache:
    def __init__(self, path, map_size=1024**4, read_only=False):
        if is_protected(path):
            read_only = True
        self.env = lmdb.open(path, map_size=map_size, readonly=read_only)


def open_one(path, mode="write"):
    readonly = True
    if mode == "write":
        readonly = False
    return lmdb.open(path, map_size=1 << 40, readonly=readonly)
