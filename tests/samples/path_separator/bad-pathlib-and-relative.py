import os
import pathlib
from glob import glob
from pathlib import Path
from typing import Optional


def find_last(folder: pathlib.Path, others: list[Path], file: Optional[Path] = None):
    for each in list(folder.glob("*.pt")):
        print(str(each).split("/")[-1])  # bad
    print([str(each).split("/")[-1] for each in others])  # bad
    return str(file).split("/")[-2]  # bad


for wav in Path("wavs").rglob("*.wav"):
    print(str(wav.relative_to("wavs")).replace("/", "_"))  # bad, by replace
    name = wav.with_suffix(".txt").relative_to("wavs")
    name = str(name).replace("/", ".")  # bad, by replace
    speaker, book = str(wav.relative_to("wavs")).split("/")[:2]  # bad
    print(f"{wav.parent}".split("/")[-1])  # bad

for path in glob("data/*/*.png"):
    label = os.path.relpath(path, "data").split("/")[0]  # bad
    synset, image = os.path.relpath(path, "data").split("/")  # bad
    print(os.path.relpath(path, "data").split("/")[-1])  # bad
