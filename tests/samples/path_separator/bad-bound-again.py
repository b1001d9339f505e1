import json
import os
from glob import glob

from torch.utils.data import Dataset


def to_its_own_parts():
    names = sorted(glob("images/*.jpg"))
    names = [each.split("/")[-1] for each in names]  # bad
    return names


class Images(Dataset):
    def __init__(self, root, kind, listing):
        if kind == "coco":
            self.images = os.listdir(root)
            self.images = [os.path.join(root, image) for image in self.images]
            self.ids = [int(image.split("/")[-1].split(".")[0]) for image in self.images]  # bad
        else:
            self.images = json.load(open(listing))["images"]
            self.images = [os.path.join(root, image["url"].split("/")[-1]) for image in self.images]
        self.names = os.listdir(root)
        self.paths = [os.path.join(root, name) for name in self.names]

    def __getitem__(self, index):
        return self.images[index].split("/")[-1], self.paths[index].split("/")[-1]  # bad, twice


class Pairs:
    def __init__(self, root):
        self.root, self.names = os.path.abspath(root), os.listdir(root)
        self.pairs = list(zip(self.names, glob(root + "/*.png")))

    def read(self):
        for number, (name, path) in enumerate(zip(self.names, glob("a/*.png"))):
            print(number, name, path.split("/")[-1])  # bad
        return self.root.split("/")[-1]  # bad


def in_another_order(folder):
    path = ""
    for path in glob(folder):
        break
    stem = path.split(".")[0].split("/")[-1]  # bad
    files = glob(folder) * 2
    mask = files[0].replace("images", "masks")[:-4] + "_mask.png"
    text = f"{files[0]}.txt"
    print(mask.split("/")[-1], text.split("/")[-1])  # bad, twice
    return stem


def with_entries(folder):
    folders = [entry.path for entry in os.scandir(folder) if entry.is_dir()]
    for each in folders:
        print(each.split("/")[-1])  # bad
