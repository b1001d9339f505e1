import contextlib
import os
import tempfile

import torch


def beside_it(model, number):
    with tempfile.NamedTemporaryFile() as file:
        torch.save(model, file.name + ".pt")
        torch.save(model, f"{file.name}_{number}.pt")
        torch.save(model, "{}.pt".format(file.name))
        torch.save(model, "%s.pt" % file.name)
        torch.save(model, file.name + number)
        os.makedirs(file.name + "_folder")


def given_by_position(model):
    file = tempfile.NamedTemporaryFile("w", -1, None, None, ".pt", None, None, False)
    torch.save(model, file.name)


def closed_by_its_block(model):
    file = tempfile.NamedTemporaryFile()
    with file:
        file.write(b"1")
    torch.save(model, file.name)


def show(path, level=1):
    print("  " * level, path)


def only_shown():
    with tempfile.NamedTemporaryFile() as file:
        show(file.name)
        show(level=2, path=file.name)


def held_by_settings():
    with tempfile.NamedTemporaryFile() as file:
        train(TrainingConfig(path=file.name))


def another_value(model):
    with tempfile.NamedTemporaryFile() as file:
        path = file.name
        print(path)
        path = "model.pt"
        torch.save(model, path)


@contextlib.contextmanager
def kept_path():
    with tempfile.NamedTemporaryFile(delete=False) as file:
        yield file.name


@contextlib.contextmanager
def temporary_path():
    with tempfile.NamedTemporaryFile() as file:
        yield file.name


def by_managers(model):
    with kept_path() as path:
        torch.save(model, path)
    with temporary_path() as path:
        print(path)
    torch.save(model, path)


class Writer:
    def __init__(self):
        self.file = tempfile.NamedTemporaryFile()
        self.other = tempfile.NamedTemporaryFile()

    def write(self, model):
        self.file.write(model)
        self.file.close()
        torch.save(model, self.file.name)

    def load(self):
        print(self.other.name)
        return torch.load(self.other)


class Other:
    def load(self):
        return torch.load(self.other.name)
