import functools
import os
from concurrent.futures import ProcessPoolExecutor
from glob import glob
from multiprocessing import Pool


def list_frames(folder):
    return sorted(glob(folder + "/*/*.jpg"))


def list_all(folder):
    found = list()
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            found = found + list_all(path)
        else:
            found.append(path)
    return found


def walk(folder):
    for name in os.listdir(folder):
        yield os.path.join(folder, name)


def split_list(folder):
    found = list_all(folder)
    return found[:10], found[10:]


def save(frames, number):
    return frames[number].split("/")[-1]  # bad


def keep(files):
    return [each for each in files if len(each.split("/")[-1].split("_")) == 2]  # bad


def measure(path, scale):
    return path.split("/")[-1], scale  # bad


def count(path):
    return path.rsplit("/", 1)[0]  # bad


def submit(path):
    folder, name = path.rsplit("/", 1)  # bad
    return folder, name


save(list_frames("video"), number=0)
train = keep(glob("sets/*_train.txt"))
test = keep(glob("sets/*_test.txt"))
for path in walk("images"):
    print(path.split("/")[-1])  # bad
first, rest = split_list("images")
print(first[0].split("/")[-1])  # bad
scaled = functools.partial(measure, scale=2)


def run():
    with Pool(4) as pool:
        pool.map(scaled, list_all("images"))
        pool.imap(count, list_frames("images"))
    with ProcessPoolExecutor() as executor:
        executor.submit(submit, os.path.abspath("images"))


class Results:
    def __init__(self, root):
        self.root = root.split("/")[-1]  # bad

    def list_files(self, folder):
        found = []
        for name in os.listdir(folder):
            found.append(os.path.join(folder, name, "data.json"))
        return found

    @property
    def files(self):
        return self.list_files("a")

    def read(self, folder):
        for path in self.list_files(folder):
            print(path.split("/")[-2])  # bad
        print([path.split("/")[-1] for path in self.files])  # bad


for name in os.listdir("results"):
    Results(os.path.join("results", name))
