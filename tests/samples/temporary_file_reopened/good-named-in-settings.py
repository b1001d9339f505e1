import contextlib
import os
import tempfile
from unittest.mock import patch

from mylib import changed_environment, remember


@contextlib.contextmanager
def patch_environment(**values):
    os.environ.update({key: str(value) for key, value in values.items()})
    yield


def set_variables():
    with tempfile.NamedTemporaryFile() as file:
        with patch_environment(rendezvous_file=file.name):
            print(os.environ)
        with changed_environment(rendezvous_file=file.name):
            print(os.environ)
        with patch.dict(os.environ, rendezvous_file=file.name):
            print(os.environ)
        remember(file.name)


class Job:
    def __init__(self, path):
        self.path = path


def only_kept():
    with tempfile.NamedTemporaryFile() as file:
        return Job(file.name)
