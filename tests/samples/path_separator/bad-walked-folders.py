import os


def read_labels(folder):
    for path, _, names in os.walk(folder):
        label = path.split("/")[-1]
        for name in names:
            full = os.path.join(path, name)
            yield label, full.split("/")[-2]
