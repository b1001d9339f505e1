"""Commands of steps are written for the script and the folder of the text."""

import re

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.knowledge.rewriting import (
    drop_package_hint,
    name_script,
    set_commands_apart,
)


def test_script_of_the_text_stands_in_commands() -> None:
    step = "Start `train.py`:\n\n   ```powershell\n   python train.py --workers 0\n   ```"
    assert name_script((step,), "main.py")[0] == step.replace("python train.py", "python main.py")


def test_nobody_is_asked_for_a_name_that_the_commands_have() -> None:
    knowledge, _ = load_knowledge()
    texts = [
        text
        for entry in knowledge.entries.values()
        for text in (*(step.text for step in entry.body.steps), entry.body.verify)
        if re.search(r"place\s+of\s+`train\.py`", text)
    ]
    assert len(texts) > 5
    for named in name_script(texts, "main.py"):
        assert "main.py" in named
        assert not re.search(r"place\s+of\s+`train\.py`", named)


def test_long_commands_in_a_sentence_get_a_block() -> None:
    step = (
        "Open a terminal in its folder, and run `.\\py\\python.exe -m pip install --upgrade torch torchvision`;"
        " then `.\\py\\python.exe -m pip install numpy==1.26.2`, which it needs."
    )
    assert set_commands_apart(step) == (
        "Open a terminal in its folder, and run the first command below; then the second one, which it needs."
        "\n\n   ```powershell\n   .\\py\\python.exe -m pip install --upgrade torch torchvision\n"
        "   .\\py\\python.exe -m pip install numpy==1.26.2\n   ```"
    )


@pytest.mark.parametrize(
    "step",
    ["Type `python -m pip check`.", "See `torch.__version__`.\n\n   ```powershell\n   python -V\n   ```"],
    ids=["short", "block"],
)
def test_short_commands_stay_in_their_sentence(step: str) -> None:
    assert set_commands_apart(step) == step


def test_hint_goes_where_no_command_has_the_word() -> None:
    step = "Build it. Where the command has PACKAGE, write `a.b` or its name:\n\n```powershell\npip install {}\n```\n"
    assert (
        drop_package_hint(step.format("whisper")) == "Build it.\n\n```powershell\npip install whisper\n```\n"
    )
    assert drop_package_hint(step.format("PACKAGE")) == step.format("PACKAGE")
