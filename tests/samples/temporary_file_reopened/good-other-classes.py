import tempfile
from dataclasses import dataclass

from mylib import NamedTemporaryFile


@dataclass
class Job:
    path: str


def folder(model):
    with tempfile.TemporaryDirectory() as folder:
        save(model, folder.name)


def their_own(model):
    with NamedTemporaryFile() as file:
        save(model, file.name)


def only_kept(jobs):
    file = tempfile.NamedTemporaryFile()
    jobs.append(Job(path=file.name))
    return file


def after_the_block():
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"1")
    try_to_open(file.name)
