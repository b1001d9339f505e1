"""The package that a text gives to pip is read only where one is certain."""

import pytest

from torchdoctor.explain.text.clean import clean, number_lines
from torchdoctor.explain.text.split import split
from torchdoctor.explain.values.pip_commands import find_source, read_wanted_package

TEXTS = {
    "then ran pip install gptqmodel and got": "gptqmodel",
    "PS C:\\x> pip install flash-attn==2.7.4 --no-cache-dir": "flash-attn==2.7.4",
    "I tried `pip install -v --no-build-isolation git+https://github.com/a/b.git`": "git+https://github.com/a/b.git",
    "pip install -e .": "-e .",
    "pip install -r requirements.txt": "-r requirements.txt",
    "pip3 install torch torchvision --index-url https://download.pytorch.org/whl/cu126": None,
    "pip install gptqmodel\npip install auto-gptq": None,
    "I ran pip install torch\npip install setuptools wheel\npip install causal-conv1d": "causal-conv1d",
    "after running pip install fails with the message": None,
    "I tried pip install and it fails": None,
    "what pip install does here": None,
    "pip install $HOME": None,
    "pip install https://example.org/a-1.0-cp310-cp310-win_amd64.whl": None,
}


@pytest.mark.parametrize("text", TEXTS)
def test_package_that_pip_was_asked_for(text: str) -> None:
    assert read_wanted_package(split(clean(number_lines(text), lambda line: False))) == TEXTS[text]


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("torchmcubes", "git+https://github.com/tatsy/torchmcubes"),
        ("flash_attn", "flash-attn"),
        ("simple-knn", None),
        ("", None),
    ],
)
def test_source_of_a_package_that_is_built(package: str, source: str | None) -> None:
    assert find_source(package) == source
