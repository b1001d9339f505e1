import datetime
import os
import re
import time


def make(root, date):
    return os.path.join(root, date.replace(":", "-"))


def make_clean(root, date):
    date = re.sub(r"\W", "_", date)
    return os.path.join(root, date)


def note(path, date):
    with open(path, "a") as file:
        file.write(date)


class Task:
    def find_folder(self, root, date):
        print(date)
        return os.path.join(root, "data")


def log(text, *, to):
    print(text, to)


make("a", time.ctime())
make_clean("a", time.ctime())
note("a.log", time.ctime())
note(date=datetime.datetime.now().isoformat(), path="a.log")
Task().find_folder("a", time.ctime())
log(time.ctime(), to=os.path.join("a", "b"))
unknown("a", time.ctime())
