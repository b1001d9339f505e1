import glob
import os
import sys
from pathlib import Path

model = "facebook/opt-125m"
print(model.split("/")[-1])


def from_web(url):
    return url.split("/")[-1]


def mixed(path, fallback):
    name = os.path.abspath(path)
    name = fallback
    return name.split("/")[-1]


def with_slashes(folder):
    for path in glob.glob(folder + "/*.png"):
        path = path.replace("\\", "/")
        yield path.split("/")[-1]


def as_posix(folder):
    for path in Path(folder).glob("*.png"):
        yield path.as_posix().split("/")[-1]


def first_part(folder):
    for path in glob.glob("data/*.png"):
        yield path.split("/")[0]


def by_system(path):
    if sys.platform == "win32":
        return os.path.abspath(path).split("\\")[-1]
    return os.path.abspath(path).split("/")[-1]


def joined_with_a_list(root, names):
    return [os.path.join(root, name).split("/")[-1] for name in names]


def tried(folder):
    for path in glob.glob(folder):
        try:
            yield path.split("/")[-2]
        except IndexError:
            yield os.path.basename(path)


def loop_over_texts(texts):
    for number, text in enumerate(texts):
        print(number, text.split("/")[-1])


def list_of_texts(names):
    urls = []
    for name in names:
        urls.append("https://a.org/" + name)
    return [url.split("/")[-1] for url in urls]


print(os.path.expanduser(input()).split("/")[-1])
