"""Arguments of commands, and paths of addresses, that look generated are hidden wherever they stand."""

import pytest

from torchdoctor.domain.secrets import hide_credentials
from torchdoctor.domain.typed_secrets import find_typed_secrets

PROMPTS = ["C:\\app>", "PS C:\\app> ", "(env) C:\\app>", "(env) PS C:\\app> ", "$ ", "!"]


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
    "line",
    [
        "Max retries exceeded with url: /services/T0123ABCD/B0123ABCD/{} (Caused by SSLError(1))",
        "Max retries exceeded with url: /api/webhooks/123456789012345678/{} (Caused by SSLError(1))",
        "Max retries exceeded with url: /repository/{}/simple/torch/ (Caused by SSLError(1))",
        "Max retries exceeded with url: /t/{}/get/main/win-64/repodata.json (Caused by SSLError(1))",
        "after connection broken by 'SSLError(1)': /{}/acme/x/python/simple/torch/",
        "https://hooks.slack.com/services/T0123ABCD/B0123ABCD/{}",
        "https://dl.cloudsmith.io/{}/acme/x/python/simple",
    ],
)
def test_token_in_a_path_is_hidden_whatever_names_the_path(line: str) -> None:
    secret = "kQ8vT2mZ9pLw4xYb"
    assert secret not in hide_credentials(line.format(secret))


@pytest.mark.parametrize(
    "line",
    [
        "Max retries exceeded with url: /whl/cu126/torch-2.6.0+cu126-cp310-cp310-win_amd64.whl (Caused by",
        "Max retries exceeded with url: /runwayml/stable-diffusion-v1-5/resolve/main/unet/config.json",
        "after connection broken by 'SSLError(1)': /simple/torchvision/",
        "https://github.com/comfyanonymous/ComfyUI/releases/download/v0.3.10/new_ComfyUI_windows_portable.7z",
    ],
)
def test_path_without_a_token_stays(line: str) -> None:
    assert hide_credentials(line) == line
