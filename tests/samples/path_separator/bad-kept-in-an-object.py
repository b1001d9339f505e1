import glob
import os

FILES = glob.glob("tips/*.md")


class Tips:
    def __init__(self, files=FILES):
        for file in files:
            self.add(file.split("/")[-1])


class Pictures:
    def __init__(self, root):
        self.paths = []
        found = glob.glob(root + "/*.png") + glob.glob(root + "/*.jpg")
        found = set(found) - set(glob.glob(root + "/*.mask.png"))
        self.paths = list(found)

    def __getitem__(self, index):
        path = self.paths[index]
        return load(path), path.split("/")[-2]
