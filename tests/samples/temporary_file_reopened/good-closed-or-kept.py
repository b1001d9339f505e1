import os
import subprocess
import sys
import tempfile

import torch


def kept(model):
    with tempfile.NamedTemporaryFile(suffix=".pt", delete=False) as file:
        torch.save(model, file.name)


def chosen(model, keep):
    with tempfile.NamedTemporaryFile(delete=not keep) as file:
        torch.save(model, file.name)


def new_python(model):
    with tempfile.NamedTemporaryFile(delete_on_close=False) as file:
        file.close()
        torch.save(model, file.name)


def closed(audio):
    wav = tempfile.NamedTemporaryFile(suffix=".wav")
    wav.close()
    subprocess.run(["sox", audio, wav.name])


def handle(model):
    with tempfile.NamedTemporaryFile() as file:
        torch.save(model, file)
        file.seek(0)
        return torch.load(file)


def told(model):
    with tempfile.NamedTemporaryFile() as file:
        print("writes", file.name, os.path.getsize(file.name), os.path.basename(file.name))
        raise ValueError(f"no room for {file.name}")


def by_system(model):
    if sys.platform != "win32":
        with tempfile.NamedTemporaryFile() as file:
            torch.save(model, file.name)


def tried(model):
    with tempfile.NamedTemporaryFile() as file:
        try:
            torch.save(model, file.name)
        except PermissionError:
            torch.save(model, "model.pt")


def other_file(model, args):
    with tempfile.NamedTemporaryFile() as file:
        torch.save(model, args.name)
