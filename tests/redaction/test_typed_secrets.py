"""Secrets that were typed at a prompt are hidden wherever they stand: answers in the wrong place, arguments."""

import pytest

from torchdoctor.engine.library import load_knowledge
from torchdoctor.explain import explain
from torchdoctor.redaction.secrets.typed_secrets import find_typed_secrets

KNOWLEDGE = load_knowledge()[0]
UNKNOWN = (
    "PS C:\\app> {0}\n{0} : The term '{0}' is not recognized as the name of a cmdlet, function, script file, or"
    " operable program.",
    "C:\\app>{0}\n'{0}' is not recognized as an internal or external command,\noperable program or batch file.",
    'C:\\app>{0}\nDer Befehl "{0}" ist entweder falsch geschrieben oder\nkonnte nicht gefunden werden.',
)
PROMPTS = ["C:\\app>", "PS C:\\app> ", "(env) C:\\app>", "(env) PS C:\\app> ", "$ ", "!"]
ASKED = "C:\\app>huggingface-cli login\nEnter your token (input will not be visible):\n"


def explain_what_was_typed(said: str, word: str, before: str = "", *, on_screen: bool = False) -> str:
    body = "C:\\app>pip install torch\n{}{}\n\nPyTorch version: 2.6.0+cu126\nOS: Microsoft Windows 11 Pro\n"
    return repr(explain(body.format(before, said.format(word)), KNOWLEDGE, on_screen=on_screen))


@pytest.mark.parametrize("said", UNKNOWN)
@pytest.mark.parametrize(
    "secret", ["8f14e45fceea167a5a36dedd4bea2543", "kQ8vT2mZ9pLw4xYb", "rVbr9is0-4XZDjP"]
)
def test_generated_word_is_hidden(said: str, secret: str) -> None:
    assert secret in find_typed_secrets(said.format(secret))
    assert "sometool-cli" in explain_what_was_typed(said, "sometool-cli", on_screen=True)
    for on_screen in (False, True):
        assert secret not in explain_what_was_typed(said, secret, on_screen=on_screen)


@pytest.mark.parametrize("said", UNKNOWN)
@pytest.mark.parametrize("secret", ["correct-horse-battery", "Winter-2025", "hunter2"])
def test_word_below_a_question_is_hidden(said: str, secret: str) -> None:
    assert secret in find_typed_secrets(ASKED + said.format(secret))
    assert secret not in explain_what_was_typed(said, secret, ASKED)


@pytest.mark.parametrize("said", UNKNOWN)
@pytest.mark.parametrize(
    "command", ["torchrun", "nvidia-smi", "accelerate-launch", "python310", "webui-user"]
)
def test_command_stays(said: str, command: str) -> None:
    assert find_typed_secrets(said.format(command)) == frozenset()


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize(
    "command", ["modal token set --token-id {}", "ollama run x --key {}", "sometool auth {}", "b --k={} -v"]
)
@pytest.mark.parametrize("secret", ["ak-kQ8vT2mZ9pLw4xYb", "kQ8vT2mZ9pLw4xYb", "rVbr9is0-4XZDjP"])
def test_generated_argument_is_found(prompt: str, command: str, secret: str) -> None:
    assert find_typed_secrets(f"{prompt}{command.format(secret)}\nError: x") == {secret}


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize(
    "command",
    [
        "pip install torch==2.6.0+cu126 --index-url https://download.pytorch.org/whl/cu126",
        "git checkout 3fa85f6457174562b3fc2c963f66afa6deadbeef",
        "python train.py --config configs/sdxl10turbo.yaml --name Realistic_Vision_V51_noVAE",
        "python -m torch.distributed.run --nproc_per_node=2 train_dreambooth_lora.py",
        "huggingface-cli download stabilityai/stable-diffusion-xl-base-1.0 sd_xl_base_1.0.safetensors",
        "set CUDA_VISIBLE_DEVICES=GPU-3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "conda create -n pytorch310cuda118 python=3.10",
    ],
)
def test_ordinary_argument_is_none(prompt: str, command: str) -> None:
    assert find_typed_secrets(f"{prompt}{command}\nError: x") == frozenset()


@pytest.mark.parametrize(
    "form", ["The term '{}' is not recognized as a name", 'Die Benennung "{}" wurde nicht erkannt']
)
def test_answer_that_powershell_repeats_is_found(form: str) -> None:
    assert find_typed_secrets(form.format("Tr0ub4dor3")) == {"Tr0ub4dor3"}
