import lmdb


def open_for_writing(path):
    try:
        return lmdb.open(path, map_size=1 << 40)
    except lmdb.Error:
        return lmdb.open(path, map_size=1 << 30)
