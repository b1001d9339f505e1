"""Files whose texts with refused characters are messages are not parsed; no path is taken for a message."""

from itertools import product

import pytest

from torchdoctor.source import SourceFile
from torchdoctor.source.files.reading import parse_source
from torchdoctor.source.idioms.paths.refused_texts import may_have_refused_path
from torchdoctor.source.idioms.paths.written_names import find_refused_characters

PLAIN_TEXTS = ("f'a_{b}:c'", '"x" f"{b}: c.txt"', "'x{}:b'.format(x)", "'x%s:%d' % (a, b)", "f'<{a}'")
TEXTS = (
    *PLAIN_TEXTS,
    "rf'x{a[\"k\"]}:b'",
    "('a' # see [\n    'b' # in:\n    f'{b}|c')",
    "(\n    'long ' f'{a}*'\n)",
)
MAKING = (
    "open({}, 'w')",
    "np.save({}, x)\nimport numpy as np",
    "import torch\ntorch.save(x, {})",
    "import torch\ntorch.save(x, f={})",
    "import os\nos.makedirs(\n    {}\n)",
    "import os\nos.makedirs(os.path.join(root, {}))",
    "from os.path import join as pjoin\nopen(pjoin({}, 'x'), 'w')",
    "from os import makedirs as make_dirs\nmake_dirs({})",
    "from pathlib import Path\nopen(Path({}) / 'a', 'w')",
    "open(root + {}, 'w')",
    "open(root / 'a' + {}, 'w')",
    "open(str({}), 'w')",
    "name = {}\nopen(name, 'w')",
    "self.name = name = {}\nopen(name, 'w')",
    "name = self.name = {}\nopen(name, 'w')",
    "name: str = {}\nopen(name, 'w')",
    "frame.to_csv({})",
    "open(  # of [names]:\n    {}, 'w')",
    "open(  # see print(\n    {}, 'w')",
    "open('names: ' + {}, 'w')",
)
MESSAGES = (
    "raise ValueError({})",
    "print({})",
    "def f(): return {}",
    "logger.info(\n    {}\n)",
    "names = [{}]",
    "names = {{'a': {}}}",
    "    self.message = {}",
    "    names['a'] = {}",
    "if name == {}: ...",
)


@pytest.mark.parametrize(("making", "text"), [*product(MAKING, TEXTS)])
def test_text_that_becomes_a_path_is_seen(making: str, text: str) -> None:
    code = making.format(text).encode()
    source = parse_source("a.py", code)
    assert isinstance(source, SourceFile) and [*find_refused_characters(source.module)]
    assert may_have_refused_path(code)


@pytest.mark.parametrize(("message", "text"), [*product(MESSAGES, PLAIN_TEXTS)])
def test_message_is_no_path(message: str, text: str) -> None:
    assert not may_have_refused_path(("\n" + message.format(text)).encode())


def test_colon_of_a_statement_is_no_character_of_a_name() -> None:
    assert not may_have_refused_path(b"if name in kinds - {'a', 'b'}:\n    ...")
