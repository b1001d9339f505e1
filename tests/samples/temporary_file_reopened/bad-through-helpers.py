import contextlib
import tempfile
from contextlib import closing

import torch


def write(path, samples):
    with open(path, "wb") as file:
        file.write(samples)


def save_all(model, path):
    if model is not None:
        target = str(path)
        torch.save(model, target)


def by_functions(samples, model):
    with tempfile.NamedTemporaryFile() as file:
        write(file.name, samples)
    with closing(tempfile.NamedTemporaryFile()) as file:
        save_all(path=file.name, model=model)


@contextlib.contextmanager
def temporary_path():
    with tempfile.NamedTemporaryFile(suffix=".pt") as file:
        yield file.name


def by_a_manager(model):
    with temporary_path() as path:
        torch.save(model, path)


class Test:
    def setUp(self):
        self.file = tempfile.NamedTemporaryFile()

    def test_saving(self):
        self.check(self.file.name)

    def check(self, path):
        torch.save(1, path)

    def tearDown(self):
        self.file.close()


def by_a_name_that_was_used_before(samples):
    path = "first.wav"
    print(path)
    with tempfile.NamedTemporaryFile("w", -1, None, None, ".wav", None, None, True) as file:
        path = file.name
        soundfile.write(path, samples, 16000)
