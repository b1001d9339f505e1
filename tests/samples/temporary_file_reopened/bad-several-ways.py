import contextlib
import subprocess
import tarfile
import tempfile
from pathlib import Path
from tempfile import NamedTemporaryFile as Scratch

import numpy as np
import torch


def unpack(url):
    with tempfile.NamedTemporaryFile(suffix=".tgz") as target:
        urlretrieve(url, target.name)
        tarfile.open(target.name)


def convert(audio):
    wav = Scratch(suffix=".wav", delete=True)
    command = f"sox {audio} {wav.name}"
    subprocess.run(command, shell=True)


def convert_again(audio):
    with Scratch() as wav:
        subprocess.run(["sox", audio, str(wav.name)])


def measure(model):
    with tempfile.NamedTemporaryFile() as file:
        torch.save(model.state_dict(), file.name)
        return Path(file.name).stat().st_size


def load(raw):
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(tempfile.NamedTemporaryFile())
        file.write(raw)
        file.flush()
        path = file.name
        return np.load(path)


def read(raw):
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(raw)
        file.flush()
        return Path(file.name).read_text()
