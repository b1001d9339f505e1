import datetime
import os
import time


def make(root, date):
    return os.path.join(root, date)


class Task:
    def find_folder(self, root, date):
        return os.path.join(root, f"data_{date}")

    def build(self, root):
        self.folder = self.find_folder(root, str(datetime.datetime.today()))
        os.makedirs(self.folder, exist_ok=True)


class Writer:
    def __init__(self, root, *, stamp):
        self.path = os.path.join(root, stamp)


def inner(name):
    with open(name + ".log", "w") as file:
        file.write("start")


def outer(stamp):
    inner(stamp)


os.makedirs(make("a", date=time.ctime()))
Writer("a", stamp=time.strftime("%H:%M"))
outer(datetime.datetime.now().isoformat())
