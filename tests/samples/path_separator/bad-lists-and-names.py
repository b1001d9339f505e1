import os
from glob import glob
from pathlib import Path

from tqdm import tqdm

images = sorted(glob("data/*.png"))
for image in tqdm(images):
    name = image.split("/")[-1]


def name_all(folder):
    paths = [os.path.join(folder, name) for name in os.listdir(folder)]
    return {path.rsplit("/", 1)[-1]: path for path in paths}


def find_root():
    parts = os.getcwd().split("/")
    return parts[-1]


def read_labels(root):
    for path in Path(root).rglob("*.wav"):
        *_, label, name = str(path).split("/")
        yield str(path).split("/")[-2:]


def first():
    return images[0].split("/")[-1]


def strip(path):
    path = os.path.abspath(path)
    return path.strip().rpartition("/")[-1]


def in_a_loop_with_numbers(folder):
    paths = [os.path.join(folder, name) for name in os.listdir(folder)]
    for number, path in enumerate(paths):
        print(number, path.split("/")[-1])  # bad


def kept_under_its_name(folder):
    for path in sorted(glob(folder + "/*.png")):
        path = path.split("/")  # bad
        path = path[len(path) - 1]
        print(path)


def list_that_is_filled(folder):
    paths = []
    for name in os.listdir(folder):
        paths.append(os.path.join(folder, name))
    return [path.split("/")[-1] for path in paths]  # bad


here = os.path.dirname(os.path.abspath(__file__))
print(here.split("/")[-1])  # bad
print(os.path.expanduser("~").split("/")[-1])  # bad
