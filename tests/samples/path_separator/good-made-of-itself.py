import glob
import os
from pathlib import Path


def download(url, folder):
    url = url.strip()
    return Path(folder) / url.split("/")[-1]


def keep(urls):
    urls = [url for url in urls if url.split("/")[-1]]
    urls = sorted(urls)
    names = [url.split("/")[-1] for url in urls]
    return names, glob.glob("*/*")


def in_a_loop(url):
    while url.endswith("/"):
        url = url.rstrip("/")
    return url.split("/")[-1]


class Links:
    def __init__(self, links):
        self.links = links
        self.links = sorted(self.links)
        self.names = [link.split("/")[-1] for link in self.links]
        self.empty = []

    def find(self):
        return [each.split("/")[-1] for each in self.empty]


def each_other(first, second):
    first, second = second, first
    return first.split("/")[-1]


def loop(path):
    return loop(path).split("/")[-1]


def only_none(path=None):
    return path.split("/")[-1]


def other_name():
    names = glob.glob("images/*.jpg")
    names = [os.path.basename(each) for each in names]
    return [name.split("/")[-1] for name in names]
