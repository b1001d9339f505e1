# A name that is cleaned in place, and a parameter that only looks like a moment.
import datetime
import os


def name_of(text):
    text = text.replace("_", "-")
    return str(text)


def open_log(folder):
    stamp = str(datetime.datetime.now()).split(".")[0]
    stamp = stamp.replace(":", "-").replace(" ", "_")
    return open(os.path.join(folder, f"run_{stamp}.log"), "w")
