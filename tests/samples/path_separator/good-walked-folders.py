import os


def read_labels(folder):
    for path, folders, names in os.walk(folder):
        label = os.path.basename(path)
        for name in names:
            yield label, name.split("_")[0], path.replace(os.sep, "/").split("/")[-1]
