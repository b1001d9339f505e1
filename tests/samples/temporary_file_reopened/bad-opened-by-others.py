import tempfile

import caffe
import torch.distributed as dist

from mylib import image_loader


def by_libraries(raw):
    with tempfile.NamedTemporaryFile() as file:
        image_loader.load(file.name)
    with tempfile.NamedTemporaryFile() as file:
        caffe.Net(file.name, caffe.TEST)
    with tempfile.NamedTemporaryFile() as file:
        raw.to_csv(file.name)
    with tempfile.NamedTemporaryFile() as file:
        dist.init_process_group("gloo", init_method=f"file://{file.name}")


class Storage:
    def __init__(self, path, mode="rb"):
        self.file = open(path, mode)

    @staticmethod
    def make(path):
        return open(path)


def by_a_constructor():
    with tempfile.NamedTemporaryFile() as file:
        Storage(file.name)
    with tempfile.NamedTemporaryFile() as file:
        Storage.make(file.name)
