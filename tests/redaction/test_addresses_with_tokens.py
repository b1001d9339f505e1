"""Tokens in the path and in the query of an address are hidden, also where the host stands apart."""

import pytest

from torchdoctor.redaction.secrets.hide import hide_credentials


@pytest.mark.parametrize(
    ("address", "hidden"),
    [
        ("https://dl.cloudsmith.io/kQ8vT2mZ9pLw4xYb/acme/x/", "https://dl.cloudsmith.io/<secret>/acme/x/"),
        (
            "https://civitai.com/api/download/12?token=letmein",
            "https://civitai.com/api/download/12?token=<secret>",
        ),
        ("https://a.example/x?a=1&hf_token=iloveyou#b", "https://a.example/x?a=1&hf_token=<secret>"),
        (
            "https://a.example/x?page_token=letmein&key=value",
            "https://a.example/x?page_token=<secret>&key=value",
        ),
    ],
)
def test_address_of_an_own_index_is_hidden(address: str, hidden: str) -> None:
    assert hide_credentials(f"pip install torch -i {address}") == f"pip install torch -i {hidden}"


@pytest.mark.parametrize(
    "address",
    [
        "https://download.pytorch.org/whl/cu128/torch-2.7.1%2Bcu128-cp312-cp312-win_amd64.whl",
        "https://github.com/openai/CLIP/archive/d50d76daa670286dd6cacf3bcd80b5e4823fc8e1.zip",
        "https://files.pythonhosted.org/packages/aa/bb/8f14e45fceea167a5a36dedd4bea2543/torch.whl#sha256=1a2b",
        "https://github.com/lllyasviel/stable-diffusion-webui-forge/blob/main/x.py?plain=1",
        "https://huggingface.co/Qwen/Qwen2.5-VL-7B-Instruct-AWQ/resolve/main/model.safetensors?download=true",
    ],
)
def test_public_address_stays(address: str) -> None:
    assert hide_credentials(f"see {address} for it") == f"see {address} for it"


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
